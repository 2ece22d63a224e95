"""One memory, an item or a field's value, with everything that leads to it and from it; and the explorer over all items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from memoryhub.changes.following import FOLLOWED
from memoryhub.changes.slots import load_slots
from memoryhub.models import (
    Change,
    FieldVersion,
    ItemSource,
    MemoryItem,
    Owner,
    RecallFeedback,
    Review,
    Usage,
    Workspace,
)
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, page_of
from reviews.queries.derivation import Chains, Memory, derivation_of
from reviews.queries.facts import agent_names
from reviews.queries.memory_sorting import LATEST_FIRST, Sorting
from reviews.queries.names import staff_names
from reviews.queries.scopes import across, of
from reviews.zones import zone_named

MOST = 50
_RECALLS = """
SELECT s.recall_id, s.owner_id, s.at, r.agent_id, r.session_ref, r.query, s.rank, s.tokens, count(*) OVER ()
FROM memoryhub_recallserved s JOIN memoryhub_recall r ON r.owner_id = s.owner_id AND r.id = s.recall_id
WHERE s.workspace_id = %(workspace)s AND s.target_id = %(memory)s
ORDER BY s.at DESC, s.recall_id DESC LIMIT 20
"""


SPARK_DAYS = 30
_PER_DAY = """
SELECT (at AT TIME ZONE %(zone)s)::date, count(*) FROM memoryhub_recallserved /* of every owner_id who was told */
WHERE workspace_id = %(workspace)s AND target_id = %(memory)s AND at >= %(since)s GROUP BY 1
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServedIn:
    """One recall that served the memory; `rank` counts from 1."""

    recall_id: UUID
    owner_id: UUID
    at: datetime
    agent: str
    session_ref: str
    query: str
    rank: int
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryDetail:
    memory: Memory
    chain: Sequence[Memory]
    """Everything that stood in its place, newest first, itself included."""
    changes: Sequence[Change]
    reviews: Sequence[Review]
    sources: Sequence[ItemSource]
    derivation: Chains
    served: Sequence[ServedIn]
    times_served: int
    per_day: Sequence[tuple[date, int]]
    """Recalls that told it on each of the last SPARK_DAYS days of the owner's calendar, nothing left out."""
    feedback: Sequence[RecallFeedback]
    usage: Usage | None
    followed: Usage | None
    """Of a procedure: how often, and when last, agents said that they followed it."""
    agent: str
    names: Mapping[int | None, str]

    @property
    def is_item(self) -> bool:
        return isinstance(self.memory, MemoryItem)

    @property
    def older(self) -> Memory | None:
        return self._beside(1)

    @property
    def newer(self) -> Memory | None:
        return self._beside(-1)

    def _beside(self, step: int) -> Memory | None:
        ids = [row.id for row in self.chain]
        at = ids.index(self.memory.id) + step if self.memory.id in ids else -1
        return self.chain[at] if 0 <= at < len(ids) else None


def _known_by(memory: Memory) -> UUID:
    """The id a memory is known by; of a field version its own."""
    return memory.memory_id if isinstance(memory, MemoryItem) else memory.id


def memory_detail(*, owner: Owner, memory_id: UUID) -> MemoryDetail | None:
    """The item or field version with its surroundings; None when the owner has neither. A fixed number of statements."""
    with of(owner):
        found = find_memory(owner, memory_id)
        if found is None:
            return None
        chain = chain_of(owner, found)
        changes = list(
            Change.objects.of(owner.id).filter(target_id=memory_id).order_by("-created_at", "-id")[:MOST]
        )
        reviews = Review.objects.of(owner.id).filter(change_id__in=[change.id for change in changes])
        usages = list(Usage.objects.of(owner.id).filter(target_id__in={memory_id, _known_by(found)}))
        agents = agent_names(owner.workspace_id)
        decided = list(reviews.order_by("-created_at", "-id")[:MOST])
        surroundings: dict[str, Any] = {
            "changes": changes,
            "reviews": decided,
            "sources": list(
                ItemSource.objects.of(owner.id).filter(item_id=memory_id).select_related("event")[:MOST]
            ),
            "derivation": derivation_of(owner, memory_id),
            "usage": next((each for each in usages if each.target_kind != FOLLOWED), None),
            "followed": next((each for each in usages if each.target_kind == FOLLOWED), None),
            "names": staff_names(row.decided_by_id for row in decided),
            "agent": agents.get(found.agent_id, ""),
        }
    with across(owner.workspace):
        served, times = _served(found, agents)
        per_day = _per_day(found, owner.zone)
        feedback = RecallFeedback.objects.filter(workspace_id=owner.workspace_id, target_id=memory_id)
        told = list(feedback.order_by("-at", "-id")[:MOST])
    return MemoryDetail(
        memory=found,
        chain=chain,
        served=served,
        times_served=times,
        per_day=per_day,
        feedback=told,
        **surroundings,
    )


def find_memory(owner: Owner, memory_id: UUID) -> Memory | None:
    """The owner's item, else field version, of this id. Call inside a scope that sees the owner."""
    item = MemoryItem.objects.of(owner.id).filter(id=memory_id).select_related("event").first()
    if item is not None:
        return item
    versions = FieldVersion.objects.of(owner.id).filter(id=memory_id)
    return versions.select_related("event", "form__form_type", "field").first()


def chain_of(owner: Owner, memory: Memory) -> list[Memory]:
    """What stood and stands in the place of the memory, newest first; at most MOST."""
    if isinstance(memory, FieldVersion):
        versions = FieldVersion.objects.of(owner.id).filter(
            form_id=memory.form_id, field_id=memory.field_id, value_key=memory.value_key
        )
        return list(versions.select_related("event", "form", "field").order_by("-version")[:MOST])
    makers = list(Change.objects.of(owner.id).filter(target_id=memory.id).order_by("created_at", "id")[:MOST])
    # A slot also knows the copies that rollbacks made, which no column links.
    slots = load_slots(makers, extra_rows={memory.id})
    ids = {row.id for slot in slots if memory.id in slot.root_of for row in slot.rows} | {memory.id}
    items = MemoryItem.objects.of(owner.id).filter(id__in=ids)
    return list(items.select_related("event").order_by("-seq")[:MOST])


def _served(memory: Memory, agents: Mapping[UUID | None, str]) -> tuple[list[ServedIn], int]:
    with connection.cursor() as cursor:
        cursor.execute(
            _RECALLS,
            {"workspace": memory.workspace_id, "memory": memory.id},
        )
        rows = cursor.fetchall()
    found = [
        ServedIn(
            recall_id=recall_id,
            owner_id=owner_id,
            at=at,
            agent=agents.get(agent_id, ""),
            session_ref=session_ref,
            query=query,
            rank=rank,
            tokens=tokens,
        )
        for recall_id, owner_id, at, agent_id, session_ref, query, rank, tokens, _n in rows
    ]
    return found, rows[0][-1] if rows else 0


def _per_day(memory: Memory, zone: str) -> list[tuple[date, int]]:
    today = timezone.now().astimezone(zone_named(zone)).date()
    first = today - timedelta(days=SPARK_DAYS - 1)
    with connection.cursor() as cursor:
        cursor.execute(
            _PER_DAY,
            {
                "workspace": memory.workspace_id,
                "memory": memory.id,
                "zone": zone_named(zone).key,
                "since": timezone.now() - timedelta(days=SPARK_DAYS + 1),
            },
        )
        numbers = dict(cursor.fetchall())
    days = [first + timedelta(days=number) for number in range(SPARK_DAYS)]
    return [(day, numbers.get(day, 0)) for day in days]


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryFilter:
    """'' and 0 do not filter. `owner` is a whole reference; the two shares are lower bounds in [0, 1].

    `unsaid`: learned, and last confirmed, at least so many days ago.
    """

    owner: str = ""
    text: str = ""
    kind: str = ""
    status: str = "active"
    importance: float = 0.0
    confidence: float = 0.0
    unsaid: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryRow:
    memory: Memory
    agent: str
    place: Key


def list_memories(
    *,
    workspace: Workspace,
    chosen: MemoryFilter,
    sorting: Sorting = LATEST_FIRST,
    cursor: Cursor | None = None,
) -> Page[MemoryRow]:
    """One page of items, or with kind 'field' of field values, in the order that is asked; none of owners being erased."""
    rows = matching_memories(workspace=workspace, chosen=chosen).filter(sorting.beyond(cursor))
    with across(workspace):
        found = list(rows.order_by(*sorting.order(cursor))[: PAGE_SIZE + 1])
        agents = agent_names(workspace.id)
    listed = [
        MemoryRow(memory=row, agent=agents.get(row.agent_id, ""), place=sorting.place_of(row))
        for row in found
    ]
    return page_of(listed, cursor=cursor)


def all_memories(*, workspace: Workspace, chosen: MemoryFilter, most: int) -> list[tuple[Memory, str]]:
    """Everything the filter lets through with who wrote it, the latest learned first, at most `most`."""
    with across(workspace):
        rows = matching_memories(workspace=workspace, chosen=chosen)
        found = list(rows.order_by("-known_from", "-id")[:most])
        agents = agent_names(workspace.id)
    return [(row, agents.get(row.agent_id, "")) for row in found]


def matching_memories(*, workspace: Workspace, chosen: MemoryFilter) -> QuerySet[Any]:
    """Everything the filter lets through, unordered; none of owners being erased. Call inside a scope of the workspace."""
    rows = _fields(chosen) if chosen.kind == "field" else _items(chosen)
    rows = rows.filter(
        workspace_id=workspace.id, importance__gte=chosen.importance, confidence__gte=chosen.confidence
    )
    rows = rows.filter(owner__ref=chosen.owner) if chosen.owner else rows
    rows = rows.filter(status=chosen.status) if chosen.status else rows
    if chosen.unsaid:
        before = timezone.now() - timedelta(days=chosen.unsaid)
        rows = rows.filter(known_from__lt=before).exclude(last_confirmed_at__gte=before)
    return rows.exclude(owner__state=Owner.State.ERASING)


def _items(chosen: MemoryFilter) -> QuerySet[Any]:
    rows = MemoryItem.objects.select_related("owner__workspace", "event")
    rows = rows.filter(kind=chosen.kind) if chosen.kind else rows
    return rows.filter(content__icontains=chosen.text) if chosen.text else rows


def _fields(chosen: MemoryFilter) -> QuerySet[Any]:
    rows = FieldVersion.objects.select_related("owner__workspace", "event", "form__form_type", "field")
    return rows.filter(value__icontains=chosen.text) if chosen.text else rows
