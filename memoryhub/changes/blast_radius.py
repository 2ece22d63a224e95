"""From a source of pollution to every answer it reached: changes → values → what was derived → recalls → sessions and agents.

Recalls keep what they served, so this is a query and not a guess. A value that was rolled back is traced all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import connection

from memoryhub.changes.reverting_plan import resting_on
from memoryhub.changes.rollback_preview import said_by
from memoryhub.changes.rollback_scope import RollbackScope, traced
from memoryhub.changes.slot_history import MAKING
from memoryhub.changes.slots import Row, load_slots
from memoryhub.database.scope import Owners
from memoryhub.database.scope import scope as database_scope
from memoryhub.models import Agent, Change, Event, FieldVersion, MemoryItem

MOST_LINES = 10_000

type Via = Literal["value", "derived", "event"]

_SERVED = """
SELECT s.recall_id, s.owner_id, s.at, r.agent_id, r.session_ref, s.target_id, s.rank, s.tokens
FROM memoryhub_recallserved s JOIN memoryhub_recall r ON r.owner_id = s.owner_id AND r.id = s.recall_id
WHERE s.workspace_id = %(workspace)s AND s.at >= %(since)s AND s.target_id = ANY(%(ids)s)
ORDER BY s.at, s.recall_id, s.rank, s.target_id LIMIT %(most)s
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class TracedValue:
    """A value the source wrote, one derived from it, or the event it came from. `text` is the value, sentence or words."""

    id: UUID
    owner_id: UUID
    via: Via
    kind: str
    text: Any
    status: str
    at: datetime
    form_type: str = ""
    form_subject: str = ""
    field_name: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServedLine:
    """One line of one recall that told a traced value. `rank` counts from 1 within the answer."""

    recall_id: UUID
    owner_id: UUID
    at: datetime
    agent_id: UUID | None
    agent: str
    session_ref: str
    target_id: UUID
    via: Via
    rank: int
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class BlastRadius:
    """Everything reached. `is_cut` says that more than MOST_LINES lines were served and only the first are listed."""

    scope: RollbackScope
    changes: int
    values: tuple[TracedValue, ...]
    lines: tuple[ServedLine, ...]
    is_cut: bool

    @property
    def recall_ids(self) -> tuple[UUID, ...]:
        return tuple(dict.fromkeys(line.recall_id for line in self.lines))

    @property
    def sessions(self) -> tuple[tuple[str, int], ...]:
        """Sessions that received any of it, with how many recalls each, the most first."""
        return _counted(line.session_ref for line in self._first_lines() if line.session_ref)

    @property
    def agents(self) -> tuple[tuple[str, int], ...]:
        return _counted(line.agent for line in self._first_lines() if line.agent)

    @property
    def per_hour(self) -> tuple[tuple[datetime, int], ...]:
        """Recalls per hour (UTC hours in which there was one), oldest first."""
        hours = Counter(line.at.replace(minute=0, second=0, microsecond=0) for line in self._first_lines())
        return tuple(sorted(hours.items()))

    @property
    def tokens(self) -> int:
        return sum(line.tokens for line in self.lines)

    @property
    def first_at(self) -> datetime | None:
        return min((line.at for line in self.lines), default=None)

    @property
    def last_at(self) -> datetime | None:
        return max((line.at for line in self.lines), default=None)

    def _first_lines(self) -> list[ServedLine]:
        """One line per recall."""
        return list({line.recall_id: line for line in reversed(self.lines)}.values())[::-1]


def blast_radius(*, workspace_id: UUID, scope: RollbackScope) -> BlastRadius:
    """Trace everything under the scope, undone or not. A fixed number of statements. Raises InvalidInput for an empty scope."""
    scope.check()
    owners: Owners = list(scope.owner_ids) or "workspace"
    with database_scope(workspace_id=workspace_id, owners=owners, purpose="desk"):
        changes = list(traced(scope, workspace_id=workspace_id))
        values = [*_written(changes, scope), *_events(changes, scope, workspace_id)]
        values += _derived(values)
        lines = _lines(values, workspace_id)
    return BlastRadius(
        scope=scope,
        changes=len(changes),
        values=tuple(values),
        lines=tuple(lines[:MOST_LINES]),
        is_cut=len(lines) > MOST_LINES,
    )


def _written(changes: Sequence[Change], scope: RollbackScope) -> list[TracedValue]:
    """Every row that held what one of the changes wrote, restored copies included."""
    made = {change.target_id for change in changes if change.action in MAKING} | set(scope.target_ids)
    found = []
    for slot in load_slots(changes, extra_rows=scope.target_ids):
        roots = {slot.root_of[row_id] for row_id in slot.root_of if row_id in made}
        about = slot.changes[0] if slot.changes else None
        found += [_value(row, "value", about) for row in slot.rows if slot.root_of[row.id] in roots]
    return found


def _value(row: Row, via: Via, about: Change | None = None) -> TracedValue:
    return TracedValue(
        id=row.id,
        owner_id=row.owner_id,
        via=via,
        kind="field_version" if isinstance(row, FieldVersion) else "item",
        text=said_by(row),
        status=row.status,
        at=row.known_from,
        form_type=about.form_type if about else "",
        form_subject=about.form_subject if about else "",
        field_name=about.field_name if about else "",
    )


def _events(changes: Sequence[Change], scope: RollbackScope, workspace_id: UUID) -> list[TracedValue]:
    """The events the changes came from: their words may have been told as they were said."""
    ids = {change.event_id for change in changes if change.event_id} | set(scope.event_ids)
    owners = {change.owner_id for change in changes} | set(scope.owner_ids)
    if not ids:
        return []
    rows = Event.objects.filter(workspace_id=workspace_id, id__in=ids)
    rows = rows.filter(owner_id__in=owners) if owners else rows
    return [
        TracedValue(
            id=event.id,
            owner_id=event.owner_id,
            via="event",
            kind="event",
            text=event.content,
            status=event.state,
            at=event.recorded_at,
        )
        for event in rows
    ]


def _derived(values: Sequence[TracedValue]) -> list[TracedValue]:
    rows = [value.id for value in values if value.kind != "event"]
    owners = {value.owner_id for value in values}
    known = set(rows)
    items = MemoryItem.objects.filter(owner_id__in=owners, id__in=resting_on(rows, owners) - known)
    return [_value(item, "derived") for item in items]


def _lines(values: Sequence[TracedValue], workspace_id: UUID) -> list[ServedLine]:
    if not values:
        return []
    via: dict[UUID, Via] = {value.id: value.via for value in values}
    with connection.cursor() as cursor:
        cursor.execute(
            _SERVED,
            {
                "workspace": workspace_id,
                "since": min(value.at for value in values),
                "ids": list(via),
                "most": MOST_LINES + 1,
            },
        )
        rows = cursor.fetchall()
    names = dict(Agent.objects.filter(workspace_id=workspace_id).values_list("id", "name"))
    return [
        ServedLine(
            recall_id=recall_id,
            owner_id=owner_id,
            at=at,
            agent_id=agent_id,
            agent=names.get(agent_id, ""),
            session_ref=session_ref,
            target_id=target_id,
            via=via[target_id],
            rank=rank,
            tokens=tokens,
        )
        for recall_id, owner_id, at, agent_id, session_ref, target_id, rank, tokens in rows
    ]


def _counted(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(names).most_common())


def narrowed(scope: RollbackScope, *, owner_ids: Sequence[UUID]) -> RollbackScope:
    """The same scope for a caller who may see these owners only."""
    wanted = set(scope.owner_ids) & set(owner_ids) if scope.owner_ids else set(owner_ids)
    return replace(scope, owner_ids=tuple(sorted(wanted)))
