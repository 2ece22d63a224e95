"""Named query strings of a list: a person's own and those that are shared. Each list has its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from memoryhub.models import SavedView, Workspace


@dataclass(frozen=True, kw_only=True, slots=True)
class ViewLink:
    view: SavedView
    is_mine: bool


def views_of(*, workspace: Workspace, user_id: int, page: str) -> Sequence[ViewLink]:
    """The person's own views and the workspace's shared ones, by name."""
    rows = SavedView.objects.filter(workspace_id=workspace.id, page=page)
    rows = rows.filter(Q(user_id=user_id) | Q(is_shared=True)).order_by("name", "created_at")
    return [ViewLink(view=view, is_mine=view.user_id == user_id) for view in rows]


def save_view(
    *,
    workspace: Workspace,
    user_id: int,
    name: str,
    params: str,
    is_shared: bool,
    is_default: bool,
    page: str,
) -> None:
    """Keep the query string under the name; the same name of the same person is written over."""
    with transaction.atomic():
        mine = SavedView.objects.filter(user_id=user_id, page=page)
        if is_default:
            mine.filter(workspace_id=workspace.id).update(is_default=False)
        mine.update_or_create(
            name=name,
            defaults={
                "workspace_id": workspace.id,
                "user_id": user_id,
                "page": page,
                "params": params,
                "is_shared": is_shared,
                "is_default": is_default,
            },
        )


def delete_view(*, workspace: Workspace, user_id: int, view_id: UUID, page: str) -> bool:
    """Delete a view of the person's own; False when it is not his."""
    mine = SavedView.objects.filter(workspace_id=workspace.id, page=page, user_id=user_id, id=view_id)
    return bool(mine.delete()[0])
