"""Suspects are ranked by signals that are shown; harmful feedback asks a person at once."""

from __future__ import annotations

from uuid import UUID

import pytest

from memoryhub.changes.feedback import record_feedback
from memoryhub.changes.suspects import WEIGHTS, suspects
from memoryhub.models import Change, Review
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from tests.changes.world import World


def ask(world: World, query: str = "where is the office") -> UUID:
    answer = recall(
        workspace_id=world.workspace.id,
        owner_id=world.owner,
        request=RecallRequest(query=query),
        caller=Caller(agent_id=world.good.agent_id),
    )
    assert answer.recall_id is not None
    return answer.recall_id


def signals(world: World) -> dict[object, set[str]]:
    found = suspects(workspace_id=world.workspace.id)
    return {entry.text: {signal.code for signal in entry.signals} for entry in found}


def test_harmful_feedback_opens_a_recheck_once_and_ranks_first(world: World) -> None:
    target = world.say("The office is on the moon", by=world.bad).target_id
    assert target is not None
    recall_id = ask(world)
    said = {
        "workspace_id": world.workspace.id,
        "owner_id": world.owner,
        "recall_id": recall_id,
        "verdicts": [(target, "harmful")],
        "agent_id": world.good.agent_id,
    }
    first = record_feedback(**said)  # type: ignore[arg-type]
    assert first.recorded == 1
    review = Review.objects.of(world.owner).get(kind="recheck")
    assert (review.id,) == first.review_ids
    assert review.change.target_id == target
    again = record_feedback(**said)  # type: ignore[arg-type]
    assert (again.recorded, again.review_ids) == (0, ())
    [suspect] = suspects(workspace_id=world.workspace.id)
    assert suspect.id == target
    assert suspect.signals[0].code == "harmful_feedback"
    assert suspect.score == pytest.approx(sum(signal.weight for signal in suspect.signals))


def test_served_often_but_never_used(world: World) -> None:
    target = world.say("The office is on the moon", by=world.bad).target_id
    assert target is not None
    recalls = [ask(world) for _ in range(5)]
    assert signals(world) == {"The office is on the moon": {"served_never_used"}}
    record_feedback(
        workspace_id=world.workspace.id,
        owner_id=world.owner,
        recall_id=recalls[0],
        verdicts=[(target, "used")],
        agent_id=None,
    )
    assert signals(world) == {}


def test_a_value_that_a_later_event_contradicts(world: World) -> None:
    world.field(100, by=world.good)
    event = world.event("my budget is 900", by=world.bad, at=1)
    change = world.field(900, by=world.bad, at=1, confidence=0.7, evidence_event_id=event)
    assert change.outcome == "in_review"
    assert signals(world) == {100: {"contradicted_later"}}


def test_an_agent_whose_proposals_are_often_rejected(world: World) -> None:
    world.say("The office is on the moon", by=world.bad)
    for number in range(3):
        world.field(number + 1, by=world.bad, importance=0.9, at=number)
    waiting = Change.objects.of(world.owner).filter(state="proposed")
    assert waiting.update(state="rejected") == 3
    assert signals(world) == {"The office is on the moon": {"proposer_often_rejected"}}


def test_what_was_rolled_back_is_no_suspect(world: World) -> None:
    world.say("The office is on the moon", by=world.bad)
    for _ in range(5):
        ask(world)
    world.roll_back(agent_id=world.bad.agent_id)
    assert signals(world) == {}


def test_every_signal_has_a_weight_that_is_a_share() -> None:
    assert all(0 < weight <= 1 for weight in WEIGHTS.values())
