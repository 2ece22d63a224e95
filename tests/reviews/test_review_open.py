"""The review item with everything folded out is as accessible as it is closed, in both themes and at both widths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reviews.browsing import PHONE, SCREEN, Watched, prefer, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.looks import violations
from tests.reviews.reviewing import JOKE, QUOTE, Reviewing, page_of, reviewer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.conftest import LiveServer

OPEN_ALL = "document.querySelectorAll('main details').forEach(one => { one.removeAttribute('name'); one.open = true; })"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("theme", "width", "language"),
    [("light", SCREEN, "zh-hans"), ("dark", PHONE, "en"), ("dark", SCREEN, "en")],
)
def test_everything_folded_out_is_accessible(
    desk: Desk, browser: Browser, live_server: LiveServer, theme: str, width: int, language: str
) -> None:
    world = Reviewing(desk, trust_tier=2, ref="cust-张伟-0817", display_name="张伟", locale="zh-hans")
    _asked, event, _noted = world.say("要不要来杯咖啡？", JOKE, "好的，我记下了")
    world.allergy("花生")
    review = world.allergy("咖啡", evidence_event_id=event, quote=QUOTE)
    rule = world.rule()
    context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 900})
    prefer(context, live_server.url, theme=theme, language=language)
    sign_in(context, live_server.url, desk.operator)
    tab = Watched.new(context)
    desk.client(reviewer(desk)).post(page_of(rule, "review_claim"))
    panes = ["proposal", "evidence", "decide"] if width == PHONE else [""]
    for address in (f"{page_of(review)}?focus=1", page_of(rule), "/review/?tab=all", "/review/stats/"):
        tab.open(address)
        tab.page.evaluate(OPEN_ALL)
        for pane in panes:
            if pane and "review/0" in address:
                tab.page.evaluate(f"document.getElementById('pane-{pane}').checked = true")
            assert violations(tab.page) == [], (address, pane)
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= width, (address, pane)

    assert tab.troubles == []
    context.close()
