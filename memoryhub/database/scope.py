"""The one way to an owner's rows: a transaction that says whose rows, and for what (DESIGN section 13, "Scope").

`scope` opens the outermost transaction, tells PostgreSQL the workspace and the owners with SET LOCAL (which row-level
security policies read), and for a write locks the owners' rows against freezing and erasure. Model calls, embeddings and
HTTP happen between scopes, never inside one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from memoryhub.exceptions import OwnerErasing, OwnerFrozen, UnknownOwner

WORKSPACE_PURPOSES = frozenset({"listing", "desk", "sweep", "evaluation"})
"""What a transaction over all owners of a workspace may be for. Never for a key that is restricted to some owners."""

type Owners = Sequence[UUID] | Literal["workspace"]


@contextmanager
def scope(
    *,
    workspace_id: UUID,
    owners: Owners,
    purpose: str,
    write: bool = False,
    staff: bool = False,
) -> Iterator[None]:
    """Open the transaction in which rows of `owners` may be read, or with `write` changed.

    Raises ValueError for an empty list of owners or a purpose that may not span a workspace; OwnerFrozen, OwnerErasing or
    UnknownOwner when a write is asked for an owner who may not be written. Does not nest (RuntimeError from Django).
    """
    _check(owners, purpose)
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('app.workspace_id', %s, true), set_config('app.owner_ids', %s, true),"
                " set_config('app.scope', %s, true)",
                [
                    str(workspace_id),
                    "" if owners == "workspace" else ",".join(str(owner) for owner in owners),
                    "workspace" if owners == "workspace" else "owners",
                ],
            )
            if staff:
                cursor.execute(f"SET LOCAL ROLE {connection.ops.quote_name(settings.ROLE_PREFIX + 'staff')}")
        if write and owners != "workspace":
            _hold(workspace_id, owners)
        yield


def _check(owners: Owners, purpose: str) -> None:
    if owners == "workspace":
        if purpose not in WORKSPACE_PURPOSES:
            raise ValueError(f"{purpose!r} may not span a workspace")
    elif not owners:
        raise ValueError("a scope names at least one owner")


def _hold(workspace_id: UUID, owners: Sequence[UUID]) -> None:
    """Keep the owners as they are until the transaction ends: freezing and erasure ask for the same rows FOR UPDATE."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, state FROM memoryhub_owner WHERE workspace_id = %s AND id = ANY(%s) ORDER BY id FOR SHARE",
            [workspace_id, list(owners)],
        )
        states: dict[UUID, str] = dict(cursor.fetchall())
    for owner in owners:
        match states.get(owner):
            case "active":
                continue
            case "frozen":
                raise OwnerFrozen(owner)
            case "erasing":
                raise OwnerErasing(owner)
            case _:
                raise UnknownOwner(owner)
