"""WCAG 2.2 AA by axe, and no page wider than its window, in both themes, at two widths, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reviews.browsing import Watched, prefer, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.desk_pages import all_pages
from tests.reviews.looks import in_looks, look, violations
from tests.reviews.story import tell

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.conftest import LiveServer


@pytest.mark.browser
@pytest.mark.deep
@in_looks(at_first=2)
def test_every_page_is_accessible_and_fits(
    desk: Desk, browser: Browser, live_server: LiveServer, theme: str, width: int, language: str
) -> None:
    owners = tell(desk.workspace)
    context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 900})
    prefer(context, live_server.url, theme=theme, language=language)
    tab = Watched.new(context)
    tab.open("/login/")
    assert violations(tab.page) == []
    sign_in(context, live_server.url, desk.operator)
    pages = all_pages(owners["customer"]) | {"not-found": "/nothing/"}
    pages["project"] = f"/owners/{owners['project'].id}/timeline/"
    for name, address in pages.items():
        tab.open(address)
        look(tab, name, width)
    context.close()


@pytest.mark.browser
def test_long_words_do_not_widen_a_page(desk: Desk, browser: Browser, live_server: LiveServer) -> None:
    from tests.reviews.test_hostile_text import hostile_owner

    owner = hostile_owner(desk.workspace, "w" * 200)
    context = browser.new_context(base_url=live_server.url, viewport={"width": 320, "height": 700})
    sign_in(context, live_server.url, desk.operator)
    tab = Watched.new(context)
    for name, address in all_pages(owner).items():
        tab.open(address)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 320, name
    context.close()
