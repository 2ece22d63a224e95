from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryhub.changes.postponing import escalate, skip
from memoryhub.models import Review
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, decider, page_of, reviewer

NEXT = "/review/next/"


def holder(review: Review) -> int | None:
    return Review.objects.of(review.owner_id).get(id=review.id).claimed_by_id


def test_the_next_is_claimed_and_opened(desk: Desk) -> None:
    world = Reviewing(desk)
    plain, rule = world.allergy(), world.rule()
    client, rita = desk.client(), desk.client(reviewer(desk))
    assert client.get(NEXT)["Location"] == f"{page_of(rule)}?focus=1"
    assert holder(rule) == desk.operator.pk
    assert rita.get(NEXT)["Location"] == f"{page_of(plain)}?focus=1"
    assert client.get(f"{NEXT}?after={rule.id}").status_code == 200


def test_all_done_tells_what_was_done_today_and_who_holds_the_rest(desk: Desk) -> None:
    world, rita = Reviewing(desk), reviewer(desk)
    done, held = world.allergy(), world.allergy("花生")
    skip(decider=decider(desk.operator, done))
    Review.objects.of(world.owner.id).filter(id=held.id).update(
        claimed_by_id=rita.pk, claim_expires_at=timezone.now() + timedelta(minutes=3)
    )
    page = desk.client().get(NEXT).content.decode()
    assert "All done" in page and "skipped" in page
    Review.objects.of(world.owner.id).filter(id=done.id).update(
        claimed_by_id=rita.pk, claim_expires_at=timezone.now() + timedelta(minutes=3)
    )
    page = desk.client().get(NEXT).content.decode()
    assert "Others work on the rest" in page and "rita" in page


@pytest.mark.parametrize("case", ["own", "escalated", "deferred"])
def test_what_is_not_for_this_person_is_not_offered(desk: Desk, case: str) -> None:
    world = Reviewing(desk, responsible=desk.operator if case == "own" else None)
    review = world.allergy()
    if case == "escalated":
        escalate(decider=decider(desk.operator, review, note="look"))
    elif case == "deferred":
        Review.objects.of(world.owner.id).update(state="deferred")
    assert desk.client().get(NEXT).status_code == 200
    if case != "deferred":
        assert desk.client(reviewer(desk)).get(NEXT).status_code == 302


def test_taking_renewing_and_losing(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    client, rita = desk.client(), desk.client(reviewer(desk))
    address = page_of(review, "review_claim")
    assert client.post(address)["Location"] == f"{page_of(review)}?focus=1"
    assert client.post(address, {"quiet": "1"}).status_code == 204
    assert rita.post(address, {"quiet": "1"}).status_code == 409
    assert rita.post(address)["Location"] == page_of(review)
    Review.objects.of(review.owner_id).update(claim_expires_at=timezone.now() - timedelta(seconds=1))
    assert rita.post(address, {"quiet": "1"}).status_code == 204


def test_giving_back_and_leaving(desk: Desk) -> None:
    world = Reviewing(desk)
    first, second = world.allergy(), world.allergy("花生")
    client = desk.client()
    for review in (first, second):
        client.post(page_of(review, "review_claim"))
    assert client.post(page_of(first, "review_release"), {"quiet": "1"}).status_code == 204
    assert (holder(first), holder(second)) == (None, desk.operator.pk)
    client.post(page_of(first, "review_claim"))
    assert client.post(page_of(first, "review_release") + "?tab=all")["Location"] == "/review/?tab=all"
    client.post("/logout/")
    assert holder(second) is None
