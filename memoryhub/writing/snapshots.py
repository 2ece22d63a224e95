"""What a change writes down of a value, so that the state can be rebuilt from the changes alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memoryhub.models import FieldVersion, MemoryItem


def version_snapshot(version: FieldVersion) -> dict[str, Any]:
    """Value, number, normalised value, and since and until when it was true as the row says it now."""
    return {
        "value": version.value,
        "version": version.version,
        "norm": version.value_norm,
        **_clocks(version),
    }


def item_snapshot(item: MemoryItem) -> dict[str, Any]:
    """The sentence with what identifies it."""
    return {
        "content": item.content,
        "seq": item.seq,
        "kind": item.kind,
        "entities": list(item.entities),
        "subject_entity": item.subject_entity,
        "attribute": item.attribute,
        "value_key": item.value_key,
        **_clocks(item),
    }


def confirmed_snapshot(count: int, last: datetime | None) -> dict[str, Any]:
    """How often and when last a value was confirmed, before or after one more time."""
    return {"confirmations": count, "last_confirmed_at": last.isoformat() if last else None}


def _clocks(row: FieldVersion | MemoryItem) -> dict[str, str | None]:
    until = row.valid_until
    return {
        "valid_from": row.valid_from.isoformat(),
        "valid_until": until.isoformat() if until else None,
    }
