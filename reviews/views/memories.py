"""`/memories/`: every sentence and form value of the workspace, by owner, kind, state and weight."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, staff_page
from reviews.change_forms import MemoryFilterForm
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.memories import MemoryFilter, list_memories


@require_GET
@staff_page()
def memories(request: StaffRequest) -> HttpResponse:
    form = MemoryFilterForm(request.GET)
    page = list_memories(
        workspace=request.workspace,
        chosen=MemoryFilter(**form.conditions),
        cursor=read_cursor(request.GET.get("cursor", ""), parts=2),
    )
    return render_page(request, "reviews/memories.html", {"form": form, "page": page})
