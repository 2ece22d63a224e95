"""The slots that a rollback touches, read whole: their rows, their changes, and who is derived from them.

A fixed number of statements, however many slots there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db import connection

from memoryhub.changes.rollback_scope import INVERSE
from memoryhub.changes.slot_history import CLOSING, MAKING, TOUCHING, SlotState, Step, replay
from memoryhub.models import Change, FieldVersion, MemoryItem, Relation

type Row = FieldVersion | MemoryItem | Relation
type SlotKey = tuple[Any, ...]

_CHAINS = """
WITH RECURSIVE reached (owner_id, id) AS (
  SELECT i.owner_id, i.id FROM memoryhub_memoryitem i WHERE i.owner_id = ANY(%(owners)s) AND i.id = ANY(%(items)s)
  UNION
  SELECT r.owner_id, n.id FROM reached r CROSS JOIN LATERAL (
    SELECT c.before_id AS id FROM memoryhub_change c
    WHERE c.owner_id = r.owner_id AND c.target_id = r.id AND c.target_kind = 'item' AND c.before_id IS NOT NULL
      AND c.state IN ('applied', 'reverted')
    UNION ALL
    SELECT c.target_id FROM memoryhub_change c
    WHERE c.owner_id = r.owner_id AND c.before_id = r.id AND c.target_kind = 'item' AND c.target_id IS NOT NULL
      AND c.state IN ('applied', 'reverted')
    UNION ALL
    SELECT copy.id::uuid FROM memoryhub_change c CROSS JOIN LATERAL jsonb_object_keys(c.candidate->'copies') copy (id)
    WHERE c.owner_id = r.owner_id AND c.target_id = r.id AND c.candidate->>'kind' = 'inverse'
    UNION ALL
    SELECT later.id FROM memoryhub_memoryitem old
    JOIN memoryhub_memoryitem later ON later.owner_id = old.owner_id AND later.seq = old.superseded_by_seq
    WHERE old.owner_id = r.owner_id AND old.id = r.id
  ) n
)
SELECT id FROM reached
"""


@dataclass(kw_only=True)
class Slot:
    """One slot's rows in their order of arrival, and its changes in the order they took effect."""

    key: SlotKey
    owner_id: UUID
    kind: str
    rows: list[Row]
    changes: list[Change] = field(default_factory=list)
    inverses: list[Change] = field(default_factory=list)

    @cached_property
    def root_of(self) -> dict[UUID, UUID]:
        """Of each row the row that first held its value: a restored copy stands for what it was copied from."""
        roots = {row.id: row.id for row in self.rows}
        for inverse in self.inverses:
            for copy, original in (inverse.candidate or {}).get("copies", {}).items():
                roots[UUID(copy)] = UUID(original)
        return roots

    @cached_property
    def merged(self) -> frozenset[UUID]:
        """Sentences that a rollback would have let stand again, had not another item said them already."""
        standing = [i.candidate or {} for i in self.inverses if i.state == Change.State.APPLIED]
        return frozenset(UUID(root) for given in standing for root in given.get("merged", []))

    @cached_property
    def latest(self) -> dict[UUID, Row]:
        """Of each value the newest row that holds it."""
        return {self.root_of[row.id]: row for row in self.rows}

    @cached_property
    def by_id(self) -> dict[UUID, Row]:
        return {row.id: row for row in self.rows}

    @cached_property
    def effective(self) -> frozenset[UUID]:
        return frozenset(change.id for change in self.changes if change.state == Change.State.APPLIED)

    @cached_property
    def steps(self) -> list[Step]:
        return [self._step(change) for change in self.changes]

    @cached_property
    def waiting(self) -> frozenset[UUID]:
        """Values that are scheduled and that nobody has opened yet."""
        scheduled = FieldVersion.Status.SCHEDULED
        return frozenset(root for root, row in self.latest.items() if row.status == scheduled)

    def state(self, effective: Collection[UUID], *, now: datetime) -> SlotState:
        """What the slot would hold if these of its changes were in force."""
        return replay(self.steps, effective=frozenset(effective), now=now, waiting=self.waiting)

    def current(self, root: UUID) -> Row | None:
        """The row that holds the value now, if it is believed."""
        row = self.latest.get(root)
        return row if row is not None and row.known_until is None else None

    def number_of(self, row: Row) -> int:
        return row.version if isinstance(row, FieldVersion) else row.seq

    def _step(self, change: Change) -> Step:
        target = self.root_of.get(change.target_id) if change.target_id else None
        row = self.by_id.get(target) if target else None
        makes = change.action in MAKING and row is not None
        before, after = change.before or {}, change.after or {}
        touches = change.action in TOUCHING
        return Step(
            change_id=change.id,
            at=moment_of(change),
            action=change.action,
            target=target,
            is_field=change.target_kind == Change.Target.FIELD_VERSION,
            before=self.root_of.get(change.before_id) if change.before_id else None,
            valid_from=row.valid_from if makes and row else None,
            valid_until=_own_end(change, row) if makes else None,
            ends=_time(before.get("ends"))
            or (row.valid_until if change.action == "remove" and row else None),
            confirmed_before=_confirmed(before) if touches else None,
            confirmed_after=_confirmed(after) if touches else None,
            labels_before=before if change.action == "edit" and "metadata" in before else None,
            labels_after=after if change.action == "edit" and "metadata" in after else None,
        )


def moment_of(change: Change) -> datetime:
    """When a change took effect: of an approved proposal when it was approved, not when it was made."""
    return (change.decided_at if change.candidate is not None else None) or change.created_at


def _own_end(change: Change, row: Row | None) -> datetime | None:
    """Until when the value was to hold by itself, before anything closed it."""
    said = change.candidate or change.after or {}
    if "valid_until" in said:
        return _time(said["valid_until"])
    return row.valid_until if row is not None and row.closed_at is None else None


def _time(value: Any) -> datetime | None:
    return datetime.fromisoformat(value) if value else None


def _confirmed(snapshot: dict[str, Any]) -> tuple[int, str | None] | None:
    if "confirmations" not in snapshot:
        return None
    return snapshot["confirmations"], snapshot["last_confirmed_at"]


def load_slots(changes: Sequence[Change], *, extra_rows: Collection[UUID] = ()) -> list[Slot]:
    """The slots of these changes' targets, and of `extra_rows`; whole. Call inside a scope that sees their owners."""
    owners = {change.owner_id for change in changes}
    versions = {c.target_id for c in changes if c.target_kind == Change.Target.FIELD_VERSION and c.target_id}
    items = {c.target_id for c in changes if c.target_kind == Change.Target.ITEM and c.target_id}
    relations = {c.target_id for c in changes if c.target_kind == Change.Target.RELATION and c.target_id}
    slots = [*_field_slots(owners, versions | set(extra_rows)), *_item_slots(owners, items | set(extra_rows))]
    slots += _relation_slots(owners, relations)
    _add_changes(slots, owners)
    return slots


def _field_slots(owners: set[UUID], version_ids: set[UUID]) -> list[Slot]:
    if not version_ids:
        return []
    hit = FieldVersion.objects.filter(owner_id__in=owners, id__in=version_ids).values_list(
        "owner_id", "form_id", "field_id", "value_key"
    )
    keys = set(hit)
    rows = (
        FieldVersion.objects.filter(
            owner_id__in={key[0] for key in keys},
            form_id__in={key[1] for key in keys},
            field_id__in={key[2] for key in keys},
        )
        .select_related("field", "form")
        .order_by("form_id", "field_id", "version")
    )
    found: dict[SlotKey, list[Row]] = defaultdict(list)
    for row in rows:
        key = (row.owner_id, row.form_id, row.field_id, row.value_key)
        if key in keys:
            found[key].append(row)
    return [
        Slot(key=("field", *key), owner_id=key[0], kind=Change.Target.FIELD_VERSION, rows=members)
        for key, members in found.items()
    ]


def _item_slots(owners: set[UUID], item_ids: set[UUID]) -> list[Slot]:
    """Items of one attribute are one slot; a sentence without one is a slot with its edits."""
    if not item_ids:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_CHAINS, {"owners": list(owners), "items": list(item_ids)})
        reached = [row[0] for row in cursor.fetchall()]
    chained = list(MemoryItem.objects.filter(owner_id__in=owners, id__in=reached))
    attributes = {(i.owner_id, i.subject_entity, i.attribute) for i in chained if i.attribute}
    if attributes:
        chained += MemoryItem.objects.filter(
            owner_id__in={a[0] for a in attributes},
            subject_entity__in={a[1] for a in attributes},
            attribute__in={a[2] for a in attributes},
        )
    items = {item.id: item for item in chained}
    found: dict[SlotKey, list[Row]] = defaultdict(list)
    chains = _Chains(items.values())
    for item in sorted(items.values(), key=lambda i: i.seq):
        if not item.attribute:
            found["item", item.owner_id, chains.head(item)].append(item)
        elif (item.owner_id, item.subject_entity, item.attribute) in attributes:
            found["item", item.owner_id, item.subject_entity, item.attribute].append(item)
    return [
        Slot(key=key, owner_id=key[1], kind=Change.Target.ITEM, rows=members)
        for key, members in found.items()
    ]


def _relation_slots(owners: set[UUID], relation_ids: set[UUID]) -> list[Slot]:
    """Relations of one place, where only one can be true at a time."""
    if not relation_ids:
        return []
    place = ("owner_id", "from_entity_id", "slot", "slot_key")
    keys = set(Relation.objects.filter(owner_id__in=owners, id__in=relation_ids).values_list(*place))
    rows = Relation.objects.filter(owner_id__in=owners, from_entity_id__in={key[1] for key in keys}).whole()
    found: dict[SlotKey, list[Row]] = defaultdict(list)
    for row in rows.order_by("seq"):
        key = (row.owner_id, row.from_entity_id, row.slot, row.slot_key)
        if key in keys:
            found[key].append(row)
    return [
        Slot(key=("relation", *key), owner_id=key[0], kind=Change.Target.RELATION, rows=members)
        for key, members in found.items()
    ]


class _Chains:
    """Which sentences are edits of one another: told by their superseded pointers and by the changes that made them."""

    def __init__(self, items: Iterable[MemoryItem]) -> None:
        rows = {item.id: item for item in items if not item.attribute}
        self._above: dict[UUID, UUID] = {}
        by_seq = {(item.owner_id, item.seq): item.id for item in rows.values()}
        for item in rows.values():
            later = by_seq.get((item.owner_id, item.superseded_by_seq)) if item.superseded_by_seq else None
            if later is not None:
                self._join(item.id, later)
        owners = {item.owner_id for item in rows.values()}
        pairs = Change.objects.filter(
            owner_id__in=owners, target_id__in=list(rows), before_id__isnull=False
        ).values_list("target_id", "before_id", "candidate")
        for target_id, before_id, candidate in pairs if rows else ():
            if target_id is not None and before_id is not None:
                self._join(target_id, before_id)
            for copy, original in ((candidate or {}).get("copies") or {}).items():
                self._join(UUID(copy), UUID(original))

    def head(self, item: MemoryItem) -> UUID:
        return self._find(item.id)

    def _find(self, item_id: UUID) -> UUID:
        while (above := self._above.get(item_id, item_id)) != item_id:
            item_id = above
        return item_id

    def _join(self, first: UUID, second: UUID) -> None:
        heads = sorted((self._find(first), self._find(second)))
        if heads[0] != heads[1]:
            self._above[heads[1]] = heads[0]


def _add_changes(slots: list[Slot], owners: set[UUID]) -> None:
    """Every change that took effect in the slots, in order."""
    slot_of = {row.id: slot for slot in slots for row in slot.rows}
    rows = Change.objects.filter(
        owner_id__in=owners, target_id__in=list(slot_of), state__in=["applied", "reverted"]
    )
    for change in sorted(rows, key=lambda change: change.id):
        assert change.target_id is not None
        slot = slot_of[change.target_id]
        if (change.candidate or {}).get("kind") == INVERSE:
            slot.inverses.append(change)
        elif change.action in MAKING | CLOSING | TOUCHING:
            slot.changes.append(change)
    for slot in slots:
        slot.changes.sort(key=lambda change: (moment_of(change), change.id))
