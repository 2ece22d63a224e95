"""`/review/stats/`: how long reviews wait, why they are rejected, and how agents do in the patrol sample."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from memoryhub.changes import patrol
from memoryhub.changes.patrolling import apply_patrol_rule
from reviews.access import StaffRequest, may, staff_page
from reviews.labels import word_for
from reviews.queries.review_stats import LEAST_FOR_A_RATE, review_stats, start_of_period

MOST_TICKS = 5
"""Up to here an axis counts one by one; plotly would write 0, 1, 1."""


@require_GET
@staff_page()
def review_statistics(request: StaffRequest) -> HttpResponse:
    context = {
        "stats": review_stats(workspace=request.workspace, now=timezone.now()),
        "least": LEAST_FOR_A_RATE,
        "may_move": may(request.roles, "operator"),
        "rule": {
            "gate_rate": patrol.GATE_FROM_RATE,
            "gate_samples": patrol.GATE_FROM_SAMPLES,
            "patrol_rate": patrol.PATROL_UP_TO_RATE,
            "patrol_samples": patrol.PATROL_FROM_SAMPLES,
        },
    }
    return render(request, "reviews/review_stats.html", context)


@require_POST
@staff_page("operator")
def move_agents(request: StaffRequest) -> HttpResponseBase:
    """Apply the patrol rule: agents move between waiting for a person and going live at once."""
    since = start_of_period(request.workspace, timezone.now())
    moved = apply_patrol_rule(workspace_id=request.workspace.id, since=since, user_id=request.user.pk)
    number = len(moved.gated) + len(moved.freed)
    if number:
        said = ngettext("%(number)s agent moved.", "%(number)s agents moved.", number)
        messages.success(request, said % {"number": number})
    else:
        messages.info(request, _("By the rule no agent moves."))
    return redirect("reviews:review_stats")


@require_GET
@staff_page()
def review_flow_chart(request: StaffRequest) -> JsonResponse:
    """Opened and decided reviews per day, as plotly.js reads it; the page gives the colours."""
    days = review_stats(workspace=request.workspace, now=timezone.now()).days
    dates = [day.date.isoformat() for day in days]
    hover = "%{x|%Y-%m-%d}: %{y}"
    opened = _line(dates, [day.opened for day in days], name=_("reviews opened"), hover=hover) | {
        "type": "bar",
        "meta": "quiet",
    }
    decided = _line(dates, [day.decided for day in days], name=_("reviews decided"), hover=hover)
    layout = {
        "xaxis": {"type": "date", "tickformat": "%m-%d", "nticks": 8},
        "yaxis": {"tickformat": "d", "nticks": 4},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
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
    bars: dict[str, Any] = {
        "type": "bar",
        "orientation": "h",
        "y": [word_for(code, "reject_reason") for code, _number in reasons],
        "x": [number for _code, number in reasons],
        "hovertemplate": "%{y}: %{x}<extra></extra>",
    }
    few = max(bars["x"], default=0) <= MOST_TICKS
    layout = {
        "xaxis": {"tickformat": "d", "dtick": 1} if few else {"tickformat": "d", "nticks": 4},
        "yaxis": {"automargin": True, "type": "category"},
    }
    return JsonResponse({"data": [bars], "layout": layout})
