"""What a session holds, in one indexed read: its contexts with their values, standing and past."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from memoryhub.database.prepared import prepared_cursor
from memoryhub.sessions.contexts import kind_of, name_of
from memoryhub.sessions.relevance import Chosen, Topic, choose

_READ = """
SELECT s.id, s.ref, s.state, s.opened_at, s.active_at, s.ended_at, s.ended_by, s.outcome, s.outcome_at, clock_timestamp(),
  t.id, t.context, t.name, t.version, t.value::text, t.state, t.reason, t.restored_version, t.said_by, t.form_type,
  t.form_subject, t.field_name, t.event_id, t.trust_tier, t.held_for, t.set_at, t.touched_at, t.expires_at, t.deprecated_at, t.fate,
  t.fate_code, t.target_id, t.change_id
FROM (
  SELECT o.* FROM memoryhub_session o WHERE o.owner_id = %(owner)s AND (o.ref = %(ref)s OR o.id = %(id)s::uuid)
  ORDER BY o.state = 'open' DESC, o.opened_at DESC, o.id DESC LIMIT 1) s
LEFT JOIN memoryhub_sessionslot t ON t.owner_id = s.owner_id AND t.session_id = s.id
ORDER BY t.context, t.name, t.version
"""
_NAMING = frozenset({"product", "goods", "item", "device", "recipient", "name"})
_LEAST_CODE = 4


@dataclass(frozen=True, slots=True)
class SlotView:
    """One version of a value. `value` is None once it was cleared."""

    id: UUID
    context: str
    name: str
    version: int
    value: Any
    state: str
    reason: str
    restored_version: int | None
    said_by: str
    form_type: str
    form_subject: str
    field_name: str
    event_id: UUID | None
    trust_tier: int
    held_for: str
    set_at: datetime
    touched_at: datetime
    expires_at: datetime
    deprecated_at: datetime | None
    fate: str
    fate_code: str
    target_id: UUID | None
    change_id: UUID | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextView:
    """One context: what stands in it and every version it has had, both in order of name and version."""

    context: str
    slots: tuple[SlotView, ...]
    history: tuple[SlotView, ...]

    @property
    def kind(self) -> str:
        return kind_of(self.context)

    @property
    def name(self) -> str:
        return name_of(self.context)

    @property
    def past(self) -> tuple[SlotView, ...]:
        """What stands no longer, the latest first."""
        gone = (slot for slot in self.history if slot.state != "active")
        return tuple(sorted(gone, key=lambda slot: (slot.set_at, slot.version), reverse=True))

    @property
    def touched_at(self) -> datetime:
        return max(slot.touched_at for slot in self.history)


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionView:
    """`chosen` says which contexts matter for the question, when one was asked."""

    id: UUID
    ref: str
    state: str
    opened_at: datetime
    active_at: datetime
    ended_at: datetime | None
    ended_by: str
    outcome: str
    outcome_at: datetime | None
    contexts: tuple[ContextView, ...]
    chosen: Chosen | None = None

    @property
    def shown(self) -> tuple[ContextView, ...]:
        """The contexts to show: those that matter when a question was asked, else all, the one spoken of last first."""
        if self.chosen is None:
            return self.contexts
        by_name = {context.context: context for context in self.contexts}
        return tuple(by_name[context] for context in self.chosen.contexts)


def read_session(*, owner_id: UUID, given: str, query: str | None = None) -> SessionView | None:
    """The session called `given` (its ref or its id; the open one first), inside the caller's transaction; one statement.

    With a `query` only contexts that matter are chosen. None when the owner has no such session.
    """
    named_by_id = None
    with suppress(ValueError):
        named_by_id = UUID(given)
    with prepared_cursor() as cursor:
        cursor.execute(_READ, {"owner": owner_id, "ref": given, "id": named_by_id})
        rows = cursor.fetchall()
    if not rows:
        return None
    head = rows[0][:9]
    now: datetime = rows[0][9]
    contexts = _contexts([_slot(row[10:], now) for row in rows if row[10] is not None])
    chosen = None
    if query is not None:
        chosen = choose(
            [topic_of(context.context, context.slots, context.touched_at) for context in contexts], query
        )
    return SessionView(
        **dict(zip(_HEAD, head, strict=True)),
        contexts=contexts,
        chosen=chosen,
    )


_HEAD = ("id", "ref", "state", "opened_at", "active_at", "ended_at", "ended_by", "outcome", "outcome_at")


def _slot(values: Sequence[Any], now: datetime) -> SlotView:
    columns = list(values)
    columns[4] = orjson.loads(values[4]) if values[4] is not None else None
    slot = SlotView(*columns)
    if slot.state == "active" and slot.expires_at <= now:
        # No job has come by yet; whoever reads sees what it will do.
        return replace(slot, state="deprecated", reason="timeout", deprecated_at=slot.expires_at)
    return slot


def _contexts(slots: Sequence[SlotView]) -> tuple[ContextView, ...]:
    grouped: dict[str, list[SlotView]] = {}
    for slot in slots:
        grouped.setdefault(slot.context, []).append(slot)
    contexts = [
        ContextView(
            context=context,
            slots=tuple(slot for slot in versions if slot.state == "active"),
            history=tuple(versions),
        )
        for context, versions in grouped.items()
    ]
    return tuple(sorted(contexts, key=lambda context: context.touched_at, reverse=True))


def topic_of(context: str, slots: Sequence[Any], touched_at: datetime) -> Topic:
    """What a question may name a context by: its slots' names, codes among its values, and what it is about."""
    return Topic(
        context=context,
        names=frozenset(slot.name for slot in slots),
        words=tuple(
            str(slot.value)
            for slot in slots
            if _may_name(slot.name, slot.value) and slot.value != name_of(context)
        ),
        touched_at=touched_at,
    )


def _may_name(name: str, value: Any) -> bool:
    if not isinstance(value, str):
        return False
    is_code = len(value) >= _LEAST_CODE and any(map(str.isdigit, value)) and " " not in value
    return is_code or name in _NAMING
