"""Which owner a caller means, and whether his key reaches him. An owner out of reach is answered exactly as an unknown one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from api.authentication import Caller
from api.permissions import missing_scope
from memoryhub.database.owners import ResolvedOwner, resolve_owner
from memoryhub.database.scope import scope
from memoryhub.exceptions import OwnerErasing, UnknownOwner
from memoryhub.keys import WRITING
from memoryhub.models import Owner


def find_owner(caller: Caller, ref: str) -> ResolvedOwner:
    """The owner called `ref`: one statement, whether known, unknown or out of reach.

    Raises UnknownOwner, and OwnerErasing when he is in reach and being erased; PermissionDenied for a write to a shared owner
    by a key without `shared:write`.
    """
    try:
        owner = resolve_owner(workspace_id=caller.workspace_id, ref=ref)
    except OwnerErasing:
        if caller.may_reach(ref):
            raise
        raise UnknownOwner from None
    if not caller.may_reach(ref):
        raise UnknownOwner
    _check_shared(caller, owner)
    return owner


def find_or_make_owner(caller: Caller, ref: str, *, kind: str = "user") -> ResolvedOwner:
    """The owner called `ref`, made when unknown and the key may make owners; otherwise as `find_owner`."""
    if not (caller.may("owners:create") and caller.may_reach(ref)):
        return find_owner(caller, ref)
    owner = resolve_owner(workspace_id=caller.workspace_id, ref=ref, kind=kind, create=True)
    _check_shared(caller, owner)
    return owner


def _check_shared(caller: Caller, owner: ResolvedOwner) -> None:
    if caller.acting_under in WRITING and owner.kind != Owner.Kind.USER and not caller.may("shared:write"):
        raise missing_scope("shared:write")


@contextmanager
def reading(caller: Caller, ref: str) -> Iterator[ResolvedOwner]:
    """The transaction in which a view looks at one owner's rows. Rows are turned into plain data inside it."""
    owner = find_owner(caller, ref)
    with scope(workspace_id=caller.workspace_id, owners=[owner.id], purpose="api"):
        yield owner
