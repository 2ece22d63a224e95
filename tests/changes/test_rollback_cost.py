"""What a rollback costs: statements that do not grow with its items, and two seconds for fifty."""

from __future__ import annotations

import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.changes.derivations import derive_item
from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from tests.changes.world import PERSON, World

MOST_SECONDS = 2.0


def poison(world: World, count: int) -> None:
    """`count` changes of which a fifth supersedes an honest value, and one conclusion."""
    for number in range(count // 5):
        world.field(1, by=world.good, subject=f"p{number}")
        world.field(666, by=world.bad, at=1, subject=f"p{number}")
    said = [world.say(f"Nonsense number {n}", by=world.bad).target_id for n in range(count - count // 5)]
    derive_item(
        workspace_id=world.workspace.id,
        owner_id=world.owner,
        content="All is nonsense",
        source_item_ids=[row for row in said[:10] if row],
    )


def cost(world: World) -> tuple[int, int, float]:
    """Statements of the plan, statements of the execution, seconds of the execution."""
    scope = RollbackScope(agent_id=world.bad.agent_id)
    with CaptureQueriesContext(connection) as planning:
        plan = plan_rollback(workspace_id=world.workspace.id, scope=scope)
    began = time.monotonic()
    with CaptureQueriesContext(connection) as executing:
        result = execute_rollback(
            workspace_id=world.workspace.id, scope=plan.scope, digest=plan.digest, user_id=PERSON
        )
    assert result.job_id is None
    return len(planning), len(executing), time.monotonic() - began


@pytest.mark.django_db
@pytest.mark.slow
def test_fifty_and_five_hundred_cost_the_same_statements() -> None:
    few, many = World(), World()
    poison(few, 50)
    poison(many, 499)
    planned, executed, seconds = cost(few)
    planned_many, executed_many, _ = cost(many)
    assert abs(planned - planned_many) <= 5
    assert abs(executed - executed_many) <= 5
    assert seconds <= MOST_SECONDS
    assert (few.values(), few.sentences()) == ([1] * 10, [])
    assert (many.values(), many.sentences()) == ([1] * 99, [])
