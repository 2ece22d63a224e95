"""The keyboard map, and everything that must leave it dead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.reviews.browsing import Watched, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.story import tell

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

pytestmark = pytest.mark.browser


@pytest.fixture
def tab(desk: Desk, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    tell(desk.workspace)
    context = browser.new_context(base_url=live_server.url)
    sign_in(context, live_server.url, desk.operator)
    watched = Watched.new(context)
    watched.open("/owners/")
    yield watched.page
    assert watched.troubles == []
    context.close()


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.id || document.activeElement.tagName")
    return found


def arrived(page: Page, *, shortcuts: str) -> None:
    """The page that says so is there, its scripts included."""
    expect(page.locator("body")).to_have_attribute("data-shortcuts", shortcuts)
    page.wait_for_load_state()


def test_letters_lead_to_places(tab: Page) -> None:
    tab.keyboard.press("g")
    tab.keyboard.press("s")
    tab.wait_for_url("**/system/")
    tab.keyboard.press("g")
    tab.keyboard.press("h")
    tab.wait_for_url(lambda url: url.endswith("/") and "system" not in url)


def test_slash_and_f_focus_the_fields(tab: Page) -> None:
    tab.keyboard.press("/")
    assert focused(tab) == "finder"
    tab.keyboard.press("Escape")
    tab.locator("body").evaluate("body => document.activeElement.blur()")
    tab.keyboard.press("f")
    assert focused(tab) == "filter_q"


def test_rows_are_walked_and_opened(tab: Page) -> None:
    tab.keyboard.press("j")
    tab.keyboard.press("j")
    tab.keyboard.press("k")
    assert tab.locator("[data-row].is-current").count() == 1
    tab.keyboard.press("o")
    tab.wait_for_url("**/owners/*-*/")
    expect(tab.locator("h1")).to_have_text("张伟")


def test_the_sheet_opens_and_closes_and_keeps_letters_dead(tab: Page) -> None:
    tab.keyboard.press("?")
    assert tab.locator("#keyboard-sheet").is_visible()
    tab.keyboard.press("j")
    assert tab.locator("[data-row].is-current").count() == 0
    tab.keyboard.press("Escape")
    assert not tab.locator("#keyboard-sheet").is_visible()


def test_typing_does_nothing_but_type(tab: Page) -> None:
    tab.locator("#filter_q").focus()
    tab.keyboard.type("g?j/f")
    assert tab.locator("#filter_q").input_value() == "g?j/f"
    assert not tab.locator("#keyboard-sheet").is_visible()
    assert tab.locator("[data-row].is-current").count() == 0


def test_composed_held_and_modified_keys_do_nothing(tab: Page) -> None:
    for extra in (
        "isComposing: true",
        "keyCode: 229",
        "repeat: true",
        "ctrlKey: true",
        "metaKey: true",
        "altKey: true",
    ):
        event = f"new KeyboardEvent('keydown', {{bubbles: true, key: 'j', {extra}}})"
        tab.evaluate(f"document.body.dispatchEvent({event})")
        assert tab.locator("[data-row].is-current").count() == 0, extra
    tab.keyboard.press("j")
    assert tab.locator("[data-row].is-current").count() == 1


def test_letters_are_dead_while_a_request_is_under_way(tab: Page) -> None:
    tab.evaluate("document.dispatchEvent(new CustomEvent('htmx:before:request', {detail: {ctx: {}}}))")
    tab.keyboard.press("j")
    assert tab.locator("[data-row].is-current").count() == 0
    tab.evaluate("document.dispatchEvent(new CustomEvent('htmx:finally:request', {detail: {ctx: {}}}))")
    tab.keyboard.press("j")
    assert tab.locator("[data-row].is-current").count() == 1


def test_single_letters_can_be_switched_off_and_on_again(tab: Page) -> None:
    tab.keyboard.press("?")
    tab.get_by_role("button", name="Switch single letters off").click()
    arrived(tab, shortcuts="off")
    tab.keyboard.press("?")
    expect(tab.locator("#keyboard-sheet")).to_be_hidden()
    tab.get_by_role("link", name="Keyboard").click()
    tab.get_by_role("button", name="Switch single letters on").click()
    arrived(tab, shortcuts="on")
    tab.keyboard.press("?")
    expect(tab.locator("#keyboard-sheet")).to_be_visible()


def test_the_whole_way_to_a_value_goes_by_tab_and_enter(tab: Page) -> None:
    tab.keyboard.press("Tab")
    assert tab.locator(":focus").inner_text() == "Skip to content"
    tab.keyboard.press("Enter")
    expect(tab.locator("#main")).to_be_focused()
    while tab.locator(":focus").inner_text() != "cust-张伟-0817":
        tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/owners/*-*/")
