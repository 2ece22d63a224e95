"""Does the evidence of a change still stand, and is what a person approves still what he was shown?"""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memoryhub import owner_keys
from memoryhub.changes.promoted import is_promoted, source_stands
from memoryhub.language.masking import locate_masked
from memoryhub.models import Change, Event, FieldVersion, MemoryItem, Relation, Review
from memoryhub.models.base import OwnerQuerySet


def evidence_stands(change: Change, event: Event | None) -> bool:
    """Whether the quote occurs in its event. A change that never had an event or a quote has nothing that could move;
    what was promoted rests on the memory it came from."""
    if is_promoted(change):
        return source_stands(change)
    if change.event_id is None:
        return not change.quote
    if event is None:
        return False
    return not change.quote or locate_masked(change.quote, event.content) is not None


def standing_of(change: Change) -> UUID | None:
    """The id of what holds now where the change would write: the value under review must not move unseen."""
    if change.target_kind == Change.Target.ITEM:
        before = Q(id=change.before_id, status=MemoryItem.Status.ACTIVE)
        return MemoryItem.objects.of(change.owner_id).filter(before).values_list("id", flat=True).first()
    if change.target_kind == Change.Target.RELATION:
        live = Q(id=change.before_id, status=Relation.Status.ACTIVE)
        return Relation.objects.of(change.owner_id).filter(live).values_list("id", flat=True).first()
    active = _versions_of(change).filter(status=FieldVersion.Status.ACTIVE)
    return active.values_list("id", flat=True).first()


def moved_since(change: Change, at: datetime) -> bool:
    """Whether something was written or closed after `at` where the change would write."""
    moved = Q(closed_at__gt=at) | Q(known_until__gt=at)
    if change.target_kind == Change.Target.ITEM:
        if change.before_id is None:
            return False
        return MemoryItem.objects.of(change.owner_id).filter(moved, id=change.before_id).exists()
    if change.target_kind == Change.Target.RELATION:
        if change.before_id is None:
            return False
        return Relation.objects.of(change.owner_id).filter(moved, id=change.before_id).exists()
    return _versions_of(change).filter(moved | Q(known_from__gt=at)).exists()


def _versions_of(change: Change) -> OwnerQuerySet[FieldVersion]:
    """Every version of the place a change of a field would write to; of several values, of that value."""
    slot = Q(field__multi_valued=False) | Q(value_norm=(change.after or {}).get("norm", ""))
    return FieldVersion.objects.of(change.owner_id).filter(
        slot,
        form__form_type__name=change.form_type,
        form__subject=change.form_subject,
        field__name=change.field_name,
    )


def standings_of(changes: Sequence[Change]) -> dict[UUID, UUID | None]:
    """`standing_of` for many changes of any owners of the scope, in three statements."""
    owners = {change.owner_id for change in changes}
    items = [change for change in changes if change.target_kind == Change.Target.ITEM]
    live = MemoryItem.objects.filter(
        owner_id__in=owners,
        id__in=[change.before_id for change in items if change.before_id],
        status=MemoryItem.Status.ACTIVE,
    )
    standing: dict[UUID, UUID | None] = dict.fromkeys((change.id for change in changes), None)
    live_ids = set(live.values_list("id", flat=True))
    standing |= {change.id: change.before_id for change in items if change.before_id in live_ids}
    live_ids |= _standing_relations(changes)
    relations = [change for change in changes if change.target_kind == Change.Target.RELATION]
    standing |= {change.id: change.before_id for change in relations if change.before_id in live_ids}
    fields = [change for change in changes if change.target_kind == Change.Target.FIELD_VERSION]
    versions = FieldVersion.objects.filter(
        owner_id__in=owners,
        form__form_type__name__in={change.form_type for change in fields},
        field__name__in={change.field_name for change in fields},
        status=FieldVersion.Status.ACTIVE,
    ).select_related("form__form_type", "field")
    slots: dict[tuple[UUID, str, str, str], list[FieldVersion]] = {}
    for row in versions:
        key = (row.owner_id, row.form.form_type.name, row.form.subject, row.field.name)
        slots.setdefault(key, []).append(row)
    for change in fields:
        norm = (change.after or {}).get("norm", "")
        key = (change.owner_id, change.form_type, change.form_subject, change.field_name)
        holding = [r for r in slots.get(key, []) if not r.field.multi_valued or r.value_norm == norm]
        standing[change.id] = holding[0].id if holding else None
    return standing


def _standing_relations(changes: Sequence[Change]) -> set[UUID]:
    before = [c.before_id for c in changes if c.target_kind == Change.Target.RELATION and c.before_id]
    if not before:
        return set()
    live = Relation.objects.filter(
        owner_id__in={change.owner_id for change in changes}, id__in=before, status=Relation.Status.ACTIVE
    )
    return set(live.values_list("id", flat=True))


def approval_token(review: Review, change: Change, standing: UUID | None) -> str:
    """Binds an approval to what was shown: the review's version, the text, its evidence and the standing value."""
    shown = json.dumps(
        [str(review.id), review.version, change.after, change.quote, str(change.event_id), str(standing)],
        ensure_ascii=False,
        sort_keys=True,
    )
    return hmac.digest(
        owner_keys.owner_key(review.owner_id), shown.encode("utf-8", "surrogatepass"), "sha256"
    ).hex()
