"""`/review/stats/`: how long reviews wait, why they are rejected, and how agents do in the patrol sample."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memoryhub.changes import patrol
from reviews.access import StaffRequest, staff_page
from reviews.labels import word_for
from reviews.queries.review_stats import LEAST_FOR_A_RATE, review_stats


@require_GET
@staff_page()
def review_statistics(request: StaffRequest) -> HttpResponse:
    context = {
        "stats": review_stats(workspace=request.workspace, now=timezone.now()),
        "least": LEAST_FOR_A_RATE,
        "rule": {
            "gate_rate": patrol.GATE_FROM_RATE,
            "gate_samples": patrol.GATE_FROM_SAMPLES,
            "patrol_rate": patrol.PATROL_UP_TO_RATE,
            "patrol_samples": patrol.PATROL_FROM_SAMPLES,
        },
    }
    return render(request, "reviews/review_stats.html", context)


@require_GET
@staff_page()
def review_flow_chart(request: StaffRequest) -> JsonResponse:
    """Opened and decided reviews per day, as plotly.js reads it; the page gives the colours."""
    days = review_stats(workspace=request.workspace, now=timezone.now()).days
    dates = [day.date.isoformat() for day in days]
    hover = "%{x|%Y-%m-%d}: %{y}"
    opened = _line(dates, [day.opened for day in days], name=_("opened"), hover=hover) | {"type": "bar"}
    decided = _line(dates, [day.decided for day in days], name=_("decided"), hover=hover)
    layout = {
        "xaxis": {"type": "date", "tickformat": "%m-%d", "nticks": 8},
        "yaxis": {"tickformat": "d", "nticks": 4},
        "legend": {"orientation": "h", "y": 1.15},
        "showlegend": True,
    }
    return JsonResponse({"data": [opened, decided], "layout": layout})


def _line(dates: list[str], numbers: list[int], *, name: str, hover: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": dates,
        "y": numbers,
        "name": name,
        "hovertemplate": f"{hover}<extra></extra>",
    }


@require_GET
@staff_page()
def review_reasons_chart(request: StaffRequest) -> JsonResponse:
    """Rejections by reason, the most frequent on top."""
    reasons = review_stats(workspace=request.workspace, now=timezone.now()).reasons[::-1]
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": [word_for(code, "reject_reason") for code, _number in reasons],
        "x": [number for _code, number in reasons],
        "hovertemplate": "%{y}: %{x}<extra></extra>",
    }
    layout = {"xaxis": {"tickformat": "d", "nticks": 4}, "yaxis": {"automargin": True, "type": "category"}}
    return JsonResponse({"data": [bars], "layout": layout})
