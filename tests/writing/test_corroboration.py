"""Who else says so: independent witnesses, and repeats that are worth nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memoryhub.models import Change, MemoryItem, Owner, new_id
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.search_vectors import embed_missing
from memoryhub.writing.corroboration import Witness, corroboration, independent
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_memory
from tests.builders import make_source

A, B, C = new_id(), new_id(), new_id()
DAYS = [date(2026, 3, number) for number in range(1, 9)]
DAY = timedelta(days=1)
SAID = "The office is in Lisbon"

type Tell = Callable[..., UUID | None]


@pytest.mark.parametrize(
    ("told", "count"),
    [
        ([(A, "x", 0)], 1),
        ([(A, "x", 0), (A, "y", 1), (A, "z", 2)], 1),
        ([(A, "x", 0), (B, "x", 1)], 1),
        ([(A, "x", 0), (B, "y", 0)], 1),
        ([(A, "x", 0), (B, "y", 1)], 2),
        ([(A, "", 0), (B, "", 1), (C, "", 2)], 3),
        ([(A, "x", 0), (B, "y", 1), (C, "z", 2), (A, "w", 3)], 3),
    ],
)
def test_witnesses_differ_in_agent_document_and_day(told: list[tuple[UUID, str, int]], count: int) -> None:
    witnesses = [Witness(agent_id=agent, document=document, day=DAYS[day]) for agent, document, day in told]
    assert len(independent(witnesses)) == count


@pytest.fixture
def tell(owner: Owner, source: Source) -> Tell:
    """Say it `days_ago` as `role`, with the event as evidence; answers the id of the sentence."""

    def tell(*, days_ago: int, by: Source | None = None, role: str = "tool", **event: Any) -> UUID | None:
        writer = by or source
        told = NewEvent(content=SAID, role=role, occurred_at=timezone.now() - days_ago * DAY, **event)  # type: ignore[arg-type]
        recorded = record_event(owner_id=owner.id, event=told, source=writer)
        return write_memory(
            owner_id=owner.id,
            content=SAID,
            item_kind="semantic",
            evidence_event_id=recorded.results[0].event_id,
            quote=SAID,
            session_ref=event.get("session_ref", ""),
            source=writer,
        ).target_id

    return tell


def last_code(owner: Owner) -> str:
    return Change.objects.of(owner.id).latest("created_at").reason_code


def test_one_source_stays_one_witness_however_often_it_speaks(tell: Tell, owner: Owner) -> None:
    item_id = tell(days_ago=30, metadata={"document": "a"})
    for number in range(10):
        tell(days_ago=20 - number, metadata={"document": f"copy {number}"})
    assert item_id is not None
    assert corroboration(owner_id=owner.id, target_id=item_id) == 1
    assert MemoryItem.objects.of(owner.id).get().confirmations == 0
    assert last_code(owner) == "same_source"


def test_three_independent_sources_are_three_witnesses(tell: Tell, owner: Owner, source: Source) -> None:
    item_id = tell(days_ago=9, metadata={"document": "a"})
    for number in (1, 2):
        other = make_source(workspace_id=source.workspace_id)
        tell(days_ago=9 - number, by=other, metadata={"document": f"b{number}"})
    assert item_id is not None
    assert corroboration(owner_id=owner.id, target_id=item_id) == 3
    assert MemoryItem.objects.of(owner.id).get().confirmations == 2


def test_the_same_document_is_no_second_witness(tell: Tell, owner: Owner, source: Source) -> None:
    tell(days_ago=9, metadata={"document": "a"})
    tell(days_ago=5, by=make_source(workspace_id=source.workspace_id), metadata={"document": "a"})
    assert last_code(owner) == "same_source"


@pytest.mark.parametrize("tier", [1, 2])
def test_a_source_that_is_not_trusted_confirms_nothing(
    tell: Tell, owner: Owner, source: Source, tier: int
) -> None:
    tell(days_ago=9)
    tell(days_ago=5, by=make_source(workspace_id=source.workspace_id, trust_tier=tier))
    item = MemoryItem.objects.of(owner.id).get()
    assert (item.confirmations, item.last_confirmed_at, last_code(owner)) == (0, None, "lower_trust")


def test_what_an_agent_was_served_is_an_echo_when_it_says_it_again(
    tell: Tell, owner: Owner, source: Source
) -> None:
    first = make_source(workspace_id=source.workspace_id)
    item_id = tell(days_ago=9, by=first)
    embed_missing(workspace_id=source.workspace_id, owner_id=owner.id)
    request = RecallRequest(query="where is the office", session_ref="chat")
    told = recall(
        workspace_id=source.workspace_id,
        owner_id=owner.id,
        request=request,
        caller=Caller(agent_id=source.agent_id),
    )
    assert item_id in {entry.target_id for entry in told.served}
    tell(days_ago=0, role="assistant")
    assert last_code(owner) == "echo"
    tell(days_ago=0, by=make_source(workspace_id=source.workspace_id), session_ref="chat")
    assert last_code(owner) == "echo"
    item = MemoryItem.objects.of(owner.id).get()
    assert (item.confirmations, item.sources.count()) == (0, 0)


def test_the_owner_says_it_again_in_another_session(tell: Tell, owner: Owner, source: Source) -> None:
    tell(days_ago=9, role="user", session_ref="old")
    embed_missing(workspace_id=source.workspace_id, owner_id=owner.id)
    recall(
        workspace_id=source.workspace_id,
        owner_id=owner.id,
        request=RecallRequest(query="where is the office", session_ref="read to him"),
        caller=Caller(agent_id=source.agent_id),
    )
    tell(days_ago=0, role="user", session_ref="read to him")
    assert last_code(owner) == "echo"
    tell(days_ago=0, role="user", session_ref="new")
    item = MemoryItem.objects.of(owner.id).get()
    assert item.confirmations == 1
    assert item.last_confirmed_at is not None
    assert item.last_confirmed_at > datetime(2020, 1, 1, tzinfo=UTC)
