"""The two scopes the desk reads in: across its workspace, or one owner of it."""

from __future__ import annotations

from contextlib import AbstractContextManager

from memoryhub.database.scope import scope
from memoryhub.models import Owner, Workspace


def across(workspace: Workspace) -> AbstractContextManager[None]:
    """Rows of every owner of the workspace, read as the staff role."""
    return scope(workspace_id=workspace.id, owners="workspace", purpose="desk", staff=True)


def of(owner: Owner) -> AbstractContextManager[None]:
    """Rows of this owner alone, read as the staff role."""
    return scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="desk", staff=True)
