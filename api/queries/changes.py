"""Changes and change sets as agents ask for them. Call inside a scope of the owner."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from api.pagination import Order
from memoryhub.models import Change, ChangeSet, ChangeTransition

NEWEST_FIRST = Order(fields=("created_at", "id"), kinds=(datetime, UUID))
NAMED = {
    "state": "state",
    "action": "action",
    "target_kind": "target_kind",
    "form_type": "form_type",
    "subject": "form_subject",
    "field": "field_name",
    "session": "change_set__session_ref",
    "event": "event_id",
    "change_set": "change_set_id",
}
"""The filters that ask for one value, with their columns."""


def changes_of(owner_id: UUID, asked: dict[str, Any], *, agent_id: UUID) -> QuerySet[Change]:
    """The owner's changes that the filters of ChangeQuery let through, each with the reason of its last move."""
    exact = {column: asked[name] for name, column in NAMED.items() if name in asked}
    changes = _during(Change.objects.of(owner_id).filter(**exact), asked)
    if "agent" in asked:
        changes = changes.filter(agent_id=agent_id)
    moves = ChangeTransition.objects.filter(owner_id=OuterRef("owner_id"), change_id=OuterRef("id"))
    last_move = moves.exclude(from_state="").order_by("-at", "-id").values("reason_code")[:1]
    return changes.annotate(last_reason=Coalesce(Subquery(last_move), Value("")))


def transitions_of(change: Change) -> QuerySet[ChangeTransition]:
    """Every move of one change, oldest first."""
    moves = ChangeTransition.objects.of(change.owner_id).filter(change_id=change.id)
    return moves.order_by("at", "id")


def change_sets_of(owner_id: UUID, asked: dict[str, Any], *, agent_id: UUID) -> QuerySet[ChangeSet]:
    """The owner's change sets that the filters of ChangeSetQuery let through."""
    named = {"act": "act", "session": "session_ref", "event": "event_id"}
    exact = {column: asked[name] for name, column in named.items() if name in asked}
    sets = _during(ChangeSet.objects.of(owner_id).filter(**exact), asked)
    return sets.filter(agent_id=agent_id) if "agent" in asked else sets


def states_in(change_set: ChangeSet) -> dict[str, int]:
    """How many changes of the set are in which state."""
    changes = Change.objects.of(change_set.owner_id).filter(change_set_id=change_set.id)
    counted = changes.values("state").annotate(number=Count("id")).order_by("state")
    return {row["state"]: row["number"] for row in counted}


def _during[M: (Change, ChangeSet)](rows: QuerySet[M], asked: dict[str, Any]) -> QuerySet[M]:
    if "since" in asked:
        rows = rows.filter(created_at__gte=asked["since"])
    if "until" in asked:
        rows = rows.filter(created_at__lt=asked["until"])
    return rows
