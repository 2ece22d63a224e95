"""What agents say about an owner himself: his kind, name, language and time zone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from memoryhub import audit
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, OwnerErasing, OwnerFrozen, UnknownOwner, VersionMoved
from memoryhub.models import Owner

CHANGEABLE = frozenset({"kind", "display_name", "locale", "time_zone"})


def listed_owners(*, workspace_id: UUID) -> QuerySet[Owner]:
    """The owners of a workspace but those being erased. Call inside a scope."""
    return Owner.objects.filter(workspace_id=workspace_id).exclude(state=Owner.State.ERASING)


def resolve_each(*, workspace_id: UUID, refs: Sequence[str]) -> list[UUID]:
    """The ids of those of `refs` that are known in the workspace, in one statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT found.id FROM unnest(%s::text[]) AS asked (ref),"
            " LATERAL mh_resolve_owner(%s, asked.ref, 'user', NULL) AS found",
            [list(refs), workspace_id],
        )
        return [row[0] for row in cursor.fetchall()]


def change_owner(
    *, workspace_id: UUID, owner_id: UUID, changes: Mapping[str, Any], expected_version: int | None = None
) -> Owner:
    """Set the named attributes (of CHANGEABLE) and audit which they were.

    Raises VersionMoved when `expected_version` is given and is not `version_of` the owner; InvalidInput (`is_linked`) when
    somebody's recall reads it and it would become a user; OwnerFrozen, OwnerErasing.
    """
    if unknown := set(changes) - CHANGEABLE:
        raise ValueError(f"not an attribute agents change: {sorted(unknown)}")
    # Not a write scope: its share lock and the row lock below, taken by two callers, would wait for each other.
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="owner"):
        owner = _locked(workspace_id, owner_id)
        if expected_version is not None and expected_version != version_of(owner):
            raise VersionMoved(field="If-Match", details={"current": version_of(owner)})
        moved = sorted(name for name, value in changes.items() if getattr(owner, name) != value)
        for name in moved:
            setattr(owner, name, changes[name])
        if moved:
            _save(owner, moved)
            audit.record(
                audit.entry(
                    action="owner.changed",
                    workspace_id=workspace_id,
                    owner_id=owner_id,
                    object_kind="owner",
                    object_id=owner_id,
                    details={"fields": moved},
                )
            )
    return owner


def _save(owner: Owner, moved: list[str]) -> None:
    try:
        with transaction.atomic():
            owner.save(update_fields=moved)
    except IntegrityError as error:
        if "only_what_is_shared_is_linked" not in str(error):
            raise
        raise InvalidInput("other owners are linked to it", field="kind", code="is_linked") from error


def _locked(workspace_id: UUID, owner_id: UUID) -> Owner:
    owner = (
        Owner.objects.select_for_update(no_key=True).filter(id=owner_id, workspace_id=workspace_id).first()
    )
    if owner is None:
        raise UnknownOwner(owner_id)
    if owner.state == Owner.State.FROZEN:
        raise OwnerFrozen(owner_id)
    if owner.state == Owner.State.ERASING:
        raise OwnerErasing(owner_id)
    return owner


def version_of(owner: Owner) -> int:
    """A number that changes when an attribute does: what the ETag of an owner holds."""
    seen = "\x00".join((owner.kind, owner.display_name, owner.locale, owner.time_zone, owner.state))
    return int.from_bytes(hashlib.sha256(seen.encode()).digest()[:6])
