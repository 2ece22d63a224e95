"""Every recall lays what it told out in rows, by the database itself."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memoryhub.database.purge import purge
from memoryhub.database.scope import scope
from memoryhub.models import Owner, Recall, RecallServed, new_id
from tests.builders import make_owner, make_source, make_workspace


def told(owner: Owner, *lines: dict[str, Any]) -> Recall:
    with scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="recall", write=True):
        return Recall.objects.create(owner=owner, workspace_id=owner.workspace_id, served=list(lines))


def line(*ids: UUID, kind: str = "item", tokens: int = 12) -> dict[str, Any]:
    return {"kind": kind, "ids": [str(row_id) for row_id in ids], "tokens": tokens}


def rows(owner: Owner) -> list[tuple[Any, ...]]:
    found = RecallServed.objects.of(owner.id).order_by("rank", "target_id")
    return list(found.values_list("target_id", "kind", "rank", "tokens"))


def test_each_memory_of_each_line_has_its_row(db: None) -> None:
    owner = make_owner(make_source(make_workspace()))
    one, two, three = sorted(new_id() for _ in range(3))
    recall = told(owner, line(one, tokens=5), line(two, three, kind="event", tokens=9))
    assert rows(owner) == [(one, "item", 1, 5), (two, "event", 2, 9), (three, "event", 2, 9)]
    first = RecallServed.objects.of(owner.id)[0]
    assert (first.recall_id, first.at, first.workspace_id) == (
        recall.id,
        recall.created_at,
        owner.workspace_id,
    )


def test_a_memory_that_is_told_twice_stands_once_at_its_best_rank(db: None) -> None:
    owner, memory = make_owner(make_source(make_workspace())), new_id()
    told(owner, line(new_id()), line(memory), line(memory))
    assert [rank for target, _kind, rank, _tokens in rows(owner) if target == memory] == [2]


def test_a_recall_that_told_nothing_has_no_row(db: None) -> None:
    owner = make_owner(make_source(make_workspace()))
    told(owner)
    told(owner, {"kind": "item"}, {"kind": "item", "ids": []})
    assert rows(owner) == []


def test_the_rows_go_with_their_owner(db: None) -> None:
    owner = make_owner(make_source(make_workspace()))
    told(owner, line(new_id()))
    with scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="purge"):
        counts = purge(owner_id=owner.id, reason="test_data")
    assert (counts["recall"], counts["recallserved"]) == (1, 1)
    assert not RecallServed.objects.of(owner.id).exists()
