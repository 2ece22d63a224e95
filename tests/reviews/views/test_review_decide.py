from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from memoryhub.changes.coming_due import run_due
from memoryhub.changes.deciding import reject
from memoryhub.models import Change, FieldVersion, MemoryItem, Owner, Question, Review, ReviewStep, Tombstone
from reviews.zones import zone_named
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, decider, page_of, reviewer, shown

ALL_MOVES = {"approve", "edit", "defer", "escalate", "ask"}


def decide(desk: Desk, review: Review, **data: Any) -> Any:
    return desk.client().post(page_of(review, "review_decide"), {**shown(review), **data})


def state_of(review: Review) -> tuple[str, str]:
    found = Review.objects.of(review.owner_id).get(id=review.id)
    return found.state, found.outcome


def test_a_yes_writes_the_value_and_leads_to_the_next(desk: Desk) -> None:
    world = Reviewing(desk)
    review, other = world.allergy(), world.allergy("花生")
    response = decide(desk, review, action="approve")
    assert response["Location"].startswith("/review/next/")
    assert state_of(review) == ("decided", "approved")
    assert FieldVersion.objects.of(world.owner.id).get().value == "坚果"
    client = desk.client()
    assert client.get(response["Location"])["Location"] == f"{page_of(other)}?focus=1"


def test_the_filter_of_the_queue_is_kept_on_the_way(desk: Desk) -> None:
    world = Reviewing(desk)
    review, rule = world.allergy(), world.rule()
    address = page_of(review, "review_decide") + "?tab=all&field=rule"
    response = desk.client().post(address, {**shown(review), "action": "skip"})
    assert response["Location"].endswith("&tab=all&field=rule")
    assert (
        desk.client().get(response["Location"])["Location"] == f"{page_of(rule)}?focus=1&tab=all&field=rule"
    )


def test_a_no_gives_its_reason(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    decide(desk, review, action="reject", reason="joke_or_sarcasm")
    assert state_of(review) == ("decided", "rejected")
    assert ReviewStep.objects.of(review.owner_id).get().reason_code == "joke_or_sarcasm"


def test_another_reason_needs_words_and_keeps_none_lost(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    response = decide(desk, review, action="reject", reason="other")
    assert response.status_code == 422
    assert "Say it in words" in response.content.decode() or "say it in words" in response.content.decode()
    assert decide(desk, review, action="reject", reason="nonsense").status_code == 422
    assert state_of(review) == ("open", "")


def test_an_edit_is_compared_and_then_written(desk: Desk) -> None:
    world = Reviewing(desk)
    review = world.allergy()
    compared = decide(desk, review, action="compare", edited="坚果类", note="wider")
    assert compared.status_code == 200
    page = compared.content.decode()
    assert "坚果<ins>类</ins>" in page and 'value="wider"' in page
    assert state_of(review) == ("open", "")
    decide(desk, review, action="edit", edited="坚果类")
    assert FieldVersion.objects.of(world.owner.id).get().value == "坚果类"
    again = world.allergy("花生")
    assert decide(desk, again, action="edit", edited=" ").status_code == 422


def test_without_version_or_token_nothing_is_decided(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    client = desk.client()
    for given in ({"version": "", "token": "x"}, {"version": "1", "token": ""}, {"version": "one"}):
        response = client.post(page_of(review, "review_decide"), {**given, "action": "approve"})
        assert response.status_code == 422, given
    assert state_of(review) == ("open", "")


def test_whoever_is_late_learns_who_was_first_and_keeps_his_text(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    seen = shown(review)
    reject(decider=decider(reviewer(desk), review), reason_code="joke_or_sarcasm")
    data = {**seen, "action": "reject", "reason": "other", "note": "my long thought"}
    response = desk.client().post(page_of(review, "review_decide"), data)
    page = response.content.decode()
    assert response.status_code == 409
    assert 'role="alert"' in page and "by rita" in page and "joke or sarcasm" in page
    headers = {"HX-Request": "true"}
    fragment = desk.client().post(page_of(review, "review_decide"), data, headers=headers)
    assert fragment.status_code == 409
    assert "<html" not in fragment.content.decode() and 'role="alert"' in fragment.content.decode()


def test_a_page_that_moved_keeps_what_was_typed(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    seen = shown(review)
    Review.objects.of(review.owner_id).update(version=2)
    data = {**seen, "action": "edit", "edited": "my version", "note": "my long thought"}
    response = desk.client().post(page_of(review, "review_decide"), data)
    page = response.content.decode()
    assert response.status_code == 409
    assert "my version" in page and "my long thought" in page


def test_an_erased_owner_is_410_and_a_frozen_one_423(desk: Desk) -> None:
    world = Reviewing(desk)
    review = world.allergy()
    given = shown(review)
    address = page_of(review, "review_decide")
    Owner.objects.filter(id=world.owner.id).update(state="frozen")
    assert desk.client().post(address, {**given, "action": "approve"}).status_code == 423
    Owner.objects.filter(id=world.owner.id).update(state="erasing")
    assert desk.client().post(address, {**given, "action": "approve"}).status_code == 410


def test_roles(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    for name in ("review_decide", "review_claim", "review_release", "review_undo"):
        assert desk.client(desk.viewer).post(page_of(review, name)).status_code == 403
        assert desk.client(desk.stranger).post(page_of(review, name)).status_code == 404
    assert desk.client(desk.viewer).get("/review/next/").status_code == 403
    unknown = page_of(review, "review_decide").replace(str(review.id), str(uuid4()))
    assert desk.client().post(unknown, {"action": "approve"}).status_code == 404


@pytest.mark.parametrize(
    ("given", "state", "step"),
    [
        ({"action": "defer", "until": "day"}, "deferred", "defer"),
        ({"action": "escalate", "note": "look at the quote"}, "second_review", "escalate"),
        ({"action": "ask"}, "waiting_owner", "ask_owner"),
        ({"action": "skip"}, "open", "skip"),
    ],
)
def test_putting_it_off(desk: Desk, given: dict[str, str], state: str, step: str) -> None:
    review = Reviewing(desk).allergy()
    assert decide(desk, review, **given).status_code == 302
    assert state_of(review)[0] == state
    assert ReviewStep.objects.of(review.owner_id).get().action == step
    assert Question.objects.of(review.owner_id).count() == (step == "ask_owner")


def test_until_a_time_of_ones_own_in_the_workspaces_zone(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    london = zone_named(desk.workspace.time_zone)
    wanted = (timezone.now() + timedelta(days=3)).astimezone(london).replace(second=0, microsecond=0)
    decide(desk, review, action="defer", until="at", until_at=f"{wanted:%Y-%m-%dT%H:%M}")
    assert Review.objects.of(review.owner_id).get(id=review.id).deferred_until == wanted


@pytest.mark.parametrize(
    "given",
    [
        {"action": "defer", "until": "at"},
        {"action": "defer", "until": "at", "until_at": "tomorrow"},
        {"action": "defer", "until": "at", "until_at": "2020-01-01T10:00"},
        {"action": "defer", "until": "at", "until_at": "0001-01-01T00:00"},
        {"action": "defer", "until": "never"},
        {"action": "escalate"},
        {"action": "merge"},
        {"action": "dance"},
    ],
)
def test_what_is_missing_is_said(desk: Desk, given: dict[str, str]) -> None:
    review = Reviewing(desk).allergy()
    assert decide(desk, review, **given).status_code == 422
    assert state_of(review) == ("open", "")


@pytest.mark.parametrize(
    ("state", "allowed"),
    [
        ("deferred", {"defer"}),
        ("waiting_owner", set()),
        ("second_review", {"approve", "edit"}),
        ("open", ALL_MOVES),
    ],
)
def test_the_table_of_states_is_kept_and_the_page_offers_only_what_it_allows(
    desk: Desk, state: str, allowed: set[str]
) -> None:
    world = Reviewing(desk)
    rule = world.rule()
    Review.objects.of(world.owner.id).update(state=state)
    page = desk.client().get(page_of(rule)).content.decode()
    offered = {action for action in ALL_MOVES if re.search(rf'value="{action}"(?! disabled)', page)}
    assert offered == allowed
    for action in ALL_MOVES - allowed:
        response = decide(desk, rule, action=action, note="x", until="day", edited="x")
        assert (response.status_code, state_of(rule)[0]) == (409, state), action
    for action in sorted(allowed)[:1]:
        assert decide(desk, rule, action=action, note="x", until="day").status_code == 302


def test_merging_into_another_proposal(desk: Desk) -> None:
    world = Reviewing(desk)
    review, other = world.allergy(), world.allergy("各种坚果")
    decide(desk, review, action="merge", into=str(other.change_id))
    assert state_of(review) == ("decided", "merged")
    assert Change.objects.of(world.owner.id).get(id=review.change_id).state == "merged"


def test_the_highest_class_takes_two_people(desk: Desk) -> None:
    world = Reviewing(desk)
    review = world.rule()
    response = decide(desk, review, action="approve")
    assert desk.client().get(response["Location"]).status_code == 200
    assert state_of(review)[0] == "second_review"
    page = desk.client().get(page_of(review)).content.decode()
    assert "olga said yes first" in page and 'value="approve" disabled' in page
    assert decide(desk, review, action="approve").status_code == 403
    second = desk.client(reviewer(desk))
    second.post(page_of(review, "review_decide"), {**shown(review), "action": "approve"})
    assert state_of(review) == ("decided", "approved")
    assert "takes effect when" in second.get("/review/").content.decode()


def test_the_second_person_sees_the_text_the_first_one_left_and_agrees_to_it(desk: Desk) -> None:
    world = Reviewing(desk)
    review = world.rule()
    decide(desk, review, action="edit", edited="推荐里不能有花生")
    assert state_of(review)[0] == "second_review"
    second = desk.client(reviewer(desk))
    page = second.get(page_of(review)).content.decode()
    assert 'id="left"' in page and "What olga made of it" in page and ">推荐里不能有花生</textarea>" in page
    second.post(page_of(review, "review_decide"), {**shown(review), "action": "approve"})
    assert state_of(review) == ("decided", "edited")
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        run_due(workspace_id=desk.workspace.id, now=timezone.now())
    assert [row.value for row in FieldVersion.objects.of(world.owner.id)] == ["推荐里不能有花生"]


def test_an_edit_by_the_second_person_is_a_new_first_yes(desk: Desk) -> None:
    review = Reviewing(desk).rule()
    decide(desk, review, action="approve")
    rita = desk.client(reviewer(desk))
    assert 'value="edit"' in rita.get(page_of(review)).content.decode()
    given = {**shown(review), "action": "edit", "edited": "推荐里不能有花生"}
    assert rita.post(page_of(review, "review_decide"), given).status_code == 302
    assert state_of(review)[0] == "second_review"
    assert "rita said yes first" in desk.client().get(page_of(review)).content.decode()
    decide(desk, review, action="approve")
    assert state_of(review) == ("decided", "edited")


def test_a_live_value_is_reaffirmed_or_taken_back(desk: Desk) -> None:
    world = Reviewing(desk)
    good, bad = world.sample(world.live()), world.sample(world.live("He hates trains"), kind="recheck")
    decide(desk, good, action="approve")
    assert state_of(good) == ("decided", "reaffirmed")
    decide(desk, bad, action="reject", reason="joke_or_sarcasm")
    assert state_of(bad) == ("decided", "retracted")
    live = MemoryItem.objects.of(world.owner.id).filter(status="active")
    assert [item.content for item in live] == ["The office is in Lisbon"]
    assert Tombstone.objects.of(world.owner.id).exists()
    assert decide(desk, world.sample(world.live("x y z")), action="edit", edited="a").status_code == 422


def test_undo_within_a_minute(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    client = desk.client()
    client.post(
        page_of(review, "review_decide"), {**shown(review), "action": "reject", "reason": "duplicate"}
    )
    assert 'id="undo"' in client.get("/review/").content.decode()
    response = client.post(page_of(review, "review_undo"))
    assert response["Location"] == f"{page_of(review)}?focus=1"
    assert state_of(review) == ("open", "")
    assert 'id="undo"' not in client.get("/review/").content.decode()


def test_after_a_minute_the_offer_is_gone_and_undo_says_so(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    client = desk.client()
    client.post(
        page_of(review, "review_decide"), {**shown(review), "action": "reject", "reason": "duplicate"}
    )
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        assert 'id="undo"' not in client.get("/review/").content.decode()
        page = client.post(page_of(review, "review_undo"), follow=True).content.decode()
    assert "the time to undo is over" in page
    assert state_of(review) == ("decided", "rejected")
