"""What a slot holds after a list of changes: a pure replay, without rows and without a clock.

A slot is where values replace each other: one field of one form (of a multi-valued field one value), one attribute of an
entity, or one sentence with its edits. Undoing changes is replaying the slot without them, so a value that somebody else wrote
on top is kept, and one that was undone and redone comes out as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

MAKING = frozenset({"create", "supersede", "correct", "record_late", "schedule"})
CLOSING = frozenset({"remove", "retract"})
TOUCHING = frozenset({"reinforce", "edit"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One change as the replay reads it. Rows are named by the row that first held the value (a restored copy is the same)."""

    change_id: UUID
    at: datetime
    action: str
    target: UUID | None
    """The value that was made, or touched."""
    is_field: bool = True
    """A field's value that began before the last one ended is late; a sentence's is not."""
    before: UUID | None = None
    """The value that was closed."""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    """When the value was to end by itself."""
    ends: datetime | None = None
    """When a removed value ended."""
    confirmed_before: tuple[int, str | None] | None = None
    confirmed_after: tuple[int, str | None] | None = None
    labels_before: dict[str, Any] | None = None
    labels_after: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Belief:
    """A value that is believed, and since and until when it is true."""

    row: UUID
    made_by: UUID
    valid_from: datetime
    valid_until: datetime | None = None
    standing: bool = False
    scheduled: bool = False


@dataclass(kw_only=True, slots=True)
class SlotState:
    """What is believed; confirmations (how many were counted, the last) and labels of rows that were touched."""

    beliefs: dict[UUID, Belief] = field(default_factory=dict)
    confirmed: dict[UUID, tuple[int, str | None]] = field(default_factory=dict)
    labels: dict[UUID, dict[str, Any]] = field(default_factory=dict)
    closed_by: UUID | None = None
    """The change that left the slot empty."""

    @property
    def standing(self) -> Belief | None:
        return next((belief for belief in self.beliefs.values() if belief.standing), None)


def replay(
    steps: Iterable[Step],
    *,
    effective: frozenset[UUID],
    now: datetime,
    waiting: frozenset[UUID] = frozenset(),
) -> SlotState:
    """The state after those of the steps, in their order, that are effective. `waiting` values are not opened though due."""
    state = SlotState()
    for step in steps:
        if step.action in TOUCHING:
            _touch(state, step, is_effective=step.change_id in effective)
        elif step.change_id in effective:
            _bring_to(state, step.at, waiting)
            _take(state, step)
    _bring_to(state, now, waiting)
    return state


def _bring_to(state: SlotState, moment: datetime, waiting: frozenset[UUID]) -> None:
    """Let time pass: what was scheduled opens, and what was to end by itself stands no longer."""
    _open_due(state, moment, waiting)
    standing = state.standing
    if standing is not None and standing.valid_until is not None and standing.valid_until <= moment:
        state.beliefs[standing.row] = replace(standing, standing=False)


def _take(state: SlotState, step: Step) -> None:
    if step.action == "remove":
        _remove(state, step)
    elif step.action == "retract":
        if step.before is not None:
            state.beliefs.pop(step.before, None)
            state.closed_by = step.change_id
    elif step.target in state.beliefs:
        return  # an approval of what was believed already
    elif step.action == "schedule":
        _add(state, step, scheduled=True)
    elif step.action == "record_late":
        _place_late(state, step)
    elif step.action in MAKING:
        if step.action == "correct" and step.before is not None:
            state.beliefs.pop(step.before, None)
        _place(state, step)


def _remove(state: SlotState, step: Step) -> None:
    """The standing value ended; one that will end holds until that day."""
    standing, ends = state.standing, step.ends or step.at
    if standing is not None and ends > step.at:
        state.beliefs[standing.row] = replace(standing, valid_until=_earlier(ends, standing.valid_until))
    else:
        _close_standing(state, ends)
        state.closed_by = step.change_id


def _place(state: SlotState, step: Step) -> None:
    """A value that came to stand: it ends the one before it. One that began before what stands, or stood last, is late."""
    assert step.valid_from is not None
    standing = state.standing
    if standing is not None:
        is_late = step.valid_from < standing.valid_from
    else:
        is_late = step.is_field and any(end > step.valid_from for end in _ends(state))
    if is_late:
        _place_late(state, step)
        return
    _close_standing(state, step.valid_from)
    _add(state, step, standing=True)


def _place_late(state: SlotState, step: Step) -> None:
    """A late fact ends where the next value of the slot begins; when there is none (any more) it stands."""
    assert step.valid_from is not None
    later = [b.valid_from for b in state.beliefs.values() if b.valid_from > step.valid_from]
    ends = [end for end in _ends(state) if end > step.valid_from]
    if later:
        _add(state, step, ends=min(later))
    elif ends:
        _add(state, step, ends=max(ends))
    elif state.standing is not None:
        _add(state, step, ends=max(state.standing.valid_from, step.valid_from))
    else:
        _add(state, step, standing=True)


def _ends(state: SlotState) -> list[datetime]:
    """When the values that stand no longer ended."""
    ended = (b for b in state.beliefs.values() if not b.standing and not b.scheduled)
    return [belief.valid_until for belief in ended if belief.valid_until is not None]


def _add(state: SlotState, step: Step, *, ends: datetime | None = None, **flags: bool) -> None:
    assert step.target is not None
    assert step.valid_from is not None
    state.beliefs[step.target] = Belief(
        row=step.target,
        made_by=step.change_id,
        valid_from=step.valid_from,
        valid_until=_earlier(ends, step.valid_until) if ends else step.valid_until,
        **flags,
    )


def _close_standing(state: SlotState, moment: datetime) -> None:
    """End what stands at `moment`, or when it ends by itself if that is earlier."""
    standing = state.standing
    if standing is not None:
        ends = max(_earlier(moment, standing.valid_until), standing.valid_from)
        state.beliefs[standing.row] = replace(standing, valid_until=ends, standing=False)


def _earlier(moment: datetime, other: datetime | None) -> datetime:
    return moment if other is None else min(moment, other)


def _open_due(state: SlotState, moment: datetime, waiting: frozenset[UUID]) -> None:
    """Scheduled values whose day has come, in their order."""
    due = [
        b for b in state.beliefs.values() if b.scheduled and b.valid_from <= moment and b.row not in waiting
    ]
    for belief in sorted(due, key=lambda b: b.valid_from):
        _close_standing(state, belief.valid_from)
        state.beliefs[belief.row] = replace(belief, scheduled=False, standing=True)


def _touch(state: SlotState, step: Step, *, is_effective: bool) -> None:
    """Confirmations and labels: each row starts from what it was before the first step that touched it."""
    if step.target is None:
        return
    if step.confirmed_before is not None:
        count, last = state.confirmed.setdefault(step.target, step.confirmed_before)
        if is_effective and step.confirmed_after is not None:
            state.confirmed[step.target] = (count + 1, step.confirmed_after[1])
        else:
            state.confirmed[step.target] = (count, last)
    if step.labels_before is not None and step.labels_after is not None:
        # Not every step says everything: one that marks a key attribute says more than one that renames.
        labels = {**step.labels_before, **state.labels.get(step.target, {})}
        state.labels[step.target] = labels | step.labels_after if is_effective else labels
