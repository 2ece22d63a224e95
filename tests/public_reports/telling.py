"""Telling an owner's turns through the whole write path, and asking them back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from memoryhub.models import Event, FieldVersion, MemoryItem, Owner
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from tests.jobs.waiting import work_off_the_queue

START = datetime(2025, 3, 1, 12, tzinfo=UTC)


def tell(owner: Owner, source: Source, *contents: str, **given: Any) -> list[Event]:
    """Record turns of the owner, an hour apart unless a time is given, and process them; the events as they are then."""
    told = {"occurred_at": START} | given
    events = [
        NewEvent(content=text, **told | {"occurred_at": told["occurred_at"] + number * timedelta(hours=1)})
        for number, text in enumerate(contents)
    ]
    batch = record_events(owner_id=owner.id, events=events, source=source)
    work_off_the_queue()
    ids = [result.event_id for result in batch.results if result.event_id]
    by_id = {event.id: event for event in Event.objects.of(owner.id).filter(id__in=ids)}
    return [by_id[event_id] for event_id in ids]


def outcomes(event: Event) -> list[str]:
    return [verdict["outcome"] for verdict in event.outcome]


def recalled(owner: Owner, source: Source, query: str, **asked: Any) -> str:
    """The block an agent is given for a question."""
    answer = recall(
        workspace_id=source.workspace_id,
        owner_id=owner.id,
        request=RecallRequest(query=query, **asked),
        caller=Caller(agent_id=source.agent_id, api_key_id=source.api_key_id),
    )
    return answer.text


def active_items(owner: Owner) -> list[MemoryItem]:
    return list(MemoryItem.objects.of(owner.id).filter(status="active").order_by("seq"))


def chain(owner: Owner, field: str) -> Sequence[tuple[object, str]]:
    """Value and status of every version of a field, in order of arrival."""
    rows = FieldVersion.objects.of(owner.id).filter(field__name=field).order_by("version")
    return [(row.value, row.status) for row in rows]
