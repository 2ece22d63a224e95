"""`/blast-radius/`: from any value, event, agent, session or time range to every answer it reached; as a page, JSON and CSV."""

from __future__ import annotations

import csv

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memoryhub.changes.blast_export import as_json, csv_rows
from memoryhub.changes.blast_radius import BlastRadius
from memoryhub.exceptions import InvalidInput
from reviews.access import StaffRequest, may, staff_page
from reviews.pages import render_page
from reviews.queries.facts import field_definitions
from reviews.queries.incidents import trace
from reviews.queries.scope_choices import scope_choices
from reviews.recalls_per_hour import recalls_per_hour
from reviews.scope_query import ScopeForm, as_query


@require_GET
@staff_page()
def blast_radius(request: StaffRequest) -> HttpResponse:
    """Without a scope only the form."""
    form = ScopeForm(request.GET, workspace=request.workspace)
    named = form.scope if form.is_given and form.is_valid() else None
    context: dict[str, object] = {
        "form": form,
        "choices": scope_choices(workspace=request.workspace, scope=named),
        "definitions": field_definitions(request.workspace.id),
        "may_act": may(request.roles, "operator"),
    }
    if named is not None:
        try:
            found = trace(workspace=request.workspace, scope=named)
        except InvalidInput:
            context["problem"] = _("The range ends before it begins.")
        else:
            query = as_query(named)
            context |= {"detail": found, "radius": found.radius, "scope": named, "query": query}
            context["chart"] = f"{reverse('reviews:blast_radius_file', args=['chart'])}?{query}"
    return render_page(request, "reviews/blast_radius.html", context)


@require_GET
@staff_page()
def blast_radius_file(request: StaffRequest, form: str) -> HttpResponse:
    """`csv` with every cell harmless in a spreadsheet, `json`, or `chart`: the figure of the page."""
    if form not in ("csv", "json", "chart"):
        raise Http404
    radius = _radius(request)
    if form == "chart":
        return JsonResponse(recalls_per_hour(radius.per_hour, zone=request.workspace.time_zone))
    if form == "json":
        response: HttpResponse = JsonResponse(as_json(radius), json_dumps_params={"ensure_ascii": False})
    else:
        response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
        csv.writer(response).writerows(csv_rows(radius))
    response["Content-Disposition"] = f'attachment; filename="blast-radius.{form}"'
    return response


def _radius(request: StaffRequest) -> BlastRadius:
    """Raises BadRequest for a scope that is empty or cannot be read: it must not grow by a slip."""
    form = ScopeForm(request.GET, workspace=request.workspace)
    if not (form.is_given and form.is_valid()):
        raise BadRequest("scope")
    try:
        return trace(workspace=request.workspace, scope=form.scope).radius
    except InvalidInput as error:
        raise BadRequest(error.field) from error
