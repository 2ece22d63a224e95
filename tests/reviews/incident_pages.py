"""Every page about changes, rollbacks, memories, suspects and incidents by name, for the walks that open them all."""

from __future__ import annotations

from uuid import UUID

from django.urls import reverse

from memoryhub.changes.incidents import open_incident
from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import Change, Incident
from tests.reviews.poisoned import Poisoned


def incident_pages(told: Poisoned, incident: Incident, rollback_id: UUID) -> dict[str, str]:
    """Address by name, of one poisoned owner, an incident about him and a rollback of his."""
    owner = told.owner
    change = Change.objects.of(owner.id).get(target_id=told.version_id, agent_id=told.bad.agent_id)
    here = [owner.id]
    return {
        "changes": reverse("reviews:changes"),
        "changes-none": reverse("reviews:changes") + "?owner=nobody",
        "change": reverse("reviews:change", args=[*here, change.id]),
        "change-set": reverse("reviews:change_set", args=[*here, change.change_set_id]),
        "memory": reverse("reviews:memory", args=[*here, told.version_id]),
        "memory-item": reverse("reviews:memory", args=[*here, told.item_id]),
        "memory-edit": reverse("reviews:memory_edit", args=[*here, told.item_id]),
        "compare": reverse("reviews:compare", args=[*here, told.version_id]),
        "memories": reverse("reviews:memories"),
        "memories-fields": reverse("reviews:memories") + "?kind=field&status=all",
        "memories-sorted": reverse("reviews:memories") + "?sort=-importance",
        "memories-withdraw": reverse("reviews:memories_withdraw") + f"?memory={told.item_id}",
        "memories-reverify": reverse("reviews:memories_reverify") + f"?memory={told.item_id}",
        "rollbacks": reverse("reviews:rollbacks"),
        "rollback": reverse("reviews:rollback", args=[*here, rollback_id]),
        "rollback-new": reverse("reviews:rollback_new"),
        "rollback-preview": reverse("reviews:rollback_new") + f"?agent={told.bad.agent_id}",
        "blast-radius": reverse("reviews:blast_radius"),
        "blast-radius-traced": reverse("reviews:blast_radius") + f"?agent={told.bad.agent_id}",
        "suspects": reverse("reviews:suspects"),
        "incidents": reverse("reviews:incidents"),
        "incident": reverse("reviews:incident", args=[incident.id]),
        "incident-scope": reverse("reviews:incident_scope", args=[incident.id]),
        "incident-new": reverse("reviews:incident_new") + f"?memory={told.item_id}&owner={owner.id}",
        "facts-as-of": reverse("reviews:owner", args=here) + "?known_at=2026-11-01T10:00",
        "timeline-as-of": reverse("reviews:timeline", args=here) + "?valid_at=2026-11-01T10:00&known_at=x",
    }


def an_incident(told: Poisoned, *, user_id: int, title: str = "Night calls recommended") -> Incident:
    """Everything the bad agent wrote."""
    scope = RollbackScope(agent_id=told.bad.agent_id)
    return open_incident(workspace_id=told.owner.workspace_id, title=title, scope=scope, user_id=user_id)


def a_rollback(told: Poisoned, *, user_id: int, undo: bool = True) -> UUID:
    """Roll back what was derived, and with `undo` bring it back at once. Answers the first change set."""
    scope = RollbackScope(target_ids=(told.derived_id,), owner_ids=(told.owner.id,))
    set_id = _roll_back(told, scope, user_id)
    if undo:
        _roll_back(told, RollbackScope(change_set_ids=(set_id,), owner_ids=(told.owner.id,)), user_id)
    return set_id


def _roll_back(told: Poisoned, scope: RollbackScope, user_id: int) -> UUID:
    workspace_id = told.owner.workspace_id
    plan = plan_rollback(workspace_id=workspace_id, scope=scope)
    result = execute_rollback(
        workspace_id=workspace_id, scope=plan.scope, digest=plan.digest, user_id=user_id
    )
    return result.change_set_ids[told.owner.id]
