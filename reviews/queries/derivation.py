"""What a memory rests on and what was concluded from it, to the end of both chains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from memoryhub.models import FieldVersion, MemoryItem, Owner

MOST_STEPS = 6
MOST_SHOWN = 100

type Memory = MemoryItem | FieldVersion

_CHAINS = """
WITH RECURSIVE down (id, depth) AS (
  SELECT d.item_id, 1 FROM memoryhub_derivation d
  WHERE d.owner_id = %(owner)s AND (d.source_item_id = %(memory)s OR d.source_version_id = %(memory)s)
  UNION
  SELECT d.item_id, down.depth + 1 FROM down
  JOIN memoryhub_derivation d ON d.owner_id = %(owner)s AND d.source_item_id = down.id WHERE down.depth < %(steps)s
), up (id, depth) AS (
  SELECT coalesce(d.source_item_id, d.source_version_id), 1 FROM memoryhub_derivation d
  WHERE d.owner_id = %(owner)s AND d.item_id = %(memory)s
  UNION
  SELECT coalesce(d.source_item_id, d.source_version_id), up.depth + 1 FROM up
  JOIN memoryhub_derivation d ON d.owner_id = %(owner)s AND d.item_id = up.id WHERE up.depth < %(steps)s
)
SELECT 'up', id, min(depth) FROM up WHERE id IS NOT NULL GROUP BY id
UNION ALL SELECT 'down', id, min(depth) FROM down GROUP BY id
ORDER BY 1, 3, 2 LIMIT %(most)s
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """A memory on one of the chains, `depth` steps away (from 1)."""

    memory: Memory
    depth: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Chains:
    """Nearest first. `rests_on` leads to the sources, `led_to` to the conclusions."""

    rests_on: Sequence[Step] = ()
    led_to: Sequence[Step] = ()


def derivation_of(owner: Owner, memory_id: UUID) -> Chains:
    """Both chains of a memory of the owner, at most MOST_STEPS far; three statements. Call inside a scope of the owner."""
    with connection.cursor() as cursor:
        cursor.execute(
            _CHAINS, {"owner": owner.id, "memory": memory_id, "steps": MOST_STEPS, "most": MOST_SHOWN}
        )
        found = cursor.fetchall()
    ids = {row_id for _way, row_id, _depth in found}
    memories: dict[UUID, Memory] = {row.id: row for row in MemoryItem.objects.of(owner.id).filter(id__in=ids)}
    versions = FieldVersion.objects.of(owner.id).filter(id__in=ids).select_related("field")
    memories |= {row.id: row for row in versions}
    return Chains(
        rests_on=_steps(found, "up", memories),
        led_to=_steps(found, "down", memories),
    )


def _steps(
    found: Iterable[tuple[str, UUID, int]], way: str, memories: Mapping[UUID, Memory]
) -> Sequence[Step]:
    return [
        Step(memory=memories[row_id], depth=depth)
        for one, row_id, depth in found
        if one == way and row_id in memories
    ]
