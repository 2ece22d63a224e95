"""What a change writes down of a value, so that the state can be rebuilt from the changes alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memoryhub.models import Entity, FieldVersion, MemoryItem, Relation
from memoryhub.writing.admission import Admission
from memoryhub.writing.candidates import AnyCandidate, FormCandidate


def described(
    candidate: AnyCandidate, admission: Admission, *, gates: Sequence[str] | None = None
) -> dict[str, Any]:
    """The columns of a Change that say what it is about and how sure we are; `gates` in place of those of the admission."""
    of_field = {}
    if isinstance(candidate, FormCandidate):
        of_field = {
            "form_type": candidate.form_type,
            "form_subject": candidate.subject,
            "field_name": candidate.field,
        }
    return {
        **of_field,
        "quote": candidate.quote,
        "gates": list(admission.gates if gates is None else gates),
        "importance": admission.importance,
        "importance_parts": [list(part) for part in candidate.importance.parts]
        if candidate.importance
        else [],
        "confidence": admission.confidence,
        "basis": candidate.basis,
    }


def version_snapshot(version: FieldVersion, *, ends: datetime | None) -> dict[str, Any]:
    """Value, number, normalised value, since when it is true, and when it ends by itself (whatever replaces it)."""
    return {
        "value": version.value,
        "version": version.version,
        "norm": version.value_norm,
        **_clocks(version.valid_from, ends),
    }


def item_snapshot(item: MemoryItem, *, ends: datetime | None) -> dict[str, Any]:
    """The sentence with what identifies it, and its times as in `version_snapshot`."""
    return {
        "content": item.content,
        "seq": item.seq,
        "kind": item.kind,
        "entities": list(item.entities),
        "subject_entity": item.subject_entity,
        "attribute": item.attribute,
        "value_key": item.value_key,
        **({"procedure": item.procedure} if item.procedure is not None else {}),
        **_clocks(item.valid_from, ends),
    }


def relation_snapshot(relation: Relation, *, ends: datetime | None) -> dict[str, Any]:
    """The relation in one sentence and in its parts; `place` is where only one can be true at a time."""
    return {
        "content": relation.content,
        "seq": relation.seq,
        "relation": relation.kind.name,
        "from": _end(relation.from_entity),
        "to": _end(relation.to_entity),
        "value": relation.value,
        "strength": relation.strength,
        "impact": relation.impact,
        "resolution": relation.resolution,
        "place": [str(relation.from_entity_id), relation.slot, relation.slot_key],
        **_clocks(relation.valid_from, ends),
    }


def _end(entity: Entity | None) -> dict[str, str] | None:
    return None if entity is None else {"kind": entity.kind.name, "name": entity.name}


def confirmed_snapshot(count: int, last: datetime | None) -> dict[str, Any]:
    """How often and when last a value was confirmed, before or after one more time."""
    return {"confirmations": count, "last_confirmed_at": last.isoformat() if last else None}


def _clocks(begins: datetime, ends: datetime | None) -> dict[str, str | None]:
    return {"valid_from": begins.isoformat(), "valid_until": ends.isoformat() if ends else None}
