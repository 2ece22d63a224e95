"""Memory items as agents ask for them. Call inside a scope of the owner."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Now

from api.pagination import Order
from memoryhub.models import MemoryItem

NEWEST_FIRST = Order(fields=("seq", "id"), kinds=(int, UUID))
LONGEST_CHAIN = 200
"""How many steps of a memory's history are answered."""

CHAIN = """
WITH RECURSIVE chain AS (
  SELECT id, seq, superseded_by_seq FROM memoryhub_memoryitem WHERE owner_id = %(owner)s AND id = %(item)s
  UNION
  SELECT m.id, m.seq, m.superseded_by_seq FROM memoryhub_memoryitem m JOIN chain c
    ON m.superseded_by_seq = c.seq OR m.seq = c.superseded_by_seq
   WHERE m.owner_id = %(owner)s
)
SELECT id FROM chain ORDER BY seq DESC LIMIT %(most)s
"""


def memories_of(owner_id: UUID, asked: dict[str, Any]) -> QuerySet[MemoryItem]:
    """The owner's memories that hold at the asked times, or have the asked status."""
    items = MemoryItem.objects.of(owner_id)
    if "status" in asked:
        items = items.filter(status=asked["status"])
    else:
        items = items.holding(valid_at=asked.get("valid_at", Now()), known_at=asked.get("known_at", Now()))
    if "kind" in asked:
        items = items.filter(kind=asked["kind"])
    if "entity" in asked:
        items = items.filter(entities__contains=[asked["entity"]])
    return items


def history_of(owner_id: UUID, item_id: UUID) -> list[MemoryItem]:
    """The memory with everything it superseded and everything that superseded it, oldest first; two statements."""
    with connection.cursor() as cursor:
        cursor.execute(CHAIN, {"owner": owner_id, "item": item_id, "most": LONGEST_CHAIN})
        found = [row[0] for row in cursor.fetchall()]
    return list(MemoryItem.objects.of(owner_id).filter(id__in=found).order_by("seq"))
