"""Feedback is about what a recall served; harmful feedback asks a person at once."""

from __future__ import annotations

from uuid import UUID

import pytest

from memoryhub.changes.feedback import record_feedback
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.models import Recall, RecallFeedback, Review, new_id
from tests.changes.test_suspects import ask
from tests.changes.world import World


def test_feedback_is_about_what_the_recall_served(world: World) -> None:
    world.say("The office is on the moon", by=world.bad)
    recall_id = ask(world)
    target = UUID(Recall.objects.of(world.owner).get(id=recall_id).served[0]["id"])
    given = {"workspace_id": world.workspace.id, "owner_id": world.owner, "agent_id": None}
    with pytest.raises(InvalidInput):
        record_feedback(recall_id=recall_id, verdicts=[(new_id(), "used")], **given)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        record_feedback(recall_id=recall_id, verdicts=[(target, "nice")], **given)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        record_feedback(recall_id=new_id(), verdicts=[(target, "used")], **given)  # type: ignore[arg-type]


def test_a_restored_value_can_be_called_harmful_too(world: World) -> None:
    world.field(1, by=world.good)
    world.field(666, by=world.bad, at=1)
    world.roll_back(agent_id=world.bad.agent_id)
    recall_id = ask(world, "what is the budget")
    [line] = Recall.objects.of(world.owner).get(id=recall_id).served
    result = record_feedback(
        workspace_id=world.workspace.id,
        owner_id=world.owner,
        recall_id=recall_id,
        verdicts=[(UUID(line["id"]), "harmful")],
        agent_id=world.good.agent_id,
    )
    review = Review.objects.of(world.owner).get(id=result.review_ids[0])
    assert (review.kind, review.change.action, review.change.agent_id) == (
        "recheck",
        "create",
        world.good.agent_id,
    )
    assert RecallFeedback.objects.of(world.owner).count() == 1
