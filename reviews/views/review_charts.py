"""Figures of the review pages as plotly.js reads them; the pages give the colours and say the same numbers in a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, staff_page
from reviews.labels import word_for
from reviews.queries.review_queue import waited_of
from reviews.queries.review_stats import review_stats

MOST_TICKS = 5
"""Up to here an axis counts one by one; plotly would write 0, 1, 1."""
LEGEND = {"legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"}, "showlegend": True}
DAYS_AXIS = {"type": "date", "tickformat": "%m-%d", "nticks": 8}


@require_GET
@staff_page()
def review_flow_chart(request: StaffRequest) -> JsonResponse:
    """Opened and decided reviews per day."""
    days = review_stats(workspace=request.workspace, now=timezone.now()).days
    dates = [day.date.isoformat() for day in days]
    hover = "%{x|%Y-%m-%d}: %{y}"
    opened = _line(dates, [day.opened for day in days], name=_("reviews opened"), hover=hover) | {
        "type": "bar",
        "meta": "quiet",
    }
    decided = _line(dates, [day.decided for day in days], name=_("reviews decided"), hover=hover)
    layout = {"xaxis": DAYS_AXIS, "yaxis": {"tickformat": "d", "nticks": 4}, **LEGEND}
    return JsonResponse({"data": [opened, decided], "layout": layout})


@require_GET
@staff_page()
def review_waits_chart(request: StaffRequest) -> JsonResponse:
    """Hours that half and nine of ten of a day's decisions had been waited for; a gap on days without one."""
    days = review_stats(workspace=request.workspace, now=timezone.now()).days
    dates = [day.date.isoformat() for day in days]
    half = [_hours(day.waits.p50) for day in days]
    most = [_hours(day.waits.p90) for day in days]
    hover = "%{x|%Y-%m-%d}: %{y:.1f} h, n = %{customdata}"
    numbers = {"customdata": [day.waits.number for day in days]}
    ninety = _line(dates, most, name=_("nine of ten waited up to"), hover=hover) | numbers | {"meta": "quiet"}
    fifty = _line(dates, half, name=_("half waited up to"), hover=hover) | numbers
    layout = {"xaxis": DAYS_AXIS, "yaxis": {"ticksuffix": " h", "nticks": 4}, **LEGEND}
    return JsonResponse({"data": [ninety, fifty], "layout": layout})


def _hours(length: Any) -> float | None:
    return None if length is None else round(length.total_seconds() / 3600, 3)


def _line(dates: list[str], numbers: Sequence[float | None], *, name: str, hover: str) -> dict[str, Any]:
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
    reasons = review_stats(workspace=request.workspace, now=timezone.now()).reasons
    return bars([(word_for(code, "reject_reason"), number) for code, number in reasons])


@require_GET
@staff_page()
def review_overturned_chart(request: StaffRequest) -> JsonResponse:
    """Decisions that did not stand, by how they fell."""
    overturns = review_stats(workspace=request.workspace, now=timezone.now()).overturns
    return bars([(word_for(code, "overturn"), number) for code, number in overturns])


@require_GET
@staff_page()
def review_ages_chart(request: StaffRequest) -> JsonResponse:
    """How many pending reviews have waited how long: standing bars, the freshest on the left."""
    rows = waited_of(workspace=request.workspace, now=timezone.now())
    bars = {
        "type": "bar",
        "x": [word_for(code, "waited") for code, _number in rows],
        "y": [number for _code, number in rows],
        "hovertemplate": "%{x}: %{y}<extra></extra>",
    }
    few = max(number for _code, number in rows) <= MOST_TICKS
    layout = {
        "xaxis": {"type": "category"},
        "yaxis": {"tickformat": "d", "dtick": 1} if few else {"tickformat": "d", "nticks": 4},
    }
    return JsonResponse({"data": [bars], "layout": layout})


def bars(rows: Sequence[tuple[str, int]]) -> JsonResponse:
    """Lying bars, the first on top."""
    few = max((number for _word, number in rows), default=0) <= MOST_TICKS
    lying = {
        "type": "bar",
        "orientation": "h",
        "y": [word for word, _number in rows][::-1],
        "x": [number for _word, number in rows][::-1],
        "hovertemplate": "%{y}: %{x}<extra></extra>",
    }
    layout = {
        "xaxis": {"tickformat": "d", "dtick": 1} if few else {"tickformat": "d", "nticks": 4},
        "yaxis": {"automargin": True, "type": "category"},
    }
    return JsonResponse({"data": [lying], "layout": layout})
