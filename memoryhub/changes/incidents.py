"""A pollution incident gathers a scope, what was done about it, and a conclusion. It holds ids and staff's own words."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memoryhub import audit
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.exceptions import InvalidInput, NotFound, WrongMove
from memoryhub.models import Incident

LONGEST_TITLE = 200
LONGEST_CONCLUSION = 2_000


@transaction.atomic
def open_incident(*, workspace_id: UUID, title: str, scope: RollbackScope, user_id: int) -> Incident:
    """Raises InvalidInput for a blank or too long title, or an empty scope."""
    scope.check()
    incident = Incident.objects.create(
        workspace_id=workspace_id,
        title=_text(title, "title", LONGEST_TITLE),
        scope=scope.as_json(),
        opened_by_id=user_id,
    )
    _audit(incident, "incident.opened")
    return incident


@transaction.atomic
def change_scope(*, workspace_id: UUID, incident_id: UUID, scope: RollbackScope) -> Incident:
    """Give an open incident another scope. Raises NotFound, WrongMove when it is closed, InvalidInput."""
    scope.check()
    incident = _open(workspace_id, incident_id)
    incident.scope = scope.as_json()
    incident.save(update_fields=["scope"])
    _audit(incident, "incident.scope_changed")
    return incident


@transaction.atomic
def attach_rollback(*, workspace_id: UUID, incident_id: UUID, change_set_ids: Sequence[UUID]) -> Incident:
    """Note the change sets of a rollback that was made for it, each once. Raises NotFound, WrongMove."""
    incident = _open(workspace_id, incident_id)
    incident.change_set_ids = list(dict.fromkeys([*incident.change_set_ids, *change_set_ids]))
    incident.save(update_fields=["change_set_ids"])
    _audit(incident, "incident.rolled_back")
    return incident


@transaction.atomic
def close_incident(*, workspace_id: UUID, incident_id: UUID, conclusion: str, user_id: int) -> Incident:
    """Raises InvalidInput without a conclusion, NotFound, WrongMove when it is closed already."""
    incident = _open(workspace_id, incident_id)
    incident.conclusion = _text(conclusion, "conclusion", LONGEST_CONCLUSION)
    incident.state, incident.closed_by_id, incident.closed_at = "closed", user_id, timezone.now()
    incident.save(update_fields=["conclusion", "state", "closed_by_id", "closed_at"])
    _audit(incident, "incident.closed")
    return incident


def scope_of(incident: Incident) -> RollbackScope:
    return RollbackScope.from_json(incident.scope)


def _open(workspace_id: UUID, incident_id: UUID) -> Incident:
    incident = Incident.objects.select_for_update().filter(workspace_id=workspace_id, id=incident_id).first()
    if incident is None:
        raise NotFound("no such incident")
    if incident.state != "open":
        raise WrongMove("the incident is closed")
    return incident


def _text(given: str, field: str, most: int) -> str:
    if not given.strip():
        raise InvalidInput(f"{field} must not be blank", field=field, code="blank")
    if len(given) > most:
        raise InvalidInput(f"{field}: at most {most} characters", field=field, code="text_too_long")
    return given.strip()


def _audit(incident: Incident, action: str) -> None:
    audit.record(
        audit.entry(
            action=action,
            workspace_id=incident.workspace_id,
            object_kind="incident",
            object_id=incident.id,
            details={"change_sets": len(incident.change_set_ids)},
        )
    )
