"""`/incidents/`: pollution incidents; each gathers a source, everything it reached, what was done and the conclusion."""

from __future__ import annotations

import csv
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryhub.changes.blast_export import as_json, csv_rows
from memoryhub.changes.blast_radius import BlastRadius
from memoryhub.changes.incidents import (
    attach_rollback,
    change_scope,
    close_incident,
    open_incident,
    scope_of,
)
from memoryhub.exceptions import InvalidInput, WrongMove
from memoryhub.models import Incident
from reviews.access import StaffRequest, may, staff_page
from reviews.exporting import export_links
from reviews.incident_forms import ConclusionForm, IncidentFilter, IncidentForm
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.facts import field_definitions
from reviews.queries.incidents import find_incident, incident_detail, list_incidents, trace
from reviews.recalls_per_hour import recalls_per_hour
from reviews.roll_back import roll_back_button
from reviews.scope_query import ScopeForm, as_query
from reviews.views.saved_views import SavedViews, opens_first, saved_views


@require_GET
@staff_page()
def incidents(request: StaffRequest) -> HttpResponseBase:
    kept = saved_views(request, "incidents")
    return opens_first(request, kept["views"]) or _listed(request, kept)


def _listed(request: StaffRequest, kept: SavedViews) -> HttpResponse:
    form = IncidentFilter(request.GET)
    page = list_incidents(
        workspace=request.workspace,
        state=form.chosen["state"],
        cursor=read_cursor(request.GET.get("cursor", ""), parts=2),
    )
    context = {"form": form, "page": page, "may_open": may(request.roles, "operator")}
    context |= export_links(request, "incidents")
    return render_page(request, "reviews/incidents.html", {**context, **kept})


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def incident_new(request: StaffRequest) -> HttpResponseBase:
    """GET shows the form, filled from the query string; POST opens the incident."""
    posted = request.method == "POST"
    form = IncidentForm(request.POST if posted else request.GET, workspace=request.workspace)
    if posted and form.is_valid():
        if not form.is_given:
            form.add_error(None, _("Say what the incident is about: at least one of these."))
        else:
            return _opened(request, form)
    elif not posted:
        form.is_valid()
    return render(
        request, "reviews/incident_new.html", {"form": form, "posted": posted}, status=422 if posted else 200
    )


def _opened(request: StaffRequest, form: IncidentForm) -> HttpResponseBase:
    try:
        incident = open_incident(
            workspace_id=request.workspace.id,
            title=form.cleaned_data["title"],
            scope=form.scope,
            user_id=request.user.pk,
        )
    except InvalidInput:
        form.add_error("until", _("The range ends before it begins."))
        return render(request, "reviews/incident_new.html", {"form": form, "posted": True}, status=422)
    return redirect("reviews:incident", incident.id)


@require_GET
@staff_page()
def incident(request: StaffRequest, incident_id: UUID) -> HttpResponse:
    return _shown(request, _incident(request, incident_id), ConclusionForm())


def _shown(
    request: StaffRequest, found: Incident, form: ConclusionForm, *, status: int = 200
) -> HttpResponse:
    button = (
        roll_back_button(request, scope_of(found), incident_id=found.id) if found.state == "open" else None
    )
    context = {
        "detail": incident_detail(workspace=request.workspace, incident=found),
        "incident": found,
        "scope": scope_of(found),
        "chart": reverse("reviews:incident_chart", args=[found.id]),
        "definitions": field_definitions(request.workspace.id),
        "button": button,
        "form": form,
        "may_act": may(request.roles, "operator"),
    }
    return render(request, "reviews/incident.html", context, status=status)


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def incident_scope(request: StaffRequest, incident_id: UUID) -> HttpResponseBase:
    """Give an open incident another scope."""
    found, posted = _incident(request, incident_id), request.method == "POST"
    given = request.POST if posted else QueryDict(as_query(scope_of(found)))
    form = ScopeForm(given, workspace=request.workspace)
    if form.is_valid() and posted and form.is_given:
        try:
            change_scope(workspace_id=request.workspace.id, incident_id=found.id, scope=form.scope)
        except WrongMove:
            messages.warning(request, _("The incident is closed already; nothing was done."))
        except InvalidInput:
            form.add_error("until", _("The range ends before it begins."))
        if form.is_valid():
            return redirect("reviews:incident", found.id)
    context = {"form": form, "posted": posted, "incident": found}
    return render(request, "reviews/incident_new.html", context, status=422 if posted else 200)


@require_POST
@staff_page("operator")
def incident_close(request: StaffRequest, incident_id: UUID) -> HttpResponseBase:
    found, form = _incident(request, incident_id), ConclusionForm(request.POST)
    if not form.is_valid():
        return _shown(request, found, form, status=422)
    try:
        close_incident(
            workspace_id=request.workspace.id,
            incident_id=found.id,
            conclusion=form.cleaned_data["conclusion"],
            user_id=request.user.pk,
        )
    except WrongMove:
        messages.warning(request, _("The incident is closed already; nothing was done."))
    return redirect("reviews:incident", found.id)


@require_POST
@staff_page("operator")
def incident_attach(request: StaffRequest, incident_id: UUID) -> HttpResponseBase:
    """Note a rollback that was made elsewhere as made for this incident."""
    found = _incident(request, incident_id)
    offered = incident_detail(workspace=request.workspace, incident=found).attachable
    chosen = {str(row.change_set.id): row.change_set.id for row in offered}.get(
        request.POST.get("rollback", "")
    )
    if chosen is None:
        messages.warning(request, _("Choose one of the rollbacks; nothing was done."))
    else:
        attach_rollback(workspace_id=request.workspace.id, incident_id=found.id, change_set_ids=[chosen])
    return redirect("reviews:incident", found.id)


@require_GET
@staff_page()
def incident_json(request: StaffRequest, incident_id: UUID) -> JsonResponse:
    response = JsonResponse(as_json(_radius(request, incident_id)), json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="incident-{incident_id}.json"'
    return response


@require_GET
@staff_page()
def incident_csv(request: StaffRequest, incident_id: UUID) -> HttpResponse:
    """One row per served line; every cell harmless in a spreadsheet."""
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="incident-{incident_id}.csv"'
    csv.writer(response).writerows(csv_rows(_radius(request, incident_id)))
    return response


@require_GET
@staff_page()
def incident_chart(request: StaffRequest, incident_id: UUID) -> JsonResponse:
    """Recalls served per hour, as plotly.js reads it; colours come from the page."""
    per_hour = _radius(request, incident_id).per_hour
    return JsonResponse(recalls_per_hour(per_hour, zone=request.workspace.time_zone))


def _radius(request: StaffRequest, incident_id: UUID) -> BlastRadius:
    found = _incident(request, incident_id)
    return trace(workspace=request.workspace, scope=scope_of(found)).radius


def _incident(request: StaffRequest, incident_id: UUID) -> Incident:
    found = find_incident(workspace=request.workspace, incident_id=incident_id)
    if found is None:
        raise Http404
    return found
