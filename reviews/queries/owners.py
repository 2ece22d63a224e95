"""Owners of a workspace, and the head of one owner's pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.exceptions import BadRequest
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from memoryhub.models import Change, Event, FieldVersion, MemoryItem, Owner, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, page_of
from reviews.queries.scopes import across


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnerRow:
    owner: Owner
    events: int
    fields: int
    items: int
    proposed: int
    last_event_at: datetime | None

    @property
    def place(self) -> Key:
        return (self.owner.ref,)


def find_owner(*, workspace: Workspace, owner_id: UUID) -> Owner | None:
    """The owner with the numbers its tabs show (`n_fields`, `n_items`, `n_proposed`); None when not in this workspace."""
    with across(workspace):
        return (
            Owner.objects.filter(workspace=workspace, id=owner_id)
            .select_related("workspace")
            .annotate(
                n_fields=_count(FieldVersion.objects.filter(status="active")),
                n_items=_count(MemoryItem.objects.filter(status="active")),
                n_proposed=_count(Change.objects.filter(state="proposed")),
            )
            .first()
        )


def _count(rows: QuerySet[FieldVersion] | QuerySet[MemoryItem] | QuerySet[Change]) -> Coalesce:
    counted = rows.filter(owner_id=OuterRef("id")).order_by().values("owner_id").annotate(n=Count("id"))
    return Coalesce(Subquery(counted.values("n")), 0)


def list_owners(
    *, workspace: Workspace, ref: str = "", kind: str = "", state: str = "", cursor: Cursor | None = None
) -> tuple[Page[OwnerRow], int]:
    """One page of owners in the order of their references, and how many match. `ref` is a prefix, letter for letter."""
    with across(workspace):
        matching = Owner.objects.filter(workspace=workspace)
        matching = matching.filter(ref__startswith=ref) if ref else matching
        matching = matching.filter(kind=kind) if kind else matching
        matching = matching.filter(state=state) if state else matching
        total = matching.count()
        found = list(_past(matching, cursor).select_related("workspace")[: PAGE_SIZE + 1])
        rows = _with_counts(found)
    return page_of(rows, cursor=cursor), total


def exact_owner(*, workspace: Workspace, ref: str) -> Owner | None:
    """The owner of exactly this reference."""
    with across(workspace):
        return Owner.objects.filter(workspace=workspace, ref=ref).first()


def _past(matching: QuerySet[Owner], cursor: Cursor | None) -> QuerySet[Owner]:
    if cursor is None:
        return matching.order_by("ref")
    (ref,) = cursor.place
    if "\0" in ref:
        raise BadRequest("cursor")
    if cursor.direction == "older":
        return matching.filter(ref__gt=ref).order_by("ref")
    return matching.filter(ref__lt=ref).order_by("-ref")


def _with_counts(owners: Sequence[Owner]) -> list[OwnerRow]:
    ids = [owner.id for owner in owners]
    events: dict[UUID, tuple[int, datetime | None]] = {
        row["owner_id"]: (row["n"], row["last"])
        for row in Event.objects.filter(owner_id__in=ids)
        .order_by()
        .values("owner_id")
        .annotate(n=Count("id"), last=Max("occurred_at"))
    }
    fields = _by_owner(FieldVersion.objects.filter(status="active"), ids)
    items = _by_owner(MemoryItem.objects.filter(status="active"), ids)
    proposed = _by_owner(Change.objects.filter(state="proposed"), ids)
    return [
        OwnerRow(
            owner=owner,
            events=events.get(owner.id, (0, None))[0],
            last_event_at=events.get(owner.id, (0, None))[1],
            fields=fields.get(owner.id, 0),
            items=items.get(owner.id, 0),
            proposed=proposed.get(owner.id, 0),
        )
        for owner in owners
    ]


def _by_owner(
    rows: QuerySet[FieldVersion] | QuerySet[MemoryItem] | QuerySet[Change], ids: Sequence[UUID]
) -> dict[UUID, int]:
    counted = rows.filter(Q(owner_id__in=ids)).order_by().values("owner_id").annotate(n=Count("id"))
    return {row["owner_id"]: row["n"] for row in counted}
