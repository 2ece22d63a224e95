from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from memoryhub.changes.deciding import reject
from memoryhub.changes.undoing import undo
from memoryhub.models import AuditEntry, FieldVersion, Review, ReviewStep, Tombstone
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, decider, reviewer

BULK = "/review/bulk/"
DECIDE = "/review/bulk/decide/"


def confirm(desk: Desk, action: str, *ticked: Review, **query: str) -> Any:
    items = [f"{review.owner_id}:{review.id}" for review in ticked]
    return desk.client().get(BULK, {"action": action, "which": "ticked", "item": items, **query})


def items_of(response: Any) -> list[str]:
    return re.findall(r'name="item" value="([^"]+)"', response.content.decode())


def send(desk: Desk, response: Any, action: str, **data: str) -> Any:
    return desk.client().post(DECIDE, {"action": action, "item": items_of(response), **data})


def states(world: Reviewing) -> list[str]:
    return list(
        Review.objects.of(world.owner.id).order_by("created_at", "id").values_list("outcome", flat=True)
    )


def test_the_ticked_are_approved_each_by_itself(desk: Desk) -> None:
    world = Reviewing(desk)
    first, second, third = (world.allergy(value) for value in ("坚果", "花生", "芝麻"))
    page = confirm(desk, "approve", first, second)
    assert "Approve 2 reviews?" in page.content.decode()
    assert len(items_of(page)) == 2
    answer = send(desk, page, "approve")
    assert "2 approved" in answer.content.decode()
    assert states(world) == ["approved", "approved", ""]
    values = FieldVersion.objects.of(world.owner.id).filter(status="active")
    assert set(values.values_list("value", flat=True)) == {"坚果", "花生"}
    assert third.state == "open"


def test_what_was_approved_together_is_rolled_back_with_one_click(desk: Desk) -> None:
    world = Reviewing(desk)
    ticked = [world.allergy(value) for value in ("坚果", "花生")]
    answer = send(desk, confirm(desk, "approve", *ticked), "approve")
    button = answer.context["button"]
    assert button.label == "Roll 2 values back" and button.label in answer.content.decode()
    desk.client().post(reverse("reviews:rollback_execute"), {"scope": button.scope, "digest": button.digest})
    assert not FieldVersion.objects.of(world.owner.id).filter(status="active").exists()
    entries = AuditEntry.objects.filter(action="review.approve", owner_id=world.owner.id)
    (batch,) = {entry.request_id for entry in entries}
    assert batch and entries.count() == 2


def test_a_rejection_has_nothing_to_roll_back(desk: Desk) -> None:
    world = Reviewing(desk)
    page = confirm(desk, "reject", world.allergy())
    assert send(desk, page, "reject", reason="duplicate").context["button"] is None


def test_succeeded_and_failed_are_listed_apart(desk: Desk) -> None:
    world = Reviewing(desk)
    first, second = world.allergy("坚果"), world.allergy("花生")
    page = confirm(desk, "reject", first, second)
    reject(decider=decider(reviewer(desk), second), reason_code="duplicate")
    answer = send(desk, page, "reject", reason="joke_or_sarcasm")
    text = answer.content.decode()
    assert "1 rejected" in text and "1 not decided" in text and "it has moved since" in text
    assert [row.item.review_id for row in answer.context["done"]] == [first.id]
    assert ReviewStep.objects.of(world.owner.id).get(review_id=first.id).reason_code == "joke_or_sarcasm"


def test_everything_in_the_view_except_the_ticked(desk: Desk) -> None:
    world, other = Reviewing(desk), Reviewing(desk, ref="user-2")
    kept, taken, foreign = world.allergy("坚果"), world.allergy("花生"), other.allergy()
    query = f"tab=all&agent={world.source.agent_id}"
    page = confirm(desk, "approve", kept, which="all", query=query)
    assert [item.split(":")[1] for item in items_of(page)] == [str(taken.id)]
    assert str(foreign.id) not in page.content.decode()


def test_the_highest_class_is_left_out_and_refused(desk: Desk) -> None:
    world = Reviewing(desk)
    rule, plain = world.rule(), world.allergy()
    page = confirm(desk, "approve", rule, plain)
    assert "left out" in page.content.decode()
    assert len(items_of(page)) == 1
    assert confirm(desk, "approve", rule).status_code == 422
    item = f"{rule.owner_id}:{rule.id}:1:token"
    answer = desk.client().post(DECIDE, {"action": "approve", "item": [item]})
    assert answer.status_code == 422
    assert "one by one" in answer.content.decode()
    assert states(world)[0] == ""


def test_the_cap_is_held_at_both_doors(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    world = Reviewing(desk)
    for number in range(4):
        world.allergy(f"food {number}")
    monkeypatch.setattr("reviews.queries.review_bulk.CAP", 3)
    monkeypatch.setattr("reviews.views.review_bulk.CAP", 3)
    page = confirm(desk, "approve", which="all", query="tab=all")
    assert page.status_code == 422
    assert "More than 3 match" in page.content.decode()
    items = [f"{row.owner_id}:{row.id}:1:t" for row in Review.objects.of(world.owner.id)]
    assert desk.client().post(DECIDE, {"action": "approve", "item": items}).status_code == 400
    assert set(states(world)) == {""}


def test_what_cannot_be_read_is_refused(desk: Desk) -> None:
    for query in ({"action": "dance"}, {"action": "approve", "item": "x:y"}):
        assert desk.client().get(BULK, query).status_code == 400
    assert desk.client().get(BULK, {"action": "approve"}).status_code == 422
    assert desk.client().post(DECIDE, {"action": "approve", "item": ["1"]}).status_code == 400
    assert desk.client(desk.viewer).get(BULK, {"action": "approve"}).status_code == 403


def test_another_workspaces_review_is_not_there(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    item = f"{review.owner_id}:{review.id}:1:t"
    stranger = desk.client(desk.stranger)
    answer = stranger.post(reverse("reviews:review_bulk_decide"), {"action": "approve", "item": [item]})
    assert answer.status_code == 422
    assert "not there any more" in answer.content.decode()


def test_everything_rejected_together_is_taken_back_with_one_undo(desk: Desk) -> None:
    world = Reviewing(desk)
    client = desk.client()
    items = items_of(confirm(desk, "reject", world.allergy("坚果"), world.allergy("花生")))
    answer = client.post(DECIDE, {"action": "reject", "reason": "duplicate", "item": items})
    assert "Undo all 2 until" in answer.content.decode()
    assert "Undo all 2 until" in client.get("/review/?tab=all").content.decode()
    undone = client.post("/review/bulk/undo/")
    assert undone.status_code == 200
    assert "2 decisions taken back" in undone.content.decode()
    assert states(world) == ["", ""]
    assert not Tombstone.objects.of(world.owner.id).filter(lifted_at=None).exists()
    assert "Undo all" not in client.get("/review/?tab=all").content.decode()


def test_what_cannot_be_taken_back_is_listed_with_its_reason(desk: Desk) -> None:
    world = Reviewing(desk)
    client = desk.client()
    first, second = world.allergy("坚果"), world.allergy("花生")
    items = items_of(confirm(desk, "reject", first, second))
    client.post(DECIDE, {"action": "reject", "reason": "duplicate", "item": items})
    undo(decider=decider(desk.operator, Review.objects.of(world.owner.id).get(id=first.id)))
    text = client.post("/review/bulk/undo/").content.decode()
    assert "1 decision taken back" in text and "1 not taken back" in text
    assert "the time to undo is over" in text


def test_the_undo_of_many_ends_with_its_time_and_is_the_persons_own(desk: Desk) -> None:
    world = Reviewing(desk)
    client = desk.client()
    items = items_of(confirm(desk, "reject", world.allergy("坚果"), world.allergy("花生")))
    assert client.post("/review/bulk/undo/").status_code == 302
    client.post(DECIDE, {"action": "reject", "reason": "duplicate", "item": items})
    assert desk.client().post("/review/bulk/undo/").status_code == 302
    session = client.session
    session["undo_batch"] = {**session["undo_batch"], "until": "2026-01-01T00:00:00+00:00"}
    session.save()
    assert client.post("/review/bulk/undo/").status_code == 302
    assert states(world) == ["rejected", "rejected"]


def test_an_approval_of_many_is_rolled_back_and_not_undone(desk: Desk) -> None:
    world = Reviewing(desk)
    answer = send(desk, confirm(desk, "approve", world.allergy()), "approve")
    assert answer.context["undo_many"] is None
