"""`/changes/export.csv|jsonl`, `/incidents/export.csv|jsonl`: what the list's filter lets through, as a file."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from memoryhub.models import Change
from reviews.access import StaffRequest, staff_page
from reviews.change_forms import ChangeFilterForm
from reviews.exporting import MOST_EXPORTED, check_form, exported
from reviews.incident_forms import IncidentFilter
from reviews.queries.changes import ChangeFilter, all_changes
from reviews.queries.facts import field_definitions
from reviews.queries.incidents import IncidentRow, all_incidents


@require_GET
@staff_page("operator")
def changes_export(request: StaffRequest, form: str) -> HttpResponse:
    """At most MOST_EXPORTED changes, the newest first; none of owners being erased."""
    check_form(form)
    definitions = field_definitions(request.workspace.id)
    chosen = ChangeFilterForm(request.GET, workspace=request.workspace, definitions=definitions)
    found = all_changes(
        workspace=request.workspace, chosen=ChangeFilter(**chosen.conditions), most=MOST_EXPORTED
    )
    rows = [change_row(change, agent) for change, agent in found]
    return exported(request, rows, name="changes", form=form)


@require_GET
@staff_page("operator")
def incidents_export(request: StaffRequest, form: str) -> HttpResponse:
    """At most MOST_EXPORTED incidents, the newest first."""
    check_form(form)
    state = IncidentFilter(request.GET).chosen["state"]
    found = all_incidents(workspace=request.workspace, state=state, most=MOST_EXPORTED)
    return exported(request, [incident_row(row) for row in found], name="incidents", form=form)


def change_row(change: Change, agent: str) -> dict[str, Any]:
    """One change by names; times in ISO 8601 with their offset, values as JSON."""
    return {
        "at": change.created_at.isoformat(),
        "owner": change.owner.ref,
        "agent": agent,
        "action": change.action,
        "field": f"{change.form_type}.{change.field_name}".strip("."),
        "subject": change.form_subject,
        "before": _value(change.before),
        "after": _value(change.after),
        "state": change.state,
        "reason": change.reason_code,
        "gates": " ".join(change.gates),
        "quote": change.quote,
        "importance": change.importance,
        "confidence": change.confidence,
        "basis": change.basis,
        "decided_at": change.decided_at.isoformat() if change.decided_at else None,
        "event": str(change.event_id or ""),
        "change_set": str(change.change_set_id),
        "id": str(change.id),
    }


def _value(stored: Any) -> Any:
    """The value or sentence alone; what is neither as JSON."""
    if not isinstance(stored, dict):
        return stored
    told = stored.get("value", stored.get("content", stored))
    return told if isinstance(told, str | int | float | None) else json.dumps(told, ensure_ascii=False)


def incident_row(row: IncidentRow) -> dict[str, Any]:
    """One incident; its scope as JSON."""
    found = row.incident
    return {
        "opened_at": found.created_at.isoformat(),
        "opened_by": row.opened_by,
        "title": found.title,
        "state": found.state,
        "closed_at": found.closed_at.isoformat() if found.closed_at else None,
        "conclusion": found.conclusion,
        "scope": json.dumps(found.scope, ensure_ascii=False),
        "rollbacks": " ".join(str(set_id) for set_id in found.change_set_ids),
        "id": str(found.id),
    }
