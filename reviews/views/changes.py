"""`/changes/`: every step of memory in the workspace, one sentence each."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, may, staff_page
from reviews.change_forms import ChangeFilterForm
from reviews.days import by_day
from reviews.exporting import export_links
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.changes import ChangeFilter, list_changes
from reviews.queries.facts import field_definitions
from reviews.views.saved_views import SavedViews, opens_first, saved_views
from reviews.zones import zone_named


@require_GET
@staff_page()
def changes(request: StaffRequest) -> HttpResponseBase:
    kept = saved_views(request, "changes")
    return opens_first(request, kept["views"]) or _listed(request, kept)


def _listed(request: StaffRequest, kept: SavedViews) -> HttpResponse:
    definitions = field_definitions(request.workspace.id)
    form = ChangeFilterForm(request.GET, workspace=request.workspace, definitions=definitions)
    page = list_changes(
        workspace=request.workspace,
        chosen=ChangeFilter(**form.conditions),
        cursor=read_cursor(request.GET.get("cursor", ""), parts=2),
    )
    context = {
        "form": form,
        "page": page,
        "days": by_day(page.rows, zone_named(request.workspace.time_zone)),
        "definitions": definitions,
        "zone": request.workspace.time_zone,
        "may_roll_back": may(request.roles, "operator"),
        **export_links(request, "changes"),
    }
    return render_page(request, "reviews/changes.html", {**context, **kept})
