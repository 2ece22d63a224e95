"""Several people press Roll back at one moment: it happens once."""

from __future__ import annotations

from memoryhub.changes.reverting import RollbackResult, execute_rollback
from memoryhub.exceptions import RollbackMoved
from memoryhub.models import ChangeSet
from tests.changes.world import PERSON, World
from tests.threads import at_once


def test_of_many_executions_of_one_preview_one_takes_effect(committing_db: str) -> None:
    world = World()
    world.field(1, by=world.good)
    world.field(666, by=world.bad, at=1)
    plan = world.plan(agent_id=world.bad.agent_id)

    def press(number: int) -> RollbackResult:
        return execute_rollback(
            workspace_id=world.workspace.id, scope=plan.scope, digest=plan.digest, user_id=PERSON + number
        )

    answers = at_once(6, press)
    done = [answer for answer in answers if isinstance(answer, RollbackResult)]
    refused = [answer for answer in answers if isinstance(answer, RollbackMoved)]
    assert (len(done), len(refused)) == (1, 5), answers
    assert world.values() == [1]
    assert ChangeSet.objects.of(world.owner).filter(act="rollback").count() == 1
