"""Conversations into a workspace, through the real path: recorded, read, settled, indexed, in the order they happened.

Every event has an idempotency key, so an import that was interrupted goes on where it stopped and a second one changes
nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import batched, groupby
from uuid import UUID

from django.utils import timezone

from memoryhub.database.owners import resolve_owner
from memoryhub.database.scope import scope
from memoryhub.evaluation.dialogues import Dialogue, DialogueTurn
from memoryhub.evaluation.event_lines import EventLine
from memoryhub.language.embedders import Embedder
from memoryhub.models import Agent, Owner, Workspace
from memoryhub.search_vectors import embed_missing
from memoryhub.search_windows import add_windows
from memoryhub.writing.pipeline import process_waiting_events
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source

BATCH = 100
VECTORS_AT_ONCE = 64
IMPORT_TIER = 3

type Progress = Callable[[str, int], None]
"""Told after each step: what was done ('turns' or 'vectors') and how many."""


@dataclass(kw_only=True, slots=True)
class Imported:
    """What became of the events: `event_ids` by idempotency key, of recorded and of known ones alike."""

    owner_id: UUID
    ref: str
    recorded: int = 0
    known: int = 0
    refused: list[str] = field(default_factory=list)
    event_ids: dict[str, UUID] = field(default_factory=dict)


def import_source(workspace: Workspace) -> Source:
    """Imports come from an agent of their own, at the tier of an ordinary trusted client."""
    agent, _ = Agent.objects.get_or_create(workspace=workspace, name="import")
    return Source(workspace_id=workspace.id, trust_tier=IMPORT_TIER, transport="command", agent_id=agent.id)


def import_dialogue(
    dialogue: Dialogue, *, source: Source, embedder: Embedder | None = None, progress: Progress | None = None
) -> Imported:
    """One conversation as the memory of one `project` owner; both speakers are heard as users."""
    owner = resolve_owner(workspace_id=source.workspace_id, ref=dialogue.name, kind="project", create=True)
    events = [_turn_event(turn) for turn in dialogue.turns]
    imported = Imported(owner_id=owner.id, ref=dialogue.name)
    _import_events(imported, events, source=source, embedder=embedder, progress=progress)
    return imported


def import_event_lines(
    lines: Iterable[EventLine], *, source: Source, progress: Progress | None = None
) -> list[Imported]:
    """Events of any number of owners; those of one owner should stand together in the file."""
    results: list[Imported] = []
    for ref, group in groupby(lines, key=lambda line: line.owner):
        owner = resolve_owner(workspace_id=source.workspace_id, ref=ref, create=True)
        events = [_line_event(line) for line in group]
        results.append(Imported(owner_id=owner.id, ref=ref))
        _import_events(results[-1], events, source=source, embedder=None, progress=progress)
    return results


def _turn_event(turn: DialogueTurn) -> NewEvent:
    return NewEvent(
        content=turn.text,
        occurred_at=turn.occurred_at,
        actor=turn.speaker,
        session_ref=turn.session,
        idempotency_key=turn.id,
    )


def _line_event(line: EventLine) -> NewEvent:
    digest = hashlib.sha256(line.model_dump_json().encode()).hexdigest()
    return NewEvent(
        content=line.content,
        occurred_at=line.occurred_at,
        role=line.role,
        actor=line.actor,
        subject=line.subject,
        action=line.action,
        session_ref=line.session,
        reason=line.reason,
        metadata=line.metadata,
        idempotency_key=line.key or f"line-{digest[:32]}",
    )


def _import_events(
    imported: Imported,
    events: Sequence[NewEvent],
    *,
    source: Source,
    embedder: Embedder | None,
    progress: Progress | None,
) -> None:
    for batch in batched(events, BATCH):
        ids = _record(batch, imported, source)
        process_waiting_events(workspace_id=source.workspace_id, owner_id=imported.owner_id, until=ids)
        if progress:
            progress("turns", len(batch))
    _index(source.workspace_id, imported, embedder, progress)


def _record(batch: Sequence[NewEvent], imported: Imported, source: Source) -> list[UUID]:
    recorded = record_events(owner_id=imported.owner_id, events=batch, source=source)
    ids = []
    for event, result in zip(batch, recorded.results, strict=True):
        if result.event_id is None:
            imported.refused.append(f"{event.idempotency_key}: {result.code}")
            continue
        imported.event_ids[str(event.idempotency_key)] = result.event_id
        ids.append(result.event_id)
        imported.recorded += result.status == "recorded"
        imported.known += result.status == "duplicate"
    return ids


def _index(
    workspace_id: UUID, imported: Imported, embedder: Embedder | None, progress: Progress | None
) -> None:
    """Windows and vectors. A conversation that is imported has ended, so its last turns need not wait to be idle."""
    event_ids = list(imported.event_ids.values())
    with scope(workspace_id=workspace_id, owners=[imported.owner_id], purpose="index", write=True):
        zone = Owner.objects.get(id=imported.owner_id).zone
        for batch in batched(event_ids, BATCH):
            add_windows(
                workspace_id=workspace_id,
                owner_id=imported.owner_id,
                event_ids=batch,
                zone=zone,
                idle_before=timezone.now(),
            )
    stored = 1
    while stored:
        stored = embed_missing(
            workspace_id=workspace_id, owner_id=imported.owner_id, limit=VECTORS_AT_ONCE, embedder=embedder
        ).stored
        if progress:
            progress("vectors", stored)
