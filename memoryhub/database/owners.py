"""Find an owner by the caller's own id, or make him. Nothing else creates owners, and recall never does."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from memoryhub.exceptions import OwnerErasing, UnknownOwner
from memoryhub.models import new_id


@dataclass(frozen=True, kw_only=True, slots=True)
class ResolvedOwner:
    id: UUID
    state: str
    was_made: bool
    kind: str


def resolve_owner(*, workspace_id: UUID, ref: str, kind: str = "user", create: bool = False) -> ResolvedOwner:
    """The owner called `ref` in the workspace; with `create` he is made when unknown.

    Raises UnknownOwner when there is none and `create` is off, OwnerErasing when his data is being erased.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, state, was_made, kind FROM mh_resolve_owner(%s, %s, %s, %s)",
            [workspace_id, ref, kind, new_id() if create else None],
        )
        row = cursor.fetchone()
    if row is None:
        raise UnknownOwner(ref)
    if row[1] == "erasing":
        raise OwnerErasing(row[0])
    return ResolvedOwner(id=row[0], state=row[1], was_made=row[2], kind=row[3])
