"""Pictures of every page, two widths, two themes, two languages: MEMORYHUB_SCREENSHOTS=<folder> pytest tests/reviews/test_screenshots.py"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reviews.browsing import PHONE, SCREEN, prefer, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.desk_pages import all_pages
from tests.reviews.incident_pages import a_rollback, an_incident, incident_pages
from tests.reviews.poisoned import poison
from tests.reviews.story import tell
from tests.reviews.trial_pages import stock_trial, trial_pages
from tests.reviews.whitelist_pages import stock, whitelist_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.conftest import LiveServer

FOLDER = os.environ.get("MEMORYHUB_SCREENSHOTS", "")


def of_owners(desk: Desk) -> dict[str, str]:
    owners = tell(desk.workspace)
    return all_pages(owners["customer"]) | {
        "timeline-project": f"/owners/{owners['project'].id}/timeline/",
        "404": "/nothing/",
    }


def of_incidents(desk: Desk) -> dict[str, str]:
    told, user_id = poison(desk.workspace), desk.operator.pk
    return incident_pages(told, an_incident(told, user_id=user_id), a_rollback(told, user_id=user_id))


def of_the_whitelist(desk: Desk) -> dict[str, str]:
    return whitelist_pages(desk.workspace, stock(desk).proposal.number) | trial_pages(stock_trial(desk))


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(not FOLDER, reason="MEMORYHUB_SCREENSHOTS names no folder")
@pytest.mark.parametrize("pages_of", [of_owners, of_incidents, of_the_whitelist])
@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, SCREEN])
def test_pictures_of_every_page(
    desk: Desk,
    browser: Browser,
    live_server: LiveServer,
    language: str,
    theme: str,
    width: int,
    pages_of: Callable[[Desk], dict[str, str]],
) -> None:
    pages = pages_of(desk)
    folder = Path(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 900})
    page = context.new_page()
    prefer(context, live_server.url, theme=theme, language=language)
    page.goto("/login/")
    page.screenshot(path=folder / f"login-{width}-{theme}-{language}.png", full_page=True)
    sign_in(context, live_server.url, desk.operator)
    for name, address in pages.items():
        page.goto(address)
        # Charts are drawn when they come into view.
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        page.wait_for_load_state("networkidle")
        page.evaluate("window.scrollTo(0, 0)")
        page.screenshot(path=folder / f"{name}-{width}-{theme}-{language}.png", full_page=True)
    context.close()
