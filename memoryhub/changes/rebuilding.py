"""The state of an owner's memory: told by its rows, and rebuilt from its changes alone. The two must be equal."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now

from memoryhub.changes.rollback_scope import INVERSE
from memoryhub.changes.slot_history import CLOSING, MAKING, TOUCHING, Step, replay
from memoryhub.changes.slots import moment_of
from memoryhub.language.values import normalise_value
from memoryhub.models import Change, FieldDefinition, FieldVersion, MemoryItem, Relation
from memoryhub.writing.snapshots import relation_snapshot

type Content = tuple[str, ...]
"""('field', form type, subject, field, normalised value), ('item', kind, sentence, entities as JSON) or ('relation', start, kind, end)."""


def stored_state(*, owner_id: UUID) -> frozenset[Content]:
    """What the rows say is current. Call inside a scope."""
    versions = FieldVersion.objects.of(owner_id).filter(_stands())
    fields = versions.values_list("form__form_type__name", "form__subject", "field__name", "value_norm")
    items = MemoryItem.objects.of(owner_id).filter(_stands())
    relations = Relation.objects.of(owner_id).filter(_stands()).whole()
    return frozenset(
        [("field", *row) for row in fields]
        + [("relation", *_parts(relation_snapshot(relation, ends=None))) for relation in relations]
        + [
            _item(kind, content, entities)
            for kind, content, entities in items.values_list("kind", "content", "entities")
        ]
    )


def state_hash(*, owner_id: UUID) -> str:
    """64 hexadecimal digits over current values and sentences with everything that is said about them, but no row ids."""
    about = (
        "valid_from",
        "valid_until",
        "confidence",
        "importance",
        "trust_tier",
        "basis",
        "quote",
        "confirmations",
    )
    shared = (*about, "last_confirmed_at", "event_id", "agent_id")
    versions = FieldVersion.objects.of(owner_id).filter(_stands())
    items = MemoryItem.objects.of(owner_id).filter(_stands())
    told = [
        *versions.values_list(
            "form__form_type__name", "form__subject", "field__name", "value", "value_norm", *shared
        ),
        *items.values_list(
            "kind", "content", "entities", "subject_entity", "attribute", "value_key", "metadata", *shared
        ),
    ]
    lines = sorted(json.dumps(row, ensure_ascii=False, sort_keys=True, default=str) for row in told)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _stands() -> Q:
    """Marked active, and its own time is not over."""
    return Q(status="active") & (Q(valid_until=None) | Q(valid_until__gt=Now()))


def rebuild_state(*, owner_id: UUID, now: datetime) -> frozenset[Content]:
    """What the changes say is current: the ones in force replayed slot by slot. Reads no version and no item."""
    changes = list(Change.objects.of(owner_id).filter(state__in=["applied", "reverted"]))
    changes.sort(key=lambda change: (moment_of(change), change.id))
    roots, merged = _roots(changes), _merged(changes)
    found: set[Content] = set()
    for members in _by_slot([c for c in changes if not _is_inverse(c)], roots).values():
        effective = frozenset(c.id for c in members if c.state == Change.State.APPLIED)
        state = replay([_step(c, roots) for c in members], effective=effective, now=now)
        if state.standing is not None and state.standing.row not in merged:
            maker = next(c for c in members if c.id == state.standing.made_by)
            found.add(_content(maker, state.labels.get(state.standing.row)))
    return frozenset(found)


def _merged(changes: list[Change]) -> set[UUID]:
    """Sentences that did not come back because another item says them."""
    inverses = [c.candidate or {} for c in changes if _is_inverse(c) and c.state == Change.State.APPLIED]
    return {UUID(root) for inverse in inverses for root in inverse.get("merged", [])}


def _is_inverse(change: Change) -> bool:
    return (change.candidate or {}).get("kind") == INVERSE


def _roots(changes: list[Change]) -> dict[UUID, UUID]:
    return {
        UUID(copy): UUID(original)
        for change in changes
        if _is_inverse(change) and change.candidate
        for copy, original in change.candidate.get("copies", {}).items()
    }


def _by_slot(changes: list[Change], roots: dict[UUID, UUID]) -> dict[Any, list[Change]]:
    """The changes of each slot, in order. Told from what they are about, and of sentences from what replaced what."""
    multi = set(FieldDefinition.objects.filter(multi_valued=True).values_list("form_type__name", "name"))
    slots: dict[Any, list[Change]] = defaultdict(list)
    slot_of: dict[UUID, Any] = {}
    for change in changes:
        if change.action not in MAKING | CLOSING | TOUCHING or change.target_id is None:
            continue
        target = roots.get(change.target_id, change.target_id)
        before = roots.get(change.before_id, change.before_id) if change.before_id else None
        key: Any = (
            slot_of.get(target) or (slot_of.get(before) if before else None) or _key(change, target, multi)
        )
        slot_of[target] = key
        slots[key].append(change)
    return slots


def _key(change: Change, target: UUID, multi: set[tuple[str, str]]) -> Any:
    said = change.candidate or change.after or {}
    if change.target_kind == Change.Target.FIELD_VERSION:
        place = (change.form_type, change.form_subject, change.field_name)
        is_multi = (change.form_type, change.field_name) in multi
        norm = (change.after or {}).get("norm") or (change.before or {}).get("norm", "")
        return (*place, norm) if is_multi else place
    if change.target_kind == Change.Target.RELATION:
        placed = (change.after or {}).get("place") or (change.before or {}).get("place")
        return ("relation", *placed) if placed else target
    if attribute := normalise_value(said.get("attribute", ""), "text"):
        return (normalise_value(said.get("subject_entity", ""), "text"), attribute)
    return target


def _step(change: Change, roots: dict[UUID, UUID]) -> Step:
    before, after = change.before or {}, change.after or {}
    said = change.candidate or after
    begins = _time(after.get("valid_from")) or _time(said.get("valid_from")) or moment_of(change)
    target = roots.get(change.target_id, change.target_id) if change.target_id else None
    return Step(
        change_id=change.id,
        at=moment_of(change),
        action=change.action,
        target=target,
        is_field=change.target_kind == Change.Target.FIELD_VERSION,
        before=roots.get(change.before_id, change.before_id) if change.before_id else None,
        valid_from=begins,
        valid_until=_time(said.get("valid_until")),
        ends=_time(before.get("ends")),
        labels_before=before if change.action == "edit" and "metadata" in before else None,
        labels_after=after if change.action == "edit" and "metadata" in after else None,
    )


def _time(value: Any) -> datetime | None:
    return datetime.fromisoformat(value) if value else None


def _content(maker: Change, labels: dict[str, Any] | None) -> Content:
    after, said = maker.after or {}, maker.candidate or maker.after or {}
    if maker.target_kind == Change.Target.FIELD_VERSION:
        return ("field", maker.form_type, maker.form_subject, maker.field_name, after["norm"])
    if maker.target_kind == Change.Target.RELATION:
        return ("relation", *_parts(after if "from" in after else _as_parts(maker.candidate or {})))
    kind = said.get("item_kind") or said["kind"]
    return _item(kind, after["content"], (labels or said).get("entities", []))


def _parts(snapshot: dict[str, Any]) -> tuple[str, str, str]:
    end = snapshot["to"]["name"] if snapshot["to"] else snapshot["value"]
    return (snapshot["from"]["name"], snapshot["relation"], end)


def _as_parts(candidate: dict[str, Any]) -> dict[str, Any]:
    """The parts of a relation that was proposed first, as its snapshot would say them."""
    end = {"name": candidate["to_name"]} if candidate["to_name"] else None
    return {
        "from": {"name": candidate["from_name"]},
        "relation": candidate["relation"],
        "to": end,
        "value": candidate["value"],
    }


def _item(kind: str, content: str, entities: Any) -> Content:
    return ("item", kind, content, json.dumps(list(entities), ensure_ascii=False))
