"""Pictures of every page, two widths, two themes, two languages: MEMORYHUB_SCREENSHOTS=<folder> pytest tests/reviews/test_screenshots.py"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reviews.browsing import PHONE, SCREEN, prefer, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.desk_pages import all_pages
from tests.reviews.story import tell

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.conftest import LiveServer

FOLDER = os.environ.get("MEMORYHUB_SCREENSHOTS", "")


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.skipif(not FOLDER, reason="MEMORYHUB_SCREENSHOTS names no folder")
@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, SCREEN])
def test_pictures_of_every_page(
    desk: Desk, browser: Browser, live_server: LiveServer, language: str, theme: str, width: int
) -> None:
    owners = tell(desk.workspace)
    folder = Path(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 900})
    page = context.new_page()
    prefer(context, live_server.url, theme=theme, language=language)
    page.goto("/login/")
    page.screenshot(path=folder / f"login-{width}-{theme}-{language}.png", full_page=True)
    sign_in(context, live_server.url, desk.operator)
    addresses = all_pages(owners["customer"]) | {
        "timeline-project": f"/owners/{owners['project'].id}/timeline/",
        "404": "/nothing/",
    }
    for name, address in addresses.items():
        page.goto(address)
        page.evaluate(
            "window.scrollTo(0, document.body.scrollHeight)"
        )  # charts are drawn when they come into view
        page.wait_for_load_state("networkidle")
        page.evaluate("window.scrollTo(0, 0)")
        page.screenshot(path=folder / f"{name}-{width}-{theme}-{language}.png", full_page=True)
    context.close()
