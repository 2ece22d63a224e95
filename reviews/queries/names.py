"""Names for ids: owners by what a person types or a link carries, members of staff, and what was written by whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q

from memoryhub.models import Owner, Workspace
from reviews.queries.scopes import across


def owners_named(*, workspace: Workspace, names: Collection[str]) -> list[Owner]:
    """The owners of the workspace whose reference or id is among the names; those being erased are left out."""
    ids = [row_id for name in names if (row_id := _id_of(name))]
    with across(workspace):
        return list(
            Owner.objects.filter(Q(ref__in=names) | Q(id__in=ids), workspace=workspace)
            .exclude(state=Owner.State.ERASING)
            .order_by("ref")
        )


def owners_by_id(*, workspace: Workspace, ids: Iterable[UUID]) -> dict[UUID, Owner]:
    """Owners of the workspace, with it, for rows that know only the id; those being erased are left out."""
    rows = Owner.objects.filter(workspace=workspace, id__in=set(ids)).exclude(state=Owner.State.ERASING)
    with across(workspace):
        return {row.id: row for row in rows.select_related("workspace")}


def staff_names(ids: Iterable[int | None]) -> dict[int | None, str]:
    """Login names by user id."""
    wanted = {user_id for user_id in ids if user_id is not None}
    return dict(User.objects.filter(id__in=wanted).values_list("id", "username"))


def _id_of(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
