"""`/memories/export.csv`, `…/export.jsonl`: what the explorer's filter lets through, as a file."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from memoryhub.models import FieldVersion
from reviews.access import StaffRequest, staff_page
from reviews.change_forms import MemoryFilterForm
from reviews.exporting import MOST_EXPORTED, check_form, exported
from reviews.queries.derivation import Memory
from reviews.queries.memories import MemoryFilter, all_memories


@require_GET
@staff_page("operator")
def memories_export(request: StaffRequest, form: str) -> HttpResponse:
    """At most MOST_EXPORTED rows, the latest learned first; noted in the audit log with their number."""
    check_form(form)
    chosen = MemoryFilter(**MemoryFilterForm(request.GET).conditions)
    found = all_memories(workspace=request.workspace, chosen=chosen, most=MOST_EXPORTED)
    rows = [as_row(memory, agent) for memory, agent in found]
    return exported(request, rows, name="memories", form=form)


def as_row(memory: Memory, agent: str) -> dict[str, Any]:
    """One memory by names; times in ISO 8601 with their offset."""
    return {
        "owner": memory.owner.ref,
        **_said(memory),
        "status": memory.status,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "basis": memory.basis,
        "agent": agent,
        "valid_from": memory.valid_from.isoformat(),
        "valid_until": memory.valid_until.isoformat() if memory.valid_until else None,
        "known_from": memory.known_from.isoformat(),
        "known_until": memory.known_until.isoformat() if memory.known_until else None,
        "quote": memory.quote,
        "id": str(memory.id),
    }


def _said(memory: Memory) -> dict[str, Any]:
    if isinstance(memory, FieldVersion):
        return {
            "kind": "field",
            "field": f"{memory.form.form_type.name}.{memory.field.name}",
            "subject": memory.form.subject,
            "value": memory.value,
        }
    return {
        "kind": memory.kind,
        "field": memory.attribute,
        "subject": memory.subject_entity,
        "value": memory.content,
    }
