"""Walks through the review pages in a browser: by keyboard, two people at once, without scripts, on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import expect

from memoryhub.keys import mint_key
from memoryhub.models import Agent, FieldVersion, Review
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.structured import write_field
from tests.programs import wait_until
from tests.reviews.browsing import PHONE, Watched, sign_in
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import JOKE, QUOTE, Reviewing, page_of, reviewer

if TYPE_CHECKING:
    from uuid import UUID

    from playwright.sync_api import Browser

    from tests.conftest import LiveServer

pytestmark = pytest.mark.browser


@contextmanager
def at_the_desk(browser: Browser, live_server: LiveServer, user: User, **options: Any) -> Iterator[Watched]:
    context = browser.new_context(base_url=live_server.url, **options)
    sign_in(context, live_server.url, user)
    yield Watched.new(context)
    context.close()


def look_again(tab: Watched) -> None:
    """What the page does every 15 seconds and whenever somebody comes back to it."""
    tab.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def claim_coffee(world: Reviewing, event: UUID) -> Verdict:
    return write_field(
        owner_id=world.owner.id,
        form_type="user_profile",
        field="allergies",
        value="咖啡",
        evidence_event_id=event,
        quote=QUOTE,
        source=world.source,
    )


def served(world: Reviewing) -> str:
    answer = recall(
        workspace_id=world.owner.workspace_id,
        owner_id=world.owner.id,
        request=RecallRequest(query="过敏 咖啡"),
        caller=Caller(agent_id=world.source.agent_id),
    )
    return " ".join(line.text for line in answer.served if line.kind != "event")


def told_over_rest(world: Reviewing) -> list[tuple[str, str]]:
    """Outcome and reason of the agent's reviews, as the agent reads them."""
    assert world.source.agent_id is not None
    agent = Agent.objects.get(id=world.source.agent_id)
    key = {"Authorization": f"Bearer {mint_key(agent=agent, trust_tier=2).token}"}
    rows = Client().get("/api/v1/reviews/", {"owner": world.owner.ref}, headers=key).json()["results"]
    return [(row["outcome"], row["reason_code"]) for row in rows]


def test_a_joke_is_rejected_by_keyboard_and_comes_back_as_regressed(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    world = Reviewing(desk, trust_tier=2)
    _asked, event, _noted = world.say("要不要来杯咖啡？", JOKE, "好的，我记下了")
    review = world.review_of(claim_coffee(world, event))
    with at_the_desk(browser, live_server, desk.operator) as tab:
        tab.open("/review/")
        tab.page.keyboard.press("n")
        tab.page.wait_for_url(f"**{page_of(review)}?focus=1**")
        expect(tab.page.locator("mark")).to_have_text(QUOTE)
        expect(tab.page.locator("main")).to_contain_text("要不要来杯咖啡")
        expect(tab.page.locator("text=you work on it")).to_be_visible()
        expect(tab.page.locator("text=好的，我记下了")).to_be_visible()
        tab.page.keyboard.press("i")
        expect(tab.page.locator("text=好的，我记下了")).to_be_hidden()
        tab.page.keyboard.press("r")
        tab.page.keyboard.press("3")
        tab.page.wait_for_url("**/review/next/**")
        expect(tab.page.locator("#undo")).to_be_visible()
        expect(tab.page.locator("h1")).to_contain_text("All done")
        assert tab.troubles == []
    review.refresh_from_db()
    assert (review.outcome, review.decided_by_id) == ("rejected", desk.operator.pk)
    assert told_over_rest(world) == [("rejected", "joke_or_sarcasm")]
    again = claim_coffee(world, event)
    assert (again.outcome, again.code) == ("refused", "rejected_before")
    (afresh,) = world.say(JOKE, session="s-2")
    verdict = claim_coffee(world, afresh)
    assert (verdict.outcome, verdict.code) == ("in_review", "regressed")
    assert world.review_of(verdict).is_regressed
    assert "咖啡" not in served(world)


def test_the_second_of_two_people_is_told_who_was_first_and_keeps_his_text(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    world, rita = Reviewing(desk), reviewer(desk)
    review = world.allergy()
    with (
        at_the_desk(browser, live_server, desk.operator) as first,
        at_the_desk(browser, live_server, rita) as second,
    ):
        for tab in (first, second):
            tab.open(page_of(review))
        look_again(first)
        expect(first.page.locator("#viewers")).to_have_text("rita has this open too")
        second.page.keyboard.press("e")
        second.page.locator("#edited").fill("my own long version")
        first.page.keyboard.press("r")
        first.page.keyboard.press("7")
        first.page.wait_for_url("**/review/next/**")
        look_again(second)
        expect(second.page.locator("#viewers")).to_contain_text("It has moved since this page was shown.")
        expect(second.page.locator("#edited")).to_have_value("my own long version")
        second.page.get_by_role("button", name="Approve this version").click()
        alert = second.page.locator("#conflict [role=alert]")
        expect(alert).to_contain_text("by olga")
        expect(alert).to_contain_text("already known")
        expect(second.page.locator("#edited")).to_have_value("my own long version")
        expect(second.page.locator("#request-error")).to_be_hidden()
        assert second.page.evaluate("window.violations") == []
    assert not FieldVersion.objects.of(world.owner.id).exists()


def test_keys_approve_undo_and_release(desk: Desk, browser: Browser, live_server: LiveServer) -> None:
    world = Reviewing(desk)
    first, second = world.allergy("坚果"), world.allergy("花生")
    with at_the_desk(browser, live_server, desk.operator) as tab:
        tab.open("/review/next/")
        for held in ("isComposing: true", "keyCode: 229", "repeat: true", "ctrlKey: true"):
            event = f"new KeyboardEvent('keydown', {{bubbles: true, key: 'a', {held}}})"
            tab.page.evaluate(f"document.body.dispatchEvent({event})")
        tab.page.keyboard.press("a")
        tab.page.keyboard.press("a")
        tab.page.wait_for_url(f"**{page_of(second)}?focus=1**")
        assert [state(first), state(second)] == ["approved", ""]
        tab.page.keyboard.press("z")
        tab.page.wait_for_url(lambda url: str(second.id) not in url and "focus" in url)
        assert not FieldVersion.objects.of(world.owner.id).filter(status="active").exists()
        tab.page.keyboard.press("u")
        tab.page.wait_for_url("**/review/")
        tab.page.locator("[data-row]").first.wait_for()
        claimed = Review.objects.of(world.owner.id).filter(claimed_by_id=desk.operator.pk)
        wait_until(lambda: not claimed.exists())
        assert tab.troubles == []


def state(review: Review) -> str:
    return Review.objects.of(review.owner_id).get(id=review.id).outcome


def test_leaving_the_page_gives_the_review_back(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    review = Reviewing(desk).allergy()
    with at_the_desk(browser, live_server, desk.operator) as tab:
        tab.open("/review/next/")
        review.refresh_from_db()
        assert review.claimed_by_id == desk.operator.pk
        tab.page.keyboard.press("g")
        tab.page.keyboard.press("o")
        tab.page.wait_for_url("**/owners/")
        given_back = Review.objects.of(review.owner_id).filter(id=review.id, claimed_by_id=None)
        wait_until(given_back.exists)


def test_everything_works_without_scripts_on_a_phone(
    desk: Desk, browser: Browser, live_server: LiveServer
) -> None:
    world = Reviewing(desk)
    review, other, third = (world.allergy(value) for value in ("坚果", "花生", "芝麻"))
    size = {"width": PHONE, "height": 800}
    with at_the_desk(browser, live_server, desk.operator, java_script_enabled=False, viewport=size) as tab:
        page = tab.page
        page.goto("/review/")
        page.get_by_role("link", name="Take the next").click()
        expect(page.locator("#proposal")).to_be_visible()
        expect(page.locator("#evidence")).to_be_hidden()
        page.locator("label[for=pane-evidence]").first.click()
        expect(page.locator("#evidence")).to_be_visible()
        expect(page.locator("#proposal")).to_be_hidden()
        page.locator("label[for=pane-decide]").first.click()
        page.locator("summary", has_text="Approve with an edit").click()
        page.locator("#edited").fill("坚果类")
        page.get_by_role("button", name="Compare first").click()
        expect(page.locator("#draft ins")).to_have_text("类")
        page.get_by_role("button", name="Approve this version").click()
        expect(page.locator("#undo")).to_contain_text("approved with an edit")
        page.locator("label[for=pane-decide]").first.click()
        page.locator("summary", has_text="Reject").click()
        page.get_by_role("button", name="joke or sarcasm").click()
        expect(page.locator("#undo")).to_contain_text("rejected")
        page.get_by_role("button", name="Undo until").click()
        expect(page.locator("main")).to_contain_text("waits again")
        page.goto("/review/?tab=all")
        page.locator("input[name=item]").first.check()
        page.get_by_role("button", name="Reject …").click()
        page.get_by_role("button", name="Reject them").click()
        expect(page.locator("main")).to_contain_text("1 rejected")
    assert state(review) == "edited"
    assert sorted([state(other), state(third)]) == ["", "rejected"]
