"""`/memories/`: every sentence and form value of the workspace, by owner, kind, state and weight."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, may, staff_page
from reviews.change_forms import MemoryFilterForm
from reviews.exporting import export_links
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.memories import MemoryFilter, list_memories
from reviews.views.saved_views import SavedViews, opens_first, saved_views


@require_GET
@staff_page()
def memories(request: StaffRequest) -> HttpResponseBase:
    kept = saved_views(request, "memories")
    first = opens_first(request, kept["views"])
    return first or _listed(request, kept)


def _listed(request: StaffRequest, kept: SavedViews) -> HttpResponse:
    form = MemoryFilterForm(request.GET)
    page = list_memories(
        workspace=request.workspace,
        chosen=MemoryFilter(**form.conditions),
        cursor=read_cursor(request.GET.get("cursor", ""), parts=2),
    )
    may_reverify, may_roll_back = may(request.roles, "reviewer"), may(request.roles, "operator")
    context = {
        "form": form,
        "page": page,
        "may_reverify": may_reverify,
        "may_roll_back": may_roll_back,
        "may_bulk": may_reverify or may_roll_back,
        **export_links(request, "memories"),
    }
    return render_page(request, "reviews/memories.html", {**context, **kept})
