"""What a rollback does to each slot: a pure decision on what was loaded.

The changes under the scope are taken out of the slot's history and the rest is replayed. Where somebody else wrote on top, the
default keeps his value and only takes the undone one out of the past behind it; ticked, the later edit goes too. A value that
another source has confirmed stays unless ticked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from memoryhub.changes.slot_history import CLOSING, MAKING, SlotState, Step
from memoryhub.changes.slots import Row, Slot
from memoryhub.models import Change

type Effect = Literal[
    "restore",
    "retract",
    "reapply",
    "keep",
    "history",
    "relabel",
    "unconfirm",
    "withdraw",
    "repropose",
    "unchanged",
]
type Conflict = Literal["", "later_edit", "confirmed_elsewhere"]


@dataclass(kw_only=True, slots=True)
class Turn:
    """One slot before and after. `flips` says of each change that moves whether it will be in force."""

    slot: Slot
    key: str
    flips: dict[UUID, bool]
    before: SlotState
    after: SlotState
    reset: SlotState
    """What would stand if the conflict is ticked: the state before the first of the changes."""
    conflict: Conflict = ""
    against: Change | None = None
    """The later edit, or the confirmation by another source."""
    is_derived: bool = False
    overruled: frozenset[UUID] = frozenset()
    """Later edits of others that were ticked away."""
    code: str = ""

    @property
    def standing_before(self) -> Row | None:
        return _row(self.slot, self.before)

    @property
    def standing_after(self) -> Row | None:
        return _row(self.slot, self.after)

    @property
    def effect(self) -> Effect:
        before, after = self.before.standing, self.after.standing
        if not self.flips:
            return "unchanged"
        if (before and before.row) != (after and after.row):
            if after is None:
                return "retract"
            return "reapply" if any(self.flips.values()) and not self.is_derived else "restore"
        if self.conflict == "later_edit":
            return "keep"
        if self.before.beliefs != self.after.beliefs:
            return "history"
        return "relabel" if self.before.labels != self.after.labels else "unconfirm"

    @property
    def lost(self) -> set[UUID]:
        """Values that are believed before and not after."""
        return set(self.before.beliefs) - set(self.after.beliefs)


@dataclass(kw_only=True, slots=True)
class Derived:
    """A derived item and what it rests on: rows (by id, with whether each is still believed) and events."""

    item_id: UUID
    sources: list[tuple[UUID, bool]] = field(default_factory=list)
    event_ids: list[UUID] = field(default_factory=list)


@dataclass(kw_only=True, slots=True)
class Supported:
    """A derived item that loses a source and keeps others."""

    slot: Slot
    item_id: UUID
    support: int


def resolve(
    slot: Slot,
    *,
    wanted: Mapping[UUID, bool],
    ticked: Collection[str],
    now: datetime,
    is_derived: bool = False,
) -> Turn | None:
    """What becomes of one slot when the `wanted` changes are in force or not; None when that is so already."""
    flips = {
        change.id: wanted[change.id]
        for change in slot.changes
        if change.id in wanted and wanted[change.id] != (change.id in slot.effective)
    }
    if not flips:
        return None
    first = next(change for change in slot.changes if change.id in flips)
    turn = Turn(
        slot=slot,
        key=str(first.id),
        flips=flips,
        before=slot.state(slot.effective, now=now),
        after=SlotState(),
        reset=SlotState(),
        is_derived=is_derived,
    )
    later = _later_edits(slot, first.id, flips)
    turn.reset = slot.state(_moved(slot, {**flips, **dict.fromkeys(later, False)}), now=now)
    is_ticked = turn.key in ticked
    confirming = _confirmed_elsewhere(slot, wanted, flips)
    if confirming:
        turn.conflict, turn.against = "confirmed_elsewhere", next(iter(confirming.values()))
        if not is_ticked:
            for change_id in confirming:
                del turn.flips[change_id]
    turn.after = slot.state(_moved(slot, turn.flips), now=now)
    decisive = _decided_by(turn, later)
    if decisive is not None:
        turn.conflict, turn.against = "later_edit", decisive
        if is_ticked:
            turn.flips |= dict.fromkeys(later, False)
            turn.overruled = frozenset(later)
            turn.after = turn.reset
    return turn


def _moved(slot: Slot, flips: Mapping[UUID, bool]) -> set[UUID]:
    on = {change_id for change_id, is_on in flips.items() if is_on}
    return (set(slot.effective) | on) - (set(flips) - on)


def _later_edits(slot: Slot, first: UUID, flips: Mapping[UUID, bool]) -> list[UUID]:
    """The changes in force after the first that moves, which do not move themselves and decide what stands."""
    ids = [change.id for change in slot.changes]
    return [
        change.id
        for change in slot.changes[ids.index(first) + 1 :]
        if change.id in slot.effective
        and change.id not in flips
        and (change.action in MAKING | CLOSING or change.action == "edit")
    ]


def _decided_by(turn: Turn, later: Sequence[UUID]) -> Change | None:
    """The later edit that decides what stands or how it is labelled, when there is one."""
    changes = {change.id: change for change in turn.slot.changes}
    standing = turn.after.standing
    maker = standing.made_by if standing else turn.after.closed_by
    if maker is not None and maker in later:
        return changes[maker]
    relabelled = {
        changes[c].target_id for c in turn.flips if changes[c].action == "edit" and c not in turn.overruled
    }
    edits = [c for c in later if changes[c].action == "edit" and changes[c].target_id in relabelled]
    return changes[edits[-1]] if edits else None


def _confirmed_elsewhere(
    slot: Slot, wanted: Mapping[UUID, bool], flips: Mapping[UUID, bool]
) -> dict[UUID, Change]:
    """Of each value that would go, a confirmation in force by another event or agent that is not being undone."""
    changes = {change.id: change for change in slot.changes}
    found: dict[UUID, Change] = {}
    for step in slot.steps:
        made = changes[step.change_id]
        if flips.get(made.id) is not False or made.action not in MAKING:
            continue
        for other in slot.steps:
            if _confirms(other, step) and other.change_id in slot.effective and other.change_id not in wanted:
                confirmation = changes[other.change_id]
                if _is_another_source(confirmation, made):
                    found[made.id] = confirmation
    return found


def _confirms(other: Step, step: Step) -> bool:
    return other.action == "reinforce" and other.target == step.target


def _is_another_source(confirmation: Change, made: Change) -> bool:
    if confirmation.agent_id != made.agent_id:
        return True
    return confirmation.event_id is not None and confirmation.event_id != made.event_id


def _row(slot: Slot, state: SlotState) -> Row | None:
    return slot.latest.get(state.standing.row) if state.standing else None


def retire_derived(
    turns: list[Turn],
    *,
    derived: Sequence[Derived],
    slot_of: Mapping[UUID, Slot],
    tainted_events: Collection[UUID],
    ticked: Collection[str],
    now: datetime,
) -> tuple[list[Turn], list[Supported]]:
    """Turns for the derived items that lose their last support, to the end of the chain; and those that keep some.

    A derived item rests on its source rows that are still believed and on its own evidence events that the rollback does not
    concern.
    """
    retired: list[Turn] = []
    while True:
        states = {id(turn.slot): turn.after for turn in [*turns, *retired]}
        lost = {root for turn in [*turns, *retired] for root in turn.lost}
        taken = {id(turn.slot) for turn in [*turns, *retired]}
        fresh: list[Turn] = []
        supported: list[Supported] = []
        for entry in derived:
            slot = slot_of.get(entry.item_id)
            if slot is None or id(slot) in taken or slot.current(slot.root_of[entry.item_id]) is None:
                continue
            roots = [(_root(source, slot_of), alive) for source, alive in entry.sources]
            if not any(root in lost for root, _ in roots):
                continue
            support = sum(_is_believed(root, alive, slot_of, states, lost) for root, alive in roots)
            support += sum(event not in tainted_events for event in entry.event_ids)
            if support:
                supported.append(Supported(slot=slot, item_id=entry.item_id, support=support))
                continue
            turn = _retire(slot, entry.item_id, ticked, now)
            if turn is not None:
                fresh.append(turn)
        if not fresh:
            return retired, supported
        retired += fresh


def _retire(slot: Slot, item_id: UUID, ticked: Collection[str], now: datetime) -> Turn | None:
    root = slot.root_of[item_id]
    makers = {
        c.id: False
        for c in slot.changes
        if c.action in MAKING and slot.root_of.get(c.target_id or root) == root
    }
    return resolve(slot, wanted=makers, ticked=ticked, now=now, is_derived=True)


def _root(row_id: UUID, slot_of: Mapping[UUID, Slot]) -> UUID:
    slot = slot_of.get(row_id)
    return slot.root_of[row_id] if slot else row_id


def _is_believed(
    root: UUID,
    is_alive: bool,
    slot_of: Mapping[UUID, Slot],
    states: Mapping[int, SlotState],
    lost: Collection[UUID],
) -> bool:
    slot = slot_of.get(root)
    if root in lost:
        return False
    if slot is None:
        return is_alive
    state = states.get(id(slot))
    return root in state.beliefs if state else slot.current(root) is not None
