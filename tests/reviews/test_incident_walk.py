"""The pages about changes, rollbacks and incidents in a real browser: accessible, clean, whole, and the walk through them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from memoryhub.models import Agent, MemoryItem, Owner
from reviews.queries.saved_views import save_view
from tests.reviews.browsing import Watched, prefer, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.incident_pages import a_rollback, an_incident, incident_pages
from tests.reviews.looks import in_looks, look
from tests.reviews.poisoned import Poisoned, poison
from tests.reviews.test_hostile_text import PAYLOADS, TEXT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.conftest import LiveServer

pytestmark = pytest.mark.browser


def pages_of(desk: Desk, told: Poisoned, title: str = "Night calls recommended") -> dict[str, str]:
    user_id = desk.operator.pk
    return incident_pages(
        told, an_incident(told, user_id=user_id, title=title), a_rollback(told, user_id=user_id)
    )


@pytest.mark.deep
@in_looks(at_first=1)
def test_every_page_is_accessible_clean_and_fits(
    desk: Desk, browser: Browser, live_server: LiveServer, theme: str, width: int, language: str
) -> None:
    pages = pages_of(desk, poison(desk.workspace))
    context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 900})
    prefer(context, live_server.url, theme=theme, language=language)
    sign_in(context, live_server.url, desk.operator)
    tab = Watched.new(context)
    for name, address in pages.items():
        tab.open(address)
        look(tab, name, width)
    context.close()


def test_payloads_are_shown_as_text(desk: Desk, browser: Browser, live_server: LiveServer) -> None:
    told = poison(desk.workspace, TEXT[:200])
    Owner.objects.filter(id=told.owner.id).update(display_name=TEXT[:200])
    assert told.bad.agent_id
    Agent.objects.filter(id=told.bad.agent_id).update(name=TEXT[:100])
    MemoryItem.objects.of(told.owner.id).filter(id=told.item_id).update(content=TEXT, entities=list(PAYLOADS))
    for page in ("changes", "memories", "incidents"):
        save_view(
            workspace=desk.workspace,
            user_id=desk.operator.pk,
            name=TEXT[:80],
            params="owner=%3Cscript%3Ealert(1)%3C%2Fscript%3E",
            is_shared=True,
            is_default=False,
            page=page,
        )
    context = browser.new_context(base_url=live_server.url, viewport={"width": 320, "height": 700})
    sign_in(context, live_server.url, desk.operator)
    tab = Watched.new(context)
    for name, address in pages_of(desk, told, TEXT[:200]).items():
        tab.open(address)
        assert tab.troubles == [], name
        hostile = "img, iframe, main script, svg[onload], [onerror], [onfocus], main b"
        assert tab.page.locator(hostile).count() == 0, name
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 320, name
        for link in tab.page.locator("a[href]").evaluate_all("links => links.map(link => link.href)"):
            assert link.startswith(live_server.url), link
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_poison_is_found_traced_rolled_back_and_brought_back(
    desk: Desk, browser: Browser, live_server: LiveServer, scripts: bool
) -> None:
    told = poison(desk.workspace)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=scripts)
    sign_in(context, live_server.url, desk.operator)
    page = context.new_page()
    page.goto("/suspects/")
    row = page.locator("article", has_text="喜欢半夜接到推销电话")
    row.get_by_role("link", name="Open an incident").click()
    page.get_by_label("Title").fill("Night calls")
    page.get_by_label("Agent").select_option(str(told.bad.agent_id))
    page.locator("main").get_by_role("button", name="Open an incident").click()
    page.wait_for_url("**/incidents/*-*/")
    told_lines = page.locator("section", has_text="Recalls that told it")
    expect(told_lines).to_contain_text("sess-2")
    page.locator(".roll-back").get_by_role("link", name="Preview").click()
    expect(page.locator("#results")).to_contain_text("适合安排夜间电话推销")
    page.get_by_label("Reason").fill("Sold at night")
    page.locator("#results").get_by_role("button", name="Roll ").click()
    page.wait_for_url("**/rollback/*-*/*-*/")
    expect(page.locator("main")).to_contain_text("Sold at night")
    assert not MemoryItem.objects.of(told.owner.id).filter(id=told.item_id, status="active").exists()
    page.get_by_role("button", name="Undo this rollback").click()
    expect(page.locator("main")).to_contain_text("The rollback is done.")
    standing = MemoryItem.objects.of(told.owner.id).filter(status="active")
    assert standing.filter(content="喜欢半夜接到推销电话").count() == 1
    context.close()


def test_a_row_opens_its_button_in_place_and_rows_are_walked(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    told = poison(desk.workspace)
    context = browser.new_context(base_url=live_server.url)
    sign_in(context, live_server.url, desk.operator)
    tab = Watched.new(context)
    tab.open(f"/owners/{told.owner.id}/timeline/")
    tab.page.get_by_role("link", name="Roll back").first.click()
    expect(tab.page.locator("[data-roll-back]")).to_have_count(1)
    expect(tab.page.locator("[data-roll-back]:focus")).to_have_count(1)
    expect(tab.page).to_have_url(re.compile("/timeline/$"))
    tab.open(f"/owners/{told.owner.id}/memories/{told.version_id}/")
    tab.page.keyboard.press("[")
    tab.page.wait_for_url(lambda url: str(told.version_id) not in url)
    tab.page.keyboard.press("]")
    tab.page.wait_for_url(f"**/{told.version_id}/")
    tab.page.keyboard.press("g")
    tab.page.keyboard.press("c")
    tab.page.wait_for_url("**/changes/")
    tab.page.keyboard.press("j")
    tab.page.keyboard.press("o")
    tab.page.wait_for_url("**/changes/*-*/")
    assert tab.troubles == []
    context.close()
