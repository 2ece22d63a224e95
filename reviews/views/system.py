"""`/system/`: background work, the model provider, and the one thing to do about it: queue a parked job again."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from reviews.access import StaffRequest, may, staff_page
from reviews.forms import JobFilter
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.jobs import job_health, list_jobs, list_workers
from reviews.queries.providers import embedder_report, provider_report, usage_per_day
from reviews.queries.sessions import hit_rate
from reviews.requeueing import requeue_parked_job


@require_GET
@staff_page()
def system(request: StaffRequest) -> HttpResponse:
    form = JobFilter(request.GET)
    cursor = read_cursor(request.GET.get("cursor", ""), parts=2)
    context = {
        "form": form,
        "page": list_jobs(workspace=request.workspace, state=form.chosen["state"], cursor=cursor),
        "health": job_health(workspace=request.workspace, now=timezone.now()),
        "workers": list_workers(),
        "provider": provider_report(workspace=request.workspace, today=timezone.now().date()),
        "embedder": embedder_report(),
        "session_layer": hit_rate(workspace=request.workspace, now=timezone.now()),
        "may_requeue": may(request.roles, "operator"),
        "may_try": may(request.roles, "reviewer"),
    }
    return render_page(request, "reviews/system.html", context)


@require_GET
@staff_page()
def model_usage_chart(request: StaffRequest) -> JsonResponse:
    """Tokens sent and answered per day, and what they cost, as plotly.js reads it; colours come from the page."""
    days = usage_per_day(workspace=request.workspace, today=timezone.now().date())
    dates = [day.day.isoformat() for day in days]
    hover = "%{x|%Y-%m-%d}: %{y}<extra></extra>"

    def bars(name: str, numbers: list[int], **more: str) -> dict[str, Any]:
        return {"type": "bar", "name": name, "x": dates, "y": numbers, "hovertemplate": hover, **more}

    cost = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": _("Cost"),
        "x": dates,
        "y": [float(day.cost) for day in days],
        "yaxis": "y2",
        "hovertemplate": hover,
    }
    data = [
        bars(_("Tokens sent"), [day.prompt_tokens for day in days], meta="quiet"),
        bars(_("Tokens answered"), [day.completion_tokens for day in days]),
        *([cost] if any(day.cost for day in days) else []),
    ]
    layout = {
        "barmode": "stack",
        "xaxis": {"type": "date", "tickformat": "%m-%d", "nticks": 8},
        "yaxis": {"nticks": 4, "tickformat": "~s"},
        "yaxis2": {
            "overlaying": "y",
            "side": "right",
            "nticks": 4,
            "showgrid": False,
            "rangemode": "tozero",
            "tickformat": ".2~f",
        },
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        "showlegend": True,
    }
    return JsonResponse({"data": data, "layout": layout})


@require_POST
@staff_page("operator")
def requeue(request: StaffRequest, job_id: UUID) -> HttpResponseBase:
    if requeue_parked_job(workspace=request.workspace, job_id=job_id):
        messages.success(request, _("The job was queued again."))
    else:
        messages.warning(request, _("The job is not parked any more; nothing was done."))
    return redirect("reviews:system")
