"""From decisions to rows: which versions and items are closed, which come back as copies, and the changes that say so. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from memoryhub.changes.rollback_scope import INVERSE
from memoryhub.changes.slot_history import MAKING, Belief
from memoryhub.changes.slots import Row, Slot
from memoryhub.changes.turns import Turn
from memoryhub.models import Change, FieldVersion, MemoryItem, Relation, new_id
from memoryhub.search_index import NewEntry
from memoryhub.writing.applying import version_entry
from memoryhub.writing.applying_reversals import Closing, Copy, Reversal, Touch
from memoryhub.writing.snapshots import item_snapshot, relation_snapshot, version_snapshot


@dataclass(kw_only=True, slots=True)
class Numbers:
    """The highest number given out per (form, field) and per owner; counts on."""

    versions: dict[tuple[UUID, UUID], int]
    items: dict[UUID, int]

    def next_for(self, row: Row) -> int:
        if isinstance(row, FieldVersion):
            key = (row.form_id, row.field_id)
            self.versions[key] = self.versions.get(key, 0) + 1
            return self.versions[key]
        self.items[row.owner_id] = self.items.get(row.owner_id, 0) + 1
        return self.items[row.owner_id]


@dataclass(kw_only=True, slots=True)
class SlotRows:
    """What one turn writes. `copies` by the row that first held the value."""

    turn: Turn
    closings: list[Closing] = field(default_factory=list)
    copies: dict[UUID, Copy] = field(default_factory=dict)
    touches: list[Touch] = field(default_factory=list)
    merged: list[UUID] = field(default_factory=list)
    """Sentences that would stand again but that another item says already."""

    def standing_copy(self) -> Copy | None:
        standing = self.turn.after.standing
        return self.copies.get(standing.row) if standing else None


def rows_of(turn: Turn, *, numbers: Numbers, occupied: set[tuple[UUID, str, str]]) -> SlotRows:
    """The rows of one turn. `occupied` are (owner, kind, content) of sentences that stand elsewhere: they do not come twice.

    What the turn lets stand is added to `occupied`.
    """
    slot, rows = turn.slot, SlotRows(turn=turn)
    closed: set[UUID] = set()
    for belief in sorted(turn.after.beliefs.values(), key=lambda b: (b.standing, b.valid_from)):
        was = turn.before.beliefs.get(belief.row)
        row = slot.latest.get(belief.row)
        if row is None or (was is not None and (_same(was, belief) or slot.current(belief.row) is None)):
            continue
        if isinstance(row, MemoryItem) and belief.standing:
            said = (row.owner_id, row.kind, row.content_norm)
            if said in occupied or belief.row in slot.merged:
                rows.merged.append(belief.row)
                continue
            occupied.add(said)
        rows.copies[belief.row] = _copy(slot, row, belief, numbers)
        if was is not None:
            closed.add(row.id)
            rows.closings.append(_closing(row, "superseded", rows.copies[belief.row].number, closes=True))
        elif row.status == "superseded":
            rows.closings.append(_closing(row, "superseded", rows.copies[belief.row].number, closes=False))
    for root in turn.lost:
        current = slot.current(root)
        if current is not None:
            closed.add(current.id)
            rows.closings.append(_closing(current, "retracted", None, closes=True))
    if rows.standing_copy() is not None:
        # Still marked active though its time is over: the mark is wanted for what stands now.
        over = [row for row in slot.rows if row.status == "active" and row.id not in closed]
        rows.closings += [_closing(row, "expired", None, closes=False) for row in over]
    _repoint(rows, closed)
    _touch(rows)
    return rows


def kept_row(turn: Turn) -> Row | None:
    """The row that stands before and after and is not written anew."""
    standing = turn.after.standing
    was = turn.before.beliefs.get(standing.row) if standing else None
    return turn.slot.current(standing.row) if standing and was and _same(was, standing) else None


def _same(was: Belief, now: Belief) -> bool:
    return (was.valid_from, was.valid_until, was.standing, was.scheduled) == (
        now.valid_from,
        now.valid_until,
        now.standing,
        now.scheduled,
    )


def _closing(row: Row, status: str, successor: int | None, *, closes: bool) -> Closing:
    return Closing(owner_id=row.owner_id, id=row.id, status=status, successor=successor, closes=closes)


def _copy(slot: Slot, row: Row, belief: Belief, numbers: Numbers) -> Copy:
    status = "active" if belief.standing else "scheduled" if belief.scheduled else "historical"
    holders = [r.id for r in reversed(slot.rows) if slot.root_of[r.id] == belief.row]
    copy_id = new_id()
    return Copy(
        owner_id=row.owner_id,
        origin=row.id,
        id=copy_id,
        number=numbers.next_for(row),
        status=status,
        valid_from=belief.valid_from,
        valid_until=belief.valid_until,
        entries=tuple(holders),
        fallback=_entry(row, copy_id),
    )


def _entry(row: Row, copy_id: UUID) -> NewEntry | None:
    if isinstance(row, Relation):
        return None
    if isinstance(row, FieldVersion):
        label = f"{row.field.label_en} {row.field.label_zh}"
        made = version_entry(row, label=label, subject=row.form.subject, session_ref="")
        return NewEntry(
            kind=made.kind,
            target_id=copy_id,
            text=made.text,
            occurred_at=made.occurred_at,
            entities=made.entities,
        )
    return NewEntry(
        kind="item",
        target_id=copy_id,
        text=row.content,
        occurred_at=row.valid_from,
        entities=tuple(row.entities),
        session_ref=row.session_ref,
        cleared=row.procedure is None,
    )


def _repoint(rows: SlotRows, closed: set[UUID]) -> None:
    """A value that is still believed and was superseded by one that goes: its successor is what follows it now."""
    slot, after = rows.turn.slot, rows.turn.after
    gone = {slot.number_of(slot.by_id[row_id]) for row_id in closed}
    for root in after.beliefs:
        row = slot.current(root)
        if row is None or row.id in closed or row.status != "superseded" or _successor(row) not in gone:
            continue
        later = [b for b in after.beliefs.values() if b.valid_from >= row.valid_from and b.row != root]
        numbers = []
        for belief in sorted(later, key=lambda b: b.valid_from):
            copy, holder = rows.copies.get(belief.row), slot.current(belief.row)
            if copy is not None:
                numbers.append(copy.number)
            elif holder is not None and holder.id not in closed:
                numbers.append(slot.number_of(holder))
        number = next((number for number in numbers if number > slot.number_of(row)), None)
        status = "superseded" if number is not None else "historical"
        rows.closings.append(_closing(row, status, number, closes=False))


def _successor(row: Row) -> int | None:
    return row.superseded_by_version if isinstance(row, FieldVersion) else row.superseded_by_seq


def _touch(rows: SlotRows) -> None:
    """Confirmations and labels of the values that are believed afterwards, where they differ."""
    turn, slot = rows.turn, rows.turn.slot
    for root in turn.after.beliefs:
        row = slot.latest.get(root)
        copy = rows.copies.get(root)
        if row is None or (copy is None and slot.current(root) is None):
            continue
        confirmed = _moved(turn.before.confirmed, turn.after.confirmed, root, copy is not None)
        labels = _moved(turn.before.labels, turn.after.labels, root, copy is not None)
        if confirmed is not None or labels is not None:
            rows.touches.append(
                Touch(
                    owner_id=row.owner_id,
                    id=copy.id if copy else row.id,
                    confirmations=confirmed[0] if confirmed else None,
                    last_confirmed_at=confirmed[1] if confirmed else None,
                    entities=labels["entities"] if labels else None,
                    metadata=labels["metadata"] if labels else None,
                    key_attribute=labels.get("key_attribute") if labels else None,
                    decay_rate=labels.get("decay_rate") if labels else None,
                )
            )


def _moved(before: Mapping[UUID, Any], after: Mapping[UUID, Any], root: UUID, is_copied: bool) -> Any:
    """What a value's confirmations or labels shall be; None when they are so already."""
    wanted = after.get(root)
    return wanted if is_copied or before.get(root) != wanted else None


def inverse_changes(rows: SlotRows, *, hidden: Collection[UUID]) -> list[Change]:
    """One change per change that moves, the last one first; unsaved and without a change set.

    The last of them, which undoes the first change, says what stands now and names the copies that were made.
    """
    turn = rows.turn
    moved = [change for change in turn.slot.changes if change.id in turn.flips]
    return [
        _inverse(change, rows, is_last=change is moved[0], is_hidden=change.event_id in hidden)
        for change in reversed(moved)
    ]


def _inverse(change: Change, rows: SlotRows, *, is_last: bool, is_hidden: bool) -> Change:
    turn, slot = rows.turn, rows.turn.slot
    is_redone = turn.flips[change.id]
    copy = rows.standing_copy() if is_last else None
    assert change.target_id is not None
    made = slot.latest.get(slot.root_of[change.target_id])
    return Change(
        **_about(change),
        action=_action(change, turn, is_redone, is_last),
        target_id=copy.id if copy else change.target_id,
        before_id=made.id if made else None,
        before=_snapshot(turn.standing_before if is_last else made),
        after={**_snapshot_of_copy(slot, copy)} if copy else None,
        candidate={
            "kind": INVERSE,
            "of": str(change.id),
            "op": "redo" if is_redone else "undo",
            "copies": {str(c.id): str(root) for root, c in rows.copies.items()} if is_last else {},
            "merged": [str(root) for root in rows.merged] if is_last else [],
            "hidden": is_hidden,
        },
    )


def proposal_inverse(change: Change, *, is_withdrawn: bool, hidden: Collection[UUID]) -> Change:
    """The change that says that a proposal was withdrawn, or waits again."""
    return Change(
        **_about(change),
        action="withdraw" if is_withdrawn else "repropose",
        before_id=change.before_id,
        before=change.after,
        candidate={
            "kind": INVERSE,
            "of": str(change.id),
            "op": "withdraw" if is_withdrawn else "repropose",
            "hidden": change.event_id in hidden,
        },
    )


def _about(change: Change) -> dict[str, Any]:
    names = (
        "owner_id",
        "workspace_id",
        "target_kind",
        "form_type",
        "form_subject",
        "field_name",
        "event_id",
        "importance",
        "confidence",
        "trust_tier",
        "basis",
    )
    return {name: getattr(change, name) for name in names} | {"state": Change.State.APPLIED}


def _action(change: Change, turn: Turn, is_redone: bool, is_last: bool) -> str:
    if is_redone:
        return "reapply"
    if change.action == "reinforce":
        return "unconfirm"
    if change.action == "edit":
        return "relabel"
    if is_last and turn.effect in ("restore", "keep"):
        return turn.effect
    return "retract" if change.action in MAKING else "restore"


def _snapshot(row: Row | None) -> dict[str, Any] | None:
    if row is None:
        return None
    if isinstance(row, FieldVersion):
        return version_snapshot(row, ends=row.valid_until)
    if isinstance(row, Relation):
        return relation_snapshot(row, ends=row.valid_until)
    return item_snapshot(row, ends=row.valid_until)


def _snapshot_of_copy(slot: Slot, copy: Copy) -> dict[str, Any]:
    row = slot.by_id[copy.origin]
    number = "version" if isinstance(row, FieldVersion) else "seq"
    until = copy.valid_until
    clocks = {
        "valid_from": copy.valid_from.isoformat(),
        "valid_until": until.isoformat() if until else None,
    }
    return {**(_snapshot(row) or {}), number: copy.number, **clocks}


def reversal_of(slots: Collection[SlotRows], kind: str) -> Reversal:
    """The rows of all turns of one kind together."""
    reversal = Reversal()
    for rows in slots:
        if rows.turn.slot.kind == kind:
            reversal.closings += rows.closings
            reversal.copies += rows.copies.values()
            reversal.touches += rows.touches
    return reversal
