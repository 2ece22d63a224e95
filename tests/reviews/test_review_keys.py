"""Keys of the queue and a person's own keys, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from memoryhub.models import Review, ReviewStep
from reviews.shortcuts import as_cookie
from tests.reviews.browsing import Watched, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, page_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext

    from tests.conftest import LiveServer

pytestmark = pytest.mark.browser


@pytest.fixture
def signed_in(desk: Desk, browser: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=live_server.url)
    sign_in(context, live_server.url, desk.operator)
    yield context
    context.close()


def press(tab: Watched, keys: str) -> None:
    for key in keys.split():
        tab.page.keyboard.press(key)


def test_rows_are_ticked_singly_in_a_range_all_and_none(desk: Desk, signed_in: BrowserContext) -> None:
    world = Reviewing(desk)
    for value in ("坚果", "花生", "芝麻", "大豆"):
        world.allergy(value)
    tab = Watched.new(signed_in)
    tab.open("/review/")
    ticked = tab.page.locator("[data-row] input:checked")
    press(tab, "j x")
    expect(ticked).to_have_count(1)
    press(tab, "j j Shift+X")
    expect(ticked).to_have_count(3)
    expect(tab.page.locator("#announcements")).to_have_text("3 ticked")
    press(tab, "* a")
    expect(ticked).to_have_count(4)
    press(tab, "* n")
    expect(ticked).to_have_count(0)
    press(tab, "x Escape")
    expect(ticked).to_have_count(0)
    assert tab.troubles == []


def test_a_digit_after_v_opens_a_saved_view(desk: Desk, signed_in: BrowserContext) -> None:
    Reviewing(desk).allergy()
    for name, params in (("Everything", "tab=all"), ("Food", "tab=all&field=allergies")):
        desk.client().post("/views/review/save/", {"name": name, "params": params})
    tab = Watched.new(signed_in)
    tab.open("/review/?tab=mine")
    press(tab, "v 2")
    tab.page.wait_for_url("**/review/?tab=all&field=allergies")
    assert tab.troubles == []


def test_an_own_key_does_it_and_the_delivered_one_no_longer(
    desk: Desk, signed_in: BrowserContext, live_server: LiveServer
) -> None:
    world = Reviewing(desk)
    review, other = world.allergy("坚果"), world.allergy("花生")
    cookie = {"name": "desk_keys", "value": as_cookie({"a": "y", "z": "a"}), "url": live_server.url}
    signed_in.add_cookies([cookie])  # type: ignore[list-item]
    tab = Watched.new(signed_in)
    tab.open(f"{page_of(review)}?focus=1")
    press(tab, "a z")
    assert not Review.objects.of(world.owner.id).exclude(outcome="").exists()
    press(tab, "y")
    tab.page.wait_for_url(f"**{page_of(other)}?focus=1**")
    press(tab, "a")
    tab.page.wait_for_url(lambda url: str(other.id) not in url and "focus" in url)
    assert tab.troubles == []


def test_the_last_keys_of_the_row_reject_too(desk: Desk, signed_in: BrowserContext) -> None:
    world = Reviewing(desk)
    reviews = [world.allergy(value) for value in ("坚果", "花生")]
    tab = Watched.new(signed_in)
    for key, review in zip(("-", "="), reviews, strict=True):
        tab.open(f"{page_of(review)}?focus=1")
        press(tab, f"r {key}")
        expect(tab.page.locator("#undo")).to_contain_text("rejected")
        tab.page.wait_for_url("**focus=1**" if review is reviews[0] else "**/review/next/**")
    steps = ReviewStep.objects.of(world.owner.id).order_by("at")
    assert [step.reason_code for step in steps] == ["superseded_by_newer", "field_not_allowed"]


def test_the_sheet_names_only_what_works_here(desk: Desk, signed_in: BrowserContext) -> None:
    review = Reviewing(desk).allergy()
    tab = Watched.new(signed_in)
    tab.open(page_of(review))
    press(tab, "?")
    sheet = tab.page.locator("#keyboard-sheet")
    expect(sheet).to_contain_text("reject, for the reason of this key")
    expect(sheet.get_by_text("tick all of the page")).to_be_hidden()
    tab.open("/review/")
    press(tab, "?")
    expect(sheet.get_by_text("tick all of the page")).to_be_visible()
    expect(sheet.get_by_text("review: later, skip")).to_be_hidden()
