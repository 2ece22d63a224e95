"""The preview of a rollback: what stands, what stood, what will stand, and the digest that binds an execution to it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from memoryhub.changes.reverting_plan import Draft, Skipped
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.changes.slots import Row
from memoryhub.changes.turns import Conflict, Effect, Supported, Turn
from memoryhub.models import Change, FieldVersion

_SERVED = """
SELECT target_id, count(DISTINCT recall_id) FROM memoryhub_recallserved /* of every owner_id who was told */
WHERE workspace_id = %(workspace)s AND at >= %(since)s AND target_id = ANY(%(rows)s)
GROUP BY GROUPING SETS ((target_id), ())
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanItem:
    """One slot or proposal of the preview. `before`, `now`, `after` are values or sentences; None is nothing.

    `before` is what stood before the first of the changes, `after` what will stand; where they differ there is a conflict, and
    ticking its `key` makes `after` equal `before`. `target_id` is the row that stands now.
    """

    key: str
    owner_id: UUID
    kind: str
    effect: Effect
    form_type: str = ""
    form_subject: str = ""
    field_name: str = ""
    before: Any = None
    now: Any = None
    after: Any = None
    target_id: UUID | None = None
    change_ids: tuple[UUID, ...] = ()
    conflict: Conflict = ""
    conflict_change_id: UUID | None = None
    conflict_agent_id: UUID | None = None
    conflict_at: datetime | None = None
    is_derived: bool = False
    support: int = 0
    """Of a derived item that stays: how many sources are left."""
    served: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class RollbackPlan:
    """What would happen. `items` come in the order of their first change; `counts` by effect."""

    workspace_id: UUID
    scope: RollbackScope
    items: tuple[PlanItem, ...]
    kept_derived: tuple[PlanItem, ...]
    """Derived items that lose a source and keep others."""
    skipped: tuple[Skipped, ...]
    counts: dict[str, int]
    changes: int
    recalls: int
    digest: str
    needs_job: bool
    reason: str
    span: tuple[datetime, datetime] | None = None
    """When the first and the last of the changes were made."""

    @property
    def conflicts(self) -> tuple[PlanItem, ...]:
        return tuple(item for item in self.items if item.conflict)


def make_plan(draft: Draft, *, workspace_id: UUID, needs_job: bool) -> RollbackPlan:
    """The preview of a draft; counts the recalls that served what would go."""
    served, recalls = _served(draft, workspace_id=workspace_id)
    items = slot_items(draft, served=served)
    return RollbackPlan(
        workspace_id=workspace_id,
        scope=draft.scope,
        items=tuple(items),
        kept_derived=tuple(_supported_item(entry) for entry in draft.supported),
        skipped=tuple(draft.skipped),
        counts=count_effects(items),
        changes=draft.size,
        recalls=recalls,
        digest=digest_of(draft),
        needs_job=needs_job,
        reason=make_reason(draft),
        span=span_of(draft),
    )


def slot_items(draft: Draft, *, served: Mapping[UUID, int]) -> list[PlanItem]:
    """Every slot and proposal of the draft as the preview and the result show it."""
    items = [_slot_item(turn, served) for turn in draft.turns]
    items += [_proposal_item(change, "withdraw") for change in draft.withdrawn]
    return items + [_proposal_item(change, "repropose") for change in draft.reproposed]


def count_effects(items: Iterable[PlanItem]) -> dict[str, int]:
    return dict(Counter(item.effect for item in items))


def digest_of(draft: Draft) -> str:
    """64 hexadecimal digits over what would be done; moves when any of it does."""
    shown = [
        [
            turn.key,
            sorted((str(change), is_on) for change, is_on in turn.flips.items()),
            turn.conflict,
            str(turn.against.id) if turn.against else "",
            str(turn.standing_before.id) if turn.standing_before else "",
            str(turn.standing_after.id) if turn.standing_after else "",
        ]
        for turn in draft.turns
    ]
    waiting = sorted(str(c.id) for c in [*draft.withdrawn, *draft.reproposed])
    text = json.dumps([shown, waiting], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _served(draft: Draft, *, workspace_id: UUID) -> tuple[dict[UUID, int], int]:
    """Per row how many recalls told it since it was written, and how many recalls told any."""
    rows = [row for turn in draft.turns for row in turn.slot.rows if turn.slot.root_of[row.id] in turn.lost]
    if not rows:
        return {}, 0
    with connection.cursor() as cursor:
        cursor.execute(
            _SERVED,
            {
                "workspace": workspace_id,
                "since": min(row.known_from for row in rows),
                "rows": [row.id for row in rows],
            },
        )
        counted = dict(cursor.fetchall())
    return counted, counted.pop(None, 0)


def _slot_item(turn: Turn, served: Mapping[UUID, int]) -> PlanItem:
    change = next(c for c in turn.slot.changes if str(c.id) == turn.key)
    now = turn.standing_before
    reset = turn.slot.latest.get(turn.reset.standing.row) if turn.reset.standing else None
    return PlanItem(
        key=turn.key,
        owner_id=turn.slot.owner_id,
        kind=turn.slot.kind,
        effect=turn.effect,
        form_type=change.form_type,
        form_subject=change.form_subject,
        field_name=change.field_name,
        before=said_by(reset),
        now=said_by(now),
        after=said_by(turn.standing_after),
        target_id=now.id if now else None,
        change_ids=tuple(turn.flips),
        conflict=turn.conflict,
        conflict_change_id=turn.against.id if turn.against else None,
        conflict_agent_id=turn.against.agent_id if turn.against else None,
        conflict_at=turn.against.created_at if turn.against else None,
        is_derived=turn.is_derived,
        served=sum(served.get(row.id, 0) for row in turn.slot.rows if turn.slot.root_of[row.id] in turn.lost),
    )


def _proposal_item(change: Change, effect: Effect) -> PlanItem:
    name = "value" if change.target_kind == Change.Target.FIELD_VERSION else "content"
    return PlanItem(
        key=str(change.id),
        owner_id=change.owner_id,
        kind=change.target_kind,
        effect=effect,
        form_type=change.form_type,
        form_subject=change.form_subject,
        field_name=change.field_name,
        now=(change.after or {}).get(name),
        change_ids=(change.id,),
    )


def _supported_item(entry: Supported) -> PlanItem:
    row = entry.slot.latest[entry.item_id]
    return PlanItem(
        key=str(entry.item_id),
        owner_id=entry.slot.owner_id,
        kind=entry.slot.kind,
        effect="unchanged",
        now=said_by(row),
        after=said_by(row),
        target_id=row.id,
        is_derived=True,
        support=entry.support,
    )


def said_by(row: Row | None) -> Any:
    """The value of a version, the sentence of an item."""
    if row is None:
        return None
    return row.value if isinstance(row, FieldVersion) else row.content


def make_reason(draft: Draft) -> str:
    """The sentence that is written in advance for the person to edit."""
    moved, span = _moved(draft), span_of(draft)
    if span is None:
        return ""
    first, last = span
    what = "1 change" if len(moved) == 1 else f"{len(moved)} changes"
    if first == last:
        return f"Rolled back {what} made {first:%Y-%m-%d %H:%M} UTC"
    end = f"{last:%H:%M}" if last.date() == first.date() else f"{last:%Y-%m-%d %H:%M}"
    return f"Rolled back {what} made between {first:%Y-%m-%d %H:%M} and {end} UTC"


def span_of(draft: Draft) -> tuple[datetime, datetime] | None:
    """When the first and the last of the changes were made; None when there are none."""
    made = [change.created_at for change in _moved(draft)]
    return (min(made), max(made)) if made else None


def _moved(draft: Draft) -> list[Change]:
    moved = [c for turn in draft.turns for c in turn.slot.changes if c.id in turn.flips]
    return moved + draft.withdrawn
