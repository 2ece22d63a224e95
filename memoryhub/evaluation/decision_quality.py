"""Scripted conversations told to a memory of their own, and what `/context/` shows at each checkpoint.

Every turn is recorded and processed by the services that the API uses. The conversation happened before now, its days apart,
so that nothing depends on the date of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched
from uuid import UUID

from django.utils import timezone

from memoryhub.database.owners import resolve_owner
from memoryhub.database.scope import scope
from memoryhub.evaluation.decision_baseline import Retrieved, retrieve
from memoryhub.evaluation.decision_judging import Verdict, judge
from memoryhub.evaluation.decisions import Conversation, Turn
from memoryhub.evaluation.importing import import_source
from memoryhub.language.embedders import Embedder
from memoryhub.models import Owner, Workspace
from memoryhub.recall.answers import Caller
from memoryhub.recall.context import context
from memoryhub.writing.pipeline import process_waiting_events
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source

AT_ONCE = 100
TURN_SPACING = timedelta(seconds=10)
"""So that a conversation of a hundred turns happens while what it says is fresh, as one that is going on does."""
_PLACES = {"zh": ("zh-hans", "Asia/Shanghai"), "en": ("en", "Europe/London")}


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """One checkpoint of a conversation: after which turn, and what became of it."""

    conversation: Conversation
    turn: int
    topic: str
    verdict: Verdict
    baseline: Retrieved


def evaluate_conversations(
    conversations: Sequence[Conversation],
    *,
    workspace: Workspace,
    embedder: Embedder,
    progress: Callable[[], None] = lambda: None,
) -> list[Checked]:
    """Every checkpoint of the conversations in order; `workspace` is an empty scratch one, `embedder` the baseline's."""
    source = import_source(workspace)
    checked: list[Checked] = []
    for conversation in conversations:
        checked += _play(conversation, source, embedder)
        progress()
    return checked


def _play(conversation: Conversation, source: Source, embedder: Embedder) -> Iterator[Checked]:
    owner_id = _owner_of(conversation, source)
    events = _events(conversation, ends_at=timezone.now() - TURN_SPACING)
    told = 0
    for point in conversation.checkpoints:
        _tell(events[told : point.turns], owner_id=owner_id, source=source)
        told = point.turns
        answer = context(
            workspace_id=source.workspace_id,
            owner_id=owner_id,
            caller=Caller(agent_id=source.agent_id),
            session_ref=events[told - 1].session_ref,
        )
        yield Checked(
            conversation=conversation,
            turn=told,
            topic=point.check.topic,
            verdict=judge(point.check, answer),
            baseline=retrieve(conversation, point, embedder=embedder),
        )


def _owner_of(conversation: Conversation, source: Source) -> UUID:
    owner_id = resolve_owner(workspace_id=source.workspace_id, ref=conversation.id, create=True).id
    locale, zone = _PLACES[conversation.language]
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="evaluation", write=True):
        Owner.objects.filter(id=owner_id).update(time_zone=zone, locale=locale)
    return owner_id


def _events(conversation: Conversation, *, ends_at: datetime) -> list[NewEvent]:
    """The turns ten seconds apart, the last one at `ends_at`; every day is a session of its own."""
    last = conversation.turns[-1].day
    return [
        _event(
            conversation,
            turn,
            ends_at - timedelta(days=last - turn.day) - (len(conversation.turns) - number) * TURN_SPACING,
        )
        for number, turn in enumerate(conversation.turns, 1)
    ]


def _event(conversation: Conversation, turn: Turn, occurred_at: datetime) -> NewEvent:
    return NewEvent(
        content=turn.text,
        role=turn.role,
        occurred_at=occurred_at,
        session_ref=f"{conversation.id}-day-{turn.day}",
    )


def _tell(events: Sequence[NewEvent], *, owner_id: UUID, source: Source) -> None:
    for batch in batched(events, AT_ONCE):
        recorded = record_events(owner_id=owner_id, events=batch, source=source)
        ids = [result.event_id for result in recorded.results if result.event_id is not None]
        process_waiting_events(workspace_id=source.workspace_id, owner_id=owner_id, until=ids)
