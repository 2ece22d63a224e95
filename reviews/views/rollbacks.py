"""`/rollback/`: the rollbacks that were made; one of them with what it did, its report, and the button that undoes it."""

from __future__ import annotations

import csv
from uuid import UUID

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from memoryhub.changes.blast_export import safe_cell
from memoryhub.models import Change
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.pages import render_page
from reviews.paging import Cursor, read_cursor
from reviews.queries.facts import field_definitions
from reviews.queries.rollbacks import RollbackDetail, list_rollbacks, rollback_detail, rollback_report
from reviews.roll_back import roll_back_button
from reviews.values import shown

COLUMNS = ("owner", "field", "operation", "before", "after", "reason", "at", "change", "undid")


@require_GET
@staff_page()
def rollbacks(request: StaffRequest) -> HttpResponse:
    cursor = read_cursor(request.GET.get("cursor", ""), parts=2)
    context = {
        "page": list_rollbacks(workspace=request.workspace, cursor=cursor),
        "may_roll_back": may(request.roles, "operator"),
    }
    return render_page(request, "reviews/rollbacks.html", context)


@require_GET
@staff_page()
def rollback(request: StaffRequest, owner_id: UUID, change_set_id: UUID) -> HttpResponse:
    cursor = read_cursor(request.GET.get("cursor", ""), parts=2)
    detail = _detail(request, owner_id, change_set_id, cursor)
    context = {
        "detail": detail,
        "definitions": field_definitions(request.workspace.id),
        "is_running": detail.job is not None and detail.job.state in ("queued", "running"),
        "button": roll_back_button(request, detail.undo_scope),
    }
    return render_page(request, "reviews/rollback.html", context)


@require_GET
@staff_page()
def rollback_csv(request: StaffRequest, owner_id: UUID, change_set_id: UUID) -> HttpResponse:
    """The report: one row per value and per change that was left alone, every cell harmless in a spreadsheet."""
    detail = _detail(request, owner_id, change_set_id, None)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="rollback-{change_set_id}.csv"'
    response.write("\ufeff")
    writer = csv.writer(response)
    writer.writerow(COLUMNS)
    for change in rollback_report(workspace=request.workspace, sets=detail.sets):
        writer.writerow([safe_cell(cell) for cell in _cells(change)])
    refs = {row.owner_id: row.owner.ref for row in detail.sets}
    for set_owner, change_id, code in detail.left_alone:
        cells = (refs[set_owner], "", "left_alone", "", "", code, "", change_id, "")
        writer.writerow([safe_cell(cell) for cell in cells])
    return response


def _cells(change: Change) -> tuple[object, ...]:
    told = change.candidate or {}
    return (
        change.owner.ref,
        f"{change.form_type}.{change.field_name}".strip("."),
        told.get("op", ""),
        "" if change.before is None else shown(change.before),
        "" if change.after is None else shown(change.after),
        change.reason_code,
        change.created_at.isoformat(),
        change.id,
        told.get("of", ""),
    )


def _detail(
    request: StaffRequest, owner_id: UUID, change_set_id: UUID, cursor: Cursor | None
) -> RollbackDetail:
    owner = owner_for(request, owner_id)
    detail = rollback_detail(
        workspace=request.workspace, owner=owner, change_set_id=change_set_id, cursor=cursor
    )
    if detail is None:
        raise Http404
    return detail
