"""What a rollback would do, worked out without doing any of it.

Reading costs a fixed number of statements; the decisions are taken on what was read. The digest binds an execution to the plan
that was shown: it covers the changes, what each slot holds now and what it would hold, and the conflicts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import connection

from memoryhub.changes.rollback_scope import INVERSE, RollbackScope, matching
from memoryhub.changes.slot_history import MAKING
from memoryhub.changes.slots import Row, Slot, load_slots
from memoryhub.changes.turns import Derived, Supported, Turn, resolve, retire_derived
from memoryhub.models import Change, Derivation, ItemSource, Owner

_DERIVED = """
WITH RECURSIVE resting (owner_id, item_id) AS (
  SELECT d.owner_id, d.item_id FROM memoryhub_derivation d
  WHERE d.owner_id = ANY(%(owners)s) AND (d.source_item_id = ANY(%(rows)s) OR d.source_version_id = ANY(%(rows)s))
  UNION
  SELECT d.owner_id, d.item_id FROM resting r
  JOIN memoryhub_derivation d ON d.owner_id = r.owner_id AND d.source_item_id = r.item_id
)
SELECT item_id FROM resting
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """Changes under the scope that will not be touched, and why: owner_frozen, owner_erased, nothing_to_undo,
    history_incomplete."""

    code: str
    owner_id: UUID
    change_ids: tuple[UUID, ...]


@dataclass(kw_only=True, slots=True)
class Draft:
    """The decisions with the rows under them: what execution writes."""

    scope: RollbackScope
    turns: list[Turn] = field(default_factory=list)
    supported: list[Supported] = field(default_factory=list)
    withdrawn: list[Change] = field(default_factory=list)
    reproposed: list[Change] = field(default_factory=list)
    inverses: list[Change] = field(default_factory=list)
    """Changes of earlier rollbacks that are undone with this one."""
    skipped: list[Skipped] = field(default_factory=list)

    @property
    def size(self) -> int:
        return sum(len(turn.flips) for turn in self.turns) + len(self.withdrawn) + len(self.reproposed)


@dataclass(kw_only=True, slots=True)
class Material:
    """Everything that was read."""

    scope: RollbackScope
    now: datetime
    in_scope: list[Change]
    originals: dict[UUID, Change]
    """Proposals that an earlier rollback withdrew and this one may bring back."""
    slots: list[Slot]
    slot_of: dict[UUID, Slot]
    derived: list[Derived]
    tainted_events: set[UUID]
    skipped: list[Skipped]


def read_material(scope: RollbackScope, *, workspace_id: UUID, now: datetime) -> Material:
    """Read what the scope touches. Call inside a database scope that sees the owners."""
    in_scope, skipped = _of_active_owners(_changes_under(scope, workspace_id=workspace_id))
    extra = {scope.restore_id} if scope.restore_id else set()
    slots = load_slots(in_scope, extra_rows=extra)
    if scope.restore_id is not None:
        in_scope = _after_restored(scope.restore_id, slots)
    owners = {slot.owner_id for slot in slots} | {change.owner_id for change in in_scope}
    rows = [row.id for slot in slots for row in slot.rows]
    derived_ids = resting_on(rows, owners)
    if fresh := derived_ids - set(rows):
        slots += load_slots(_makers(fresh, owners))
    slot_of = {row.id: slot for slot in slots for row in slot.rows}
    derived = _derived(derived_ids, owners, slot_of)
    originals = _originals(in_scope, owners)
    return Material(
        scope=scope,
        now=now,
        in_scope=in_scope,
        originals=originals,
        slots=slots,
        slot_of=slot_of,
        derived=derived,
        tainted_events={c.event_id for c in in_scope if c.event_id and not _is_inverse(c)}
        | set(scope.event_ids),
        skipped=skipped,
    )


def _changes_under(scope: RollbackScope, *, workspace_id: UUID) -> list[Change]:
    if scope.restore_id is None:
        return list(matching(scope, workspace_id=workspace_id))
    maker = Change.objects.filter(
        workspace_id=workspace_id, target_id=scope.restore_id, state__in=["applied", "reverted"]
    )
    return list(maker.order_by("created_at", "id")[:1])


def _of_active_owners(changes: list[Change]) -> tuple[list[Change], list[Skipped]]:
    """Nothing is written for an owner who is frozen or being erased."""
    states = dict(Owner.objects.filter(id__in={c.owner_id for c in changes}).values_list("id", "state"))
    skipped = []
    for owner_id, state in sorted(states.items()):
        if state != Owner.State.ACTIVE:
            code = "owner_frozen" if state == Owner.State.FROZEN else "owner_erased"
            ids = tuple(c.id for c in changes if c.owner_id == owner_id)
            skipped.append(Skipped(code=code, owner_id=owner_id, change_ids=ids))
    return [c for c in changes if states.get(c.owner_id) == Owner.State.ACTIVE], skipped


def _after_restored(row_id: UUID, slots: Sequence[Slot]) -> list[Change]:
    """Everything in force in the slot of the row that came after the value in it."""
    slot = next((slot for slot in slots if row_id in slot.root_of), None)
    if slot is None:
        return []
    root = slot.root_of[row_id]
    makers = [c for c in slot.changes if c.target_id == root and c.action in MAKING]
    if not makers:
        return []
    at = slot.changes.index(makers[0])
    return [c for c in slot.changes[at + 1 :] if c.id in slot.effective and c.action != "reinforce"]


def resting_on(rows: Sequence[UUID], owners: Collection[UUID]) -> set[UUID]:
    """The items that were derived from any of the rows, to the end of the chain; one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_DERIVED, {"owners": list(owners), "rows": list(rows)})
        return {row[0] for row in cursor.fetchall()}


def _makers(items: Collection[UUID], owners: Collection[UUID]) -> list[Change]:
    return list(
        Change.objects.filter(
            owner_id__in=owners, target_id__in=items, target_kind="item", state__in=["applied", "reverted"]
        )
    )


def _derived(items: Collection[UUID], owners: Collection[UUID], slot_of: dict[UUID, Slot]) -> list[Derived]:
    """Per derived item what it rests on; a restored copy together with what it was copied from."""
    if not items:
        return []
    entries: dict[UUID, Derived] = {}

    def entry_of(item_id: UUID) -> Derived:
        root = slot_of[item_id].root_of[item_id] if item_id in slot_of else item_id
        return entries.setdefault(root, Derived(item_id=root))

    rows = Derivation.objects.filter(owner_id__in=owners, item_id__in=items).select_related(
        "source_item", "source_version"
    )
    for row in rows:
        source: Row | None = row.source_item or row.source_version
        if source is not None:
            entry_of(row.item_id).sources.append((source.id, source.known_until is None))
    for item_id, event_id in ItemSource.objects.filter(owner_id__in=owners, item_id__in=items).values_list(
        "item_id", "event_id"
    ):
        entry_of(item_id).event_ids.append(event_id)
    return list(entries.values())


def _originals(in_scope: Sequence[Change], owners: Collection[UUID]) -> dict[UUID, Change]:
    ids = [UUID(c.candidate["of"]) for c in in_scope if c.candidate and _is_inverse(c)]
    if not ids:
        return {}
    return {c.id: c for c in Change.objects.filter(owner_id__in=owners, id__in=ids)}


def _is_inverse(change: Change) -> bool:
    return (change.candidate or {}).get("kind") == INVERSE


def decide(material: Material, *, ticked: Collection[str]) -> Draft:
    """What becomes of every slot and proposal under the scope."""
    draft = Draft(scope=material.scope, skipped=list(material.skipped))
    wanted = _wanted(material, draft)
    idle: list[Change] = []
    for slot in material.slots:
        concerned = [c for c in slot.changes if c.id in wanted]
        if not concerned:
            continue
        if not _is_in_step(slot, material.now):
            ids = tuple(c.id for c in concerned)
            draft.skipped.append(Skipped(code="history_incomplete", owner_id=slot.owner_id, change_ids=ids))
            continue
        turn = resolve(slot, wanted=wanted, ticked=ticked, now=material.now)
        if turn is None:
            idle += concerned
        else:
            draft.turns.append(turn)
    if idle:
        owners = {c.owner_id for c in idle}
        draft.skipped += [
            Skipped(
                code="nothing_to_undo",
                owner_id=owner_id,
                change_ids=tuple(c.id for c in idle if c.owner_id == owner_id),
            )
            for owner_id in sorted(owners)
        ]
    retired, draft.supported = retire_derived(
        draft.turns,
        derived=material.derived,
        slot_of=material.slot_of,
        tainted_events=material.tainted_events,
        ticked=ticked,
        now=material.now,
    )
    draft.turns += retired
    draft.turns.sort(key=lambda turn: turn.key)
    return draft


def _wanted(material: Material, draft: Draft) -> dict[UUID, bool]:
    """Of each change under the scope whether it shall be in force; proposals go straight into the draft."""
    wanted: dict[UUID, bool] = {}
    for change in material.in_scope:
        if _is_inverse(change):
            assert change.candidate is not None
            original, operation = UUID(change.candidate["of"]), change.candidate["op"]
            draft.inverses.append(change)
            if operation in ("undo", "redo"):
                wanted.setdefault(original, operation == "undo")
            elif operation == "withdraw" and _is_state(material, original, "withdrawn"):
                draft.reproposed.append(material.originals[original])
            elif operation == "repropose" and _is_state(material, original, "proposed"):
                draft.withdrawn.append(material.originals[original])
        elif change.state == Change.State.PROPOSED:
            draft.withdrawn.append(change)
    wanted |= {
        c.id: False for c in material.in_scope if not _is_inverse(c) and c.state != Change.State.PROPOSED
    }
    if material.scope.restore_id is not None:
        wanted |= _wanted_to_restore(material, material.scope.restore_id)
    return wanted


def _wanted_to_restore(material: Material, row_id: UUID) -> dict[UUID, bool]:
    slot = material.slot_of.get(row_id)
    if slot is None:
        return {}
    root = slot.root_of[row_id]
    return {c.id: True for c in slot.changes if c.target_id == root and c.action in MAKING}


def _is_state(material: Material, change_id: UUID, state: str) -> bool:
    change = material.originals.get(change_id)
    return change is not None and change.state == state


def _is_in_step(slot: Slot, now: datetime) -> bool:
    """Whether what stands is what the changes say: a row that was closed by other means is not second-guessed."""
    standing = slot.state(slot.effective, now=now).standing
    active = {
        slot.root_of[row.id]
        for row in slot.rows
        if row.status == "active" and (row.valid_until is None or row.valid_until > now)
    }
    if standing is not None and standing.row in slot.merged:
        return active <= {standing.row}
    return active == ({standing.row} if standing else set())
