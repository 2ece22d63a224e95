"""Traces of recalls, and the names of the owners in an answer. Traces: call inside a scope of the owner."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from api.pagination import Order
from memoryhub.database.scope import scope
from memoryhub.models import Owner, Recall

NEWEST_FIRST = Order(fields=("created_at", "id"), kinds=(datetime, UUID))


def recalls_of(owner_id: UUID, asked: dict[str, Any]) -> QuerySet[Recall]:
    recalls = Recall.objects.of(owner_id)
    return recalls.filter(session_ref=asked["session"]) if "session" in asked else recalls


def refs_of(*, workspace_id: UUID, asked: tuple[UUID, str], served: Iterable[UUID]) -> dict[UUID, str]:
    """The caller's ids of the owners in an answer; a statement only when a linked owner has something in it."""
    refs = dict([asked])
    others = set(served) - set(refs)
    if others:
        with scope(workspace_id=workspace_id, owners=sorted(others), purpose="api"):
            refs.update(
                Owner.objects.filter(id__in=others, workspace_id=workspace_id).values_list("id", "ref")
            )
    return refs
