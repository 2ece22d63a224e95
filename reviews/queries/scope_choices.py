"""What the rollback builder offers, so that nobody types an id: recent sessions, and the events under the scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import Event, Owner, Workspace
from reviews.queries.scopes import across

MOST_SESSIONS = 50
LOOKED_AT = 500
MOST_EVENTS = 30


@dataclass(frozen=True, kw_only=True, slots=True)
class ScopeChoices:
    """`events` come newest first. Chosen ones that are not among them are `kept`: a scope must not grow by what is shown."""

    sessions: Sequence[str] = ()
    events: Sequence[Event] = ()
    kept: Sequence[UUID] = ()


def scope_choices(*, workspace: Workspace, scope: RollbackScope | None) -> ScopeChoices:
    """Of the whole workspace without a scope; then no events are offered. Two statements at most."""
    with across(workspace):
        rows = Event.objects.filter(workspace_id=workspace.id).exclude(owner__state=Owner.State.ERASING)
        rows = rows.order_by("-recorded_at", "-id")
        near = rows.filter(_around(scope)) if scope else rows
        refs = near.values_list("session_ref", flat=True)[:LOOKED_AT]
        sessions = [ref for ref in dict.fromkeys(refs) if ref][:MOST_SESSIONS]
        events = list(_under(rows, scope)) if scope and _is_near(scope) else []
    offered = {event.id for event in events}
    kept = [event_id for event_id in scope.event_ids if event_id not in offered] if scope else []
    return ScopeChoices(sessions=sessions, events=events, kept=kept)


def _around(scope: RollbackScope) -> Q:
    wanted = Q()
    if scope.owner_ids:
        wanted &= Q(owner_id__in=scope.owner_ids)
    if scope.agent_id:
        wanted &= Q(agent_id=scope.agent_id)
    if scope.api_key_id:
        wanted &= Q(api_key_id=scope.api_key_id)
    if scope.since:
        wanted &= Q(recorded_at__gte=scope.since)
    if scope.until:
        wanted &= Q(recorded_at__lt=scope.until)
    return wanted


def _is_near(scope: RollbackScope) -> bool:
    """Whether the scope says whose or which events; for a change or a memory that is named they are of no use."""
    named = scope.change_ids or scope.change_set_ids or scope.target_ids or scope.restore_id
    return not named


def _under(rows: QuerySet[Event], scope: RollbackScope) -> QuerySet[Event]:
    wanted = _around(scope)
    if scope.session_ref:
        wanted &= Q(session_ref=scope.session_ref)
    if scope.text:
        wanted &= Q(content__icontains=scope.text)
    if scope.event_ids:
        wanted |= Q(id__in=scope.event_ids)
    return rows.filter(wanted).select_related("owner__workspace")[:MOST_EVENTS]
