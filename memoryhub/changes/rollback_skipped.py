"""What a rollback left alone and why, as it is kept with the rollback: codes, numbers and ids, nothing of the memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from memoryhub.changes.reverting_plan import Skipped

MOST_IDS = 500
"""Change ids that are kept per reason; the number counts all."""


def kept_for(owner_id: UUID, skipped: Iterable[Skipped]) -> list[dict[str, Any]]:
    """The owner's own changes that were left alone, per reason: {code, number, changes}."""
    return _by_code((skip for skip in skipped if skip.owner_id == owner_id), with_ids=True)


def kept_for_others(owner_ids: Collection[UUID], skipped: Iterable[Skipped]) -> list[dict[str, Any]]:
    """Numbers alone of the owners who have no change set of their own: no id of theirs stays with somebody else."""
    return _by_code((skip for skip in skipped if skip.owner_id not in owner_ids), with_ids=False)


def merged(*kept: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Per reason how many changes were left alone, of what was kept in several places."""
    numbers: dict[str, int] = {}
    for entries in kept:
        for entry in entries:
            numbers[entry["code"]] = numbers.get(entry["code"], 0) + entry["number"]
    return dict(sorted(numbers.items()))


def _by_code(skipped: Iterable[Skipped], *, with_ids: bool) -> list[dict[str, Any]]:
    ids: dict[str, list[UUID]] = {}
    for skip in skipped:
        ids.setdefault(skip.code, []).extend(skip.change_ids)
    return [
        {
            "code": code,
            "number": len(changes),
            "changes": [str(change) for change in changes[:MOST_IDS]] if with_ids else [],
        }
        for code, changes in sorted(ids.items())
    ]
