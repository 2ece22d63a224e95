"""Memory items as agents ask for them. Call inside a scope of the owner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Case, F, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce, Now

from api.pagination import Order
from memoryhub.changes.following import FOLLOWED
from memoryhub.models import Change, MemoryItem, Usage
from memoryhub.models.memory import MemoryItemQuerySet

NEWEST_FIRST = Order(fields=("seq", "id"), kinds=(int, UUID))
LONGEST_CHAIN = 200
"""How many steps of a memory's history are answered."""

MOST_STEPS = 500
"""How many steps of a memory's history are answered, the newest of them."""

CHAIN = """
WITH RECURSIVE chain AS (
  SELECT id, seq, superseded_by_seq, COALESCE(first_id, id) AS memory
    FROM memoryhub_memoryitem WHERE owner_id = %(owner)s AND id = %(item)s
  UNION
  SELECT m.id, m.seq, m.superseded_by_seq, COALESCE(m.first_id, m.id) FROM memoryhub_memoryitem m JOIN chain c
    ON m.superseded_by_seq = c.seq OR m.seq = c.superseded_by_seq OR m.first_id = c.memory OR m.id = c.memory
   WHERE m.owner_id = %(owner)s
)
SELECT id FROM chain ORDER BY seq DESC LIMIT %(most)s
"""


def memories_of(owner_id: UUID, asked: dict[str, Any]) -> MemoryItemQuerySet:
    """The owner's memories that hold at the asked times, or have the asked status."""
    items: MemoryItemQuerySet = MemoryItem.objects.of(owner_id)
    if "status" in asked:
        items = items.filter(status=asked["status"])
    else:
        items = items.holding(valid_at=asked.get("valid_at", Now()), known_at=asked.get("known_at", Now()))
    if "kind" in asked:
        items = items.filter(kind=asked["kind"])
    if "entity" in asked:
        items = items.filter(entities__contains=[asked["entity"]])
    return items


def with_beginning(items: MemoryItemQuerySet) -> MemoryItemQuerySet:
    """Each with `begun_at` and `begun_by`: when, and by which agent, its first wording was written; and how often it was `followed`."""
    first = MemoryItem.objects.filter(owner_id=OuterRef("owner_id"), id=OuterRef("first_id"))
    followed = Usage.objects.filter(
        owner_id=OuterRef("owner_id"),
        target_kind=FOLLOWED,
        target_id=Coalesce(OuterRef("first_id"), OuterRef("id")),
    )
    known: MemoryItemQuerySet = items.annotate(
        followed=Coalesce(Subquery(followed.values("access_count")[:1]), 0),
        begun_at=Coalesce(Subquery(first.values("created_at")[:1]), "created_at"),
        begun_by=Case(
            When(first_id=None, then=F("agent_id")), default=Subquery(first.values("agent_id")[:1])
        ),
    )
    return known


def steps_of(history: Sequence[MemoryItem]) -> list[Change]:
    """Every change that made, moved or ended any of these rows, oldest first; one statement."""
    if not history:
        return []
    ids = [item.id for item in history]
    steps = Change.objects.of(history[0].owner_id).filter(
        Q(target_id__in=ids) | Q(before_id__in=ids), target_kind=Change.Target.ITEM
    )
    newest = steps.select_related("change_set").order_by("-created_at", "-id")[:MOST_STEPS]
    return list(newest)[::-1]


def history_of(owner_id: UUID, item_id: UUID) -> list[MemoryItem]:
    """Every wording of the memory, what it superseded and what superseded it, oldest first; two statements."""
    with connection.cursor() as cursor:
        cursor.execute(CHAIN, {"owner": owner_id, "item": item_id, "most": LONGEST_CHAIN})
        found = [row[0] for row in cursor.fetchall()]
    return list(with_beginning(MemoryItem.objects.of(owner_id).filter(id__in=found)).order_by("seq"))
