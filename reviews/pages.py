"""How a view answers: the whole page, or for htmx only the part named `results` of the same template."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from reviews.access import StaffRequest


def render_page(request: StaffRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Render `template`; a request whose target is a part of the page gets that part alone."""
    htmx = request.htmx  # type: ignore[attr-defined]
    wants_part = htmx.request_type == "partial" and not htmx.history_restore_request
    return render(request, f"{template}#results" if wants_part else template, context)
