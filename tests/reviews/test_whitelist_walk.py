"""The whitelist and policy pages in a real browser: accessible, clean, whole, and the two walks through them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User

from memoryhub.writing.structured import write_memory
from tests.reviews.browsing import Watched, prefer, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.looks import in_looks, look
from tests.reviews.trial_pages import stock_trial, trial_pages
from tests.reviews.whitelist_pages import Stocked, approver, ask, stock, whitelist_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.conftest import LiveServer

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.deep
@in_looks(at_first=1)
def test_every_page_is_accessible_clean_and_fits(
    desk: Desk, browser: Browser, live_server: LiveServer, theme: str, width: int, language: str
) -> None:
    proposal = stock(desk).proposal
    context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 900})
    prefer(context, live_server.url, theme=theme, language=language)
    sign_in(context, live_server.url, desk.operator)
    tab = Watched.new(context)
    pages = whitelist_pages(desk.workspace, proposal.number) | trial_pages(stock_trial(desk))
    for name, address in pages.items():
        tab.open(address)
        look(tab, name, width)
    tab.open(whitelist_pages(desk.workspace, proposal.number)["field-edit"])
    tab.page.locator("#id_review_mode").select_option("gate")
    tab.page.locator("button[name=look]").click()
    tab.page.locator("#foresight").wait_for()
    look(tab, "field-looked", width)
    tab.page.locator("#id_aliases").fill("address")
    tab.page.locator("button[name=look]").click()
    tab.page.locator("#id_aliases_error").wait_for()
    look(tab, "field-refused", width)
    context.close()


def test_an_alias_from_a_miss_with_one_click_without_scripts(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    told = stock(desk)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    sign_in(context, live_server.url, desk.operator)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Whitelist").click()
    page.get_by_role("link", name="Asked for in vain").click()
    row = page.locator("tr", has=page.get_by_role("cell", name="burrow", exact=True))
    row.get_by_role("combobox").select_option(label="User profile · Home town")
    row.get_by_role("button", name="Make it an alias").click()
    assert "the next recall finds it" in page.get_by_role("status").inner_text()
    assert page.get_by_role("cell", name="burrow", exact=True).count() == 0
    page.goto(f"/owners/{told.owner.id}/recall/?q=What+is+my+burrow%3F")
    assert "dwelling in Leeds" in page.locator("#results").inner_text()
    ask(told.owner, "What is my burrow?")
    page.goto("/misses/")
    assert page.get_by_role("cell", name="burrow", exact=True).count() == 0
    context.close()


def test_a_policy_by_two_people_counts_from_the_next_write(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    told = stock(desk)
    anna = approver(desk)
    first, second = (browser.new_context(base_url=live_server.url) for _ in range(2))
    sign_in(first, live_server.url, anna)
    sign_in(second, live_server.url, _another(desk))
    page = first.new_page()
    page.goto("/policies/")
    page.get_by_role("link", name="Propose other numbers").click()
    page.get_by_label("Least confidence").fill("0.8")
    page.get_by_role("button", name="See what it would have changed").click()
    assert "fewer would be stored at once" in page.locator("#foresight").inner_text()
    page.get_by_label("Why").fill("Too much noise")
    page.get_by_role("button", name="Propose it").click()
    page.wait_for_url("**/policies/3/")
    assert "another person has to decide" in page.locator("main").inner_text()
    assert page.get_by_role("button", name="Approve").count() == 0
    assert write(told, "The tower has a bell") == "stored"
    _approve(second.new_page())
    assert write(told, "The tower has a clock") == "refused"
    page.reload()
    assert "in force" in page.locator(".page-head").inner_text()
    first.close()
    second.close()


def _approve(page: Page) -> None:
    page.goto("/policies/3/")
    page.get_by_label("Reason").fill("Agreed")
    page.get_by_role("button", name="Approve and put into force").click()
    page.get_by_role("status").wait_for()
    assert "The policy is in force" in page.get_by_role("status").inner_text()


def _another(desk: Desk) -> User:
    return approver(desk, "boris")


def write(told: Stocked, content: str) -> str:
    """The outcome of a sentence the agent is 0.7 sure of."""
    verdict = write_memory(
        owner_id=told.owner.id, content=content, item_kind="semantic", confidence=0.7, source=told.source
    )
    return verdict.outcome
