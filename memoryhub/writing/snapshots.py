"""What a change writes down of a value, so that the state can be rebuilt from the changes alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memoryhub.models import FieldVersion, MemoryItem


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
        **_clocks(item.valid_from, ends),
    }


def confirmed_snapshot(count: int, last: datetime | None) -> dict[str, Any]:
    """How often and when last a value was confirmed, before or after one more time."""
    return {"confirmations": count, "last_confirmed_at": last.isoformat() if last else None}


def _clocks(begins: datetime, ends: datetime | None) -> dict[str, str | None]:
    return {"valid_from": begins.isoformat(), "valid_until": ends.isoformat() if ends else None}
