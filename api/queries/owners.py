"""The owners a key reaches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import QuerySet

from api.authentication import Caller
from memoryhub.database.scope import scope
from memoryhub.models import Owner
from memoryhub.owners import listed_owners, resolve_each


@contextmanager
def owners_in_reach(caller: Caller, asked: dict[str, Any]) -> Iterator[QuerySet[Owner]]:
    """All owners of the workspace, or of a restricted key those it names; two statements either way."""
    workspace_id = caller.workspace_id
    ids = resolve_each(workspace_id=workspace_id, refs=caller.key.owner_refs)
    if caller.key.owner_refs and not ids:
        yield Owner.objects.none()
        return
    # A restricted key never gets a transaction that spans the workspace.
    with scope(workspace_id=workspace_id, owners=ids or "workspace", purpose="listing"):
        owners = listed_owners(workspace_id=workspace_id).filter(**asked)
        yield owners.filter(id__in=ids) if ids else owners
