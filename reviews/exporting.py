"""A list as a file: CSV that a spreadsheet does not run, or one JSON object per line; noted in the audit log with its length."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.http import Http404, HttpResponse
from django.utils import formats

from memoryhub import audit
from memoryhub.changes.blast_export import safe_cell
from reviews.access import StaffRequest, may

MOST_EXPORTED = 10_000
"""Rows of one file, the newest; the pages say so beside the links."""

TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl; charset=utf-8"}


def check_form(form: str) -> None:
    """Raises Http404 for a kind of file there is not."""
    if form not in TYPES:
        raise Http404


def export_links(request: StaffRequest, name: str) -> dict[str, Any]:
    """What `_export.html` needs beside the list's page and query."""
    return {
        "export_address": f"reviews:{name}_export",
        "may_export": may(request.roles, "operator"),
        "most_exported": formats.number_format(MOST_EXPORTED, force_grouping=True),
    }


def exported(
    request: StaffRequest, rows: Sequence[Mapping[str, Any]], *, name: str, form: str
) -> HttpResponse:
    """The rows as `<name>.<form>`; the audit log gets their number and kind, and no content."""
    check_form(form)
    with transaction.atomic():
        audit.record(
            audit.entry(
                action=f"{name}.exported",
                workspace_id=request.workspace.id,
                details={"rows": len(rows), "form": form},
            )
        )
    response = HttpResponse(content_type=TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    if form == "csv":
        _write_csv(response, rows)
    else:
        response.writelines(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows)
    return response


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
