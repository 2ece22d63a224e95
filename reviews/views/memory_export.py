"""`/memories/export.csv`, `…/export.jsonl`: what the explorer's filter lets through, as a file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from memoryhub import audit
from memoryhub.changes.blast_export import safe_cell
from memoryhub.models import FieldVersion
from reviews.access import StaffRequest, staff_page
from reviews.change_forms import MemoryFilterForm
from reviews.queries.derivation import Memory
from reviews.queries.memories import MemoryFilter, all_memories

TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl; charset=utf-8"}


@require_GET
@staff_page("operator")
def memories_export(request: StaffRequest, form: str) -> HttpResponse:
    """At most MOST_EXPORTED rows, the latest learned first; noted in the audit log with their number."""
    if form not in TYPES:
        raise Http404
    chosen = MemoryFilter(**MemoryFilterForm(request.GET).conditions)
    rows = all_memories(workspace=request.workspace, chosen=chosen)
    with transaction.atomic():
        audit.record(
            audit.entry(
                action="memories.exported",
                workspace_id=request.workspace.id,
                details={"rows": len(rows), "form": form},
            )
        )
    response = HttpResponse(content_type=TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="memories.{form}"'
    told = (as_row(memory, agent) for memory, agent in rows)
    if form == "csv":
        _write_csv(response, told)
    else:
        response.writelines(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in told)
    return response


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


def _write_csv(response: HttpResponse, rows: Iterable[Mapping[str, Any]]) -> None:
    """With the mark by which spreadsheets know UTF-8; every cell harmless in them."""
    response.write("\ufeff")
    writer = csv.writer(response)
    head_is_written = False
    for row in rows:
        if not head_is_written:
            writer.writerow(row.keys())
            head_is_written = True
        writer.writerow([safe_cell(value) for value in row.values()])
