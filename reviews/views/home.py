"""`/`: what there is, what waits, and whether the work goes on."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, may, staff_page
from reviews.queries.home import events_per_day, overview, waiting_for


@require_GET
@staff_page()
def home(request: StaffRequest) -> HttpResponse:
    now = timezone.now()
    found = overview(workspace=request.workspace, now=now)
    per_day = [] if found.is_empty else events_per_day(workspace=request.workspace, now=now)
    waiting = waiting_for(
        workspace=request.workspace,
        user_id=request.user.pk,
        may_review=may(request.roles, "reviewer"),
        may_approve=may(request.roles, "approver"),
    )
    context = {
        "waiting": waiting,
        "overview": found,
        "per_day": per_day,
        "base_url": request.build_absolute_uri("/"),
    }
    return render(request, "reviews/home.html", context)


@require_GET
@staff_page()
def events_per_day_chart(request: StaffRequest) -> JsonResponse:
    """The figure of the home page, as plotly.js reads it; colours come from the page."""
    days = events_per_day(workspace=request.workspace, now=timezone.now())
    bars = {
        "type": "bar",
        "x": [day.isoformat() for day, _ in days],
        "y": [number for _, number in days],
        "hovertemplate": "%{x|%Y-%m-%d}: %{y}<extra></extra>",
    }
    layout = {
        "xaxis": {"type": "date", "tickformat": "%m-%d", "nticks": 7},
        "yaxis": {"tickformat": "d", "nticks": 4},
    }
    return JsonResponse({"data": [bars], "layout": layout})
