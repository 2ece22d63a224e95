"""WCAG 2.2 AA by axe, and no page wider than its window, in both themes, at two widths, in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from tests.repeats import FULL
from tests.reviews.browsing import PHONE, SCREEN, Watched, prefer, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.desk_pages import all_pages
from tests.reviews.story import tell

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

AXE = Path(settings.BASE_DIR) / "tests" / "vendor" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """async (tags) => {
    const found = await axe.run(document, { runOnly: { type: "tag", values: tags } });
    return found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`));
}"""


def violations(page: Page) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(RUN, TAGS)
    return found


LOOKS = [
    ("light", SCREEN, "en"),
    ("dark", PHONE, "zh-hans"),
    ("dark", SCREEN, "zh-hans"),
    ("light", PHONE, "en"),
]


@pytest.mark.browser
@pytest.mark.deep
@pytest.mark.parametrize(("theme", "width", "language"), LOOKS if FULL else LOOKS[:2])
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
        assert tab.troubles == [], name
        assert violations(tab.page) == [], name
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width, name
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
