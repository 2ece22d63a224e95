"""`/recalls/statistics/`: how recall does, as figures, charts and tables that say the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memoryhub.sessions.measuring import LOW_BELOW
from reviews.access import StaffRequest, staff_page
from reviews.labels import word_for
from reviews.pages import render_page
from reviews.queries.recall_stats import DAYS, LEAST_FOR_A_RATE, Figures, RecallStats, recall_stats
from reviews.queries.recalls import agent_names
from reviews.recall_forms import RecallStatsFilter
from reviews.views.review_charts import DAYS_AXIS, LEGEND, bars
from reviews.zones import zone_named

type Days = Sequence[tuple[date, Figures]]


def _read(request: StaffRequest, *, with_terms: bool) -> tuple[RecallStatsFilter, RecallStats]:
    form = RecallStatsFilter(request.GET, agent_names(request.workspace))
    today = datetime.now(zone_named(request.workspace.time_zone)).date()
    first, last = form.days(today, usual=DAYS)
    agent = form.chosen["agent"]
    stats = recall_stats(
        workspace=request.workspace,
        first=first,
        last=last,
        agent_id=UUID(agent) if agent else None,
        with_terms=with_terms,
    )
    return form, stats


@require_GET
@staff_page()
def recall_statistics(request: StaffRequest) -> HttpResponse:
    form, stats = _read(request, with_terms=True)
    context = {
        "form": form,
        "stats": stats,
        "least": LEAST_FOR_A_RATE,
        "first": stats.days[0][0],
        "last": stats.days[-1][0],
        "asked_for": request.GET.urlencode(),
        "now": timezone.now(),
    }
    return render_page(request, "reviews/recall_stats.html", context)


@require_GET
@staff_page()
def recall_funnel_chart(request: StaffRequest) -> JsonResponse:
    """Recalls from asked to helped: lying bars."""
    _form, stats = _read(request, with_terms=False)
    return bars([(word_for(code, "funnel"), number) for code, number in stats.total.funnel])


@require_GET
@staff_page()
def recall_terms_chart(request: StaffRequest) -> JsonResponse:
    """What was asked in words that name no field, the most asked on top."""
    _form, stats = _read(request, with_terms=True)
    return bars([(term.term, term.asked) for term in stats.terms])


@require_GET
@staff_page()
def recall_rates_chart(request: StaffRequest) -> JsonResponse:
    """Hit rate and pollution rate per day; a gap on days with too few judgements."""
    _form, stats = _read(request, with_terms=False)
    hit = _line(stats.days, _("hit rate"), lambda day: _percent(day.hit.share), lambda day: day.hit.cases)
    pollution = _line(
        stats.days,
        _("pollution rate"),
        lambda day: _percent(day.pollution.share),
        lambda day: day.pollution.cases,
    )
    return _shares([hit, pollution | {"meta": "quiet"}])


@require_GET
@staff_page()
def recall_session_chart(request: StaffRequest) -> JsonResponse:
    """Hit rate of the session layer per day, and the line below which somebody should look."""
    _form, stats = _read(request, with_terms=False)
    share = _line(
        stats.days,
        _("the conversation had the answer"),
        lambda day: _percent(day.session.share),
        lambda day: day.session.cases,
    )
    dates = [day.isoformat() for day, _figures in stats.days]
    alert = {
        "type": "scatter",
        "mode": "lines",
        "name": _("alert below 80 %"),
        "x": [dates[0], dates[-1]],
        "y": [LOW_BELOW * 100] * 2,
        "line": {"dash": "dash"},
        "meta": "quiet",
        "hoverinfo": "skip",
    }
    return _shares([share, alert])


@require_GET
@staff_page()
def recall_latency_chart(request: StaffRequest) -> JsonResponse:
    """Milliseconds that half, 95 and 99 of 100 recalls of a day took at most."""
    _form, stats = _read(request, with_terms=False)
    lines = [
        _line(stats.days, "p50", lambda day: _rounded(day.p50), lambda day: day.asked),
        _line(stats.days, "p95", lambda day: _rounded(day.p95), lambda day: day.asked) | {"meta": "quiet"},
        _line(stats.days, "p99", lambda day: _rounded(day.p99), lambda day: day.asked)
        | {"meta": "quiet", "line": {"dash": "dot"}},
    ]
    for line in lines:
        line["hovertemplate"] = "%{x|%Y-%m-%d}: %{y:.0f} ms, n = %{customdata}<extra>%{fullData.name}</extra>"
    layout = {"xaxis": DAYS_AXIS, "yaxis": {"ticksuffix": " ms", "nticks": 4, "automargin": True}, **LEGEND}
    return JsonResponse({"data": lines, "layout": layout})


def _shares(lines: list[dict[str, Any]]) -> JsonResponse:
    yaxis = {"ticksuffix": " %", "range": [0, 102], "nticks": 5, "automargin": True}
    return JsonResponse({"data": lines, "layout": {"xaxis": DAYS_AXIS, "yaxis": yaxis, **LEGEND}})


def _line(
    days: Days, name: str, value: Callable[[Figures], float | None], cases: Callable[[Figures], int]
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": [day.isoformat() for day, _figures in days],
        "y": [value(figures) for _day, figures in days],
        "customdata": [cases(figures) for _day, figures in days],
        "hovertemplate": "%{x|%Y-%m-%d}: %{y:.0f} %, n = %{customdata}<extra>%{fullData.name}</extra>",
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else round(share * 100, 1)


def _rounded(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds, 1)
