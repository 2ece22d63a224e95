"""'Just kidding' in the next turn takes back what the turn before it stated, and can itself be undone."""

from __future__ import annotations

import pytest

from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import ChangeSet, Owner
from memoryhub.writing.source import Source
from tests.public_reports.telling import active_items, chain, tell

pytestmark = pytest.mark.django_db

JOKES = [
    ("我叫蝙蝠侯", "开玩笑的", "name"),
    ("My name is Bartholomew", "Just kidding!", "name"),
    ("我住在无锡", "刚才那句是开玩笑的，别当真", "location"),
    ("I live in Ghent", "Forget what I just said.", "location"),
]


@pytest.mark.parametrize(("stated", "joke", "field"), JOKES)
def test_the_turn_before_is_taken_back_with_a_reason(
    owner: Owner, source: Source, stated: str, joke: str, field: str
) -> None:
    _, event = tell(owner, source, stated, joke, session_ref="one")
    assert [status for _, status in chain(owner, field)] == ["retracted"]
    assert active_items(owner) == []
    taken = next(verdict for verdict in event.outcome if verdict["code"] == "last_turn_undone")
    change_set = ChangeSet.objects.of(owner.id).get(id=taken["details"]["change_set"])
    assert change_set.reason.startswith("taken back in the next turn")


def test_what_was_taken_back_can_be_brought_back(owner: Owner, source: Source) -> None:
    _, event = tell(owner, source, "I live in Ghent", "just kidding", session_ref="one")
    taken = next(verdict for verdict in event.outcome if verdict["code"] == "last_turn_undone")
    scope = RollbackScope(change_set_ids=(taken["details"]["change_set"],), owner_ids=(owner.id,))
    plan = plan_rollback(workspace_id=source.workspace_id, scope=scope)
    execute_rollback(workspace_id=source.workspace_id, scope=plan.scope, digest=plan.digest, user_id=None)
    assert chain(owner, "location")[-1] == ("Ghent", "active")


@pytest.mark.parametrize(
    ("between", "sessions"), [((), ("one", "two")), (("I work for Acme",), ("one", "one"))]
)
def test_only_the_adjacent_turn_of_the_same_session_is_meant(
    owner: Owner, source: Source, between: tuple[str, ...], sessions: tuple[str, str]
) -> None:
    tell(owner, source, "I live in Ghent", *between, session_ref=sessions[0])
    tell(owner, source, "just kidding", session_ref=sessions[1])
    assert chain(owner, "location") == [("Ghent", "active")]
