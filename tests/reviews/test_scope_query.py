"""A rollback scope survives its query string, and nothing unreadable falls away."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.http import QueryDict

from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import new_id
from reviews.scope_query import ScopeForm, as_query
from tests.reviews.conftest import Desk
from tests.reviews.poisoned import poison


def read(query: str, desk: Desk) -> ScopeForm:
    form = ScopeForm(QueryDict(query), workspace=desk.workspace)
    form.is_valid()
    return form


def test_a_scope_comes_back_as_it_went(desk: Desk) -> None:
    told = poison(desk.workspace)
    scope = RollbackScope(
        owner_ids=(told.owner.id,),
        agent_id=told.bad.agent_id,
        session_ref="a&b=c 会话",
        change_ids=(new_id(), new_id()),
        change_set_ids=(new_id(),),
        event_ids=(new_id(),),
        target_ids=(new_id(),),
        restore_id=new_id(),
        text="100 % + 1",
        since=datetime(2026, 11, 1, 9, 12, 30, 5, tzinfo=UTC),
        until=datetime(2026, 11, 2, tzinfo=UTC),
    )
    form = read(as_query(scope, incident=str(new_id())), desk)
    assert form.errors == {}
    assert form.scope == scope


def test_an_owner_is_typed_by_reference_and_shown_by_it(desk: Desk) -> None:
    told = poison(desk.workspace)
    by_ref, by_id = read(f"owner={told.owner.ref}", desk), read(f"owner={told.owner.id}", desk)
    assert by_ref.scope == by_id.scope == RollbackScope(owner_ids=(told.owner.id,))
    assert told.owner.ref in str(by_id["owner"])


@pytest.mark.parametrize(
    "query",
    [
        "since=yesterday",
        "since=0001-01-01T00:00%2B10:00",
        "until=9999-12-31T23:59-12:00",
        "event=x",
        "event=",
        "memory=1&memory=2",
        "restore=x",
        "agent=00000000-0000-0000-0000-000000000000",
        "key=x",
        "owner=nobody",
        "text=" + "x" * 201,
    ],
)
def test_what_cannot_be_read_is_an_error_and_never_a_wider_scope(desk: Desk, query: str) -> None:
    form = read(query, desk)
    assert not form.is_given or not form.is_valid()


def test_local_times_are_in_the_zone_of_the_workspace(desk: Desk) -> None:
    form = read("since=2026-07-01T10:00", desk)
    assert form.scope.since == datetime(2026, 7, 1, 9, 0, tzinfo=UTC)
    assert 'value="2026-07-01T10:00"' in str(form["since"])
    again = read("since=2026-07-01T09:00:00%2B00:00", desk)
    assert 'value="2026-07-01T10:00"' in str(again["since"])
