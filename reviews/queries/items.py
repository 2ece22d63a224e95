"""An owner's memory items."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import BadRequest
from django.db.models import QuerySet

from memoryhub.models import MemoryItem, Owner
from reviews.as_of import AsOf
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, page_of
from reviews.queries.facts import agent_names
from reviews.queries.scopes import of


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemRow:
    item: MemoryItem
    agent: str

    @property
    def place(self) -> Key:
        return (str(self.item.seq),)


def list_items(
    *,
    owner: Owner,
    kind: str = "",
    status: str = "active",
    text: str = "",
    cursor: Cursor | None = None,
    as_of: AsOf | None = None,
) -> tuple[Page[ItemRow], int]:
    """One page of items, newest first, and how many match. `text` is looked for anywhere in the sentence.

    As of another time: what held then, as far as it was known; the state of now does not count.
    """
    rows = MemoryItem.objects.of(owner.id)
    rows = rows.filter(kind=kind) if kind else rows
    if as_of is not None and as_of.is_past:
        valid_at, known_at = as_of.moments()
        rows = rows.holding(valid_at=valid_at, known_at=known_at)
    else:
        rows = rows.filter(status=status) if status else rows
    rows = rows.filter(content__icontains=text) if text else rows
    with of(owner):
        total = rows.count()
        found = list(_past(rows, cursor).select_related("event")[: PAGE_SIZE + 1])
        agents = agent_names(owner.workspace_id)
    return page_of(
        [ItemRow(item=item, agent=agents.get(item.agent_id, "")) for item in found], cursor=cursor
    ), total


def _past(rows: QuerySet[MemoryItem], cursor: Cursor | None) -> QuerySet[MemoryItem]:
    if cursor is None:
        return rows.order_by("-seq")
    (text,) = cursor.place
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise BadRequest("cursor")
    if cursor.direction == "older":
        return rows.filter(seq__lt=int(text)).order_by("-seq")
    return rows.filter(seq__gt=int(text)).order_by("seq")
