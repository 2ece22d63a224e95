"""`/policies/trials/`: policies on a share of the owners, their figures side by side, and the acts of two people about them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memoryhub.evaluation.ab_comparing import Comparison, compare_trial
from memoryhub.evaluation.intervals import FEW, FEW_CLUSTERS, Estimate
from memoryhub.exceptions import InvalidInput, NotFound, OwnPolicy, PolicyMoved, TrialRunning, WrongMove
from memoryhub.models import PolicyTrial
from memoryhub.policy_trials import (
    end_trial,
    find_trial,
    halt_trial,
    propose_trial,
    reject_trial,
    resume_trial,
    start_trial,
    withdraw_trial,
)
from reviews.access import StaffRequest, may, staff_page
from reviews.labels import word_for
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.policy_trial_forms import ShareForm, TrialReasonForm
from reviews.policy_trial_words import PROBLEMS
from reviews.policy_words import NUMBERS
from reviews.queries.policy_trials import list_trials, trial_row

ASIDE = 0.17
"""How far the points of the two versions stand from the middle of their line."""
NEEDS_A_REASON = {"start": start_trial, "reject": reject_trial}


@require_GET
@staff_page()
def policy_trials(request: StaffRequest) -> HttpResponse:
    cursor = read_cursor(request.GET.get("cursor", ""), parts=1)
    context = {"page": list_trials(workspace=request.workspace, cursor=cursor)}
    return render_page(request, "reviews/policy_trials.html", context)


@require_GET
@staff_page()
def policy_trial(request: StaffRequest, number: int) -> HttpResponse:
    return _shown(request, _trial(request, number))


def _shown(
    request: StaffRequest, trial: PolicyTrial, *, problem: str = "", status: int = 200
) -> HttpResponse:
    first = trial.proposed_by_id if trial.state == "proposed" else trial.halted_by_id
    is_first = trial.four_eyes and first == request.user.pk
    context = {
        "row": trial_row(trial),
        "trial": trial,
        "comparison": compare_trial(trial=trial, now=timezone.now()),
        "few": FEW,
        "few_owners": FEW_CLUSTERS,
        "form": TrialReasonForm(),
        "problem": problem,
        "is_first": is_first,
        "may_propose": may(request.roles, "operator"),
        "may_decide": may(request.roles, "approver") and not is_first,
        "is_author": trial.proposed_by_id == request.user.pk,
    }
    return render(request, "reviews/policy_trial.html", context, status=status)


@require_POST
@staff_page("operator")
def policy_try(request: StaffRequest, number: int) -> HttpResponseBase:
    """Propose a version for a share of the owners."""
    form = ShareForm(request.POST)
    if not form.is_valid():
        messages.warning(request, _("Name a share between 1 and 50 percent, and say why; nothing was done."))
        return redirect("reviews:policy", number)
    try:
        trial = propose_trial(
            workspace_id=request.workspace.id,
            number=number if number < 2**31 else 0,
            share=form.cleaned_data["share"],
            user_id=request.user.pk,
            reason=form.cleaned_data["reason"],
        )
    except NotFound:
        raise Http404 from None
    except InvalidInput as error:
        said = str(PROBLEMS.get(error.code, error.code)).replace(
            "%(name)s", str(NUMBERS.get(error.field, error.field))
        )
        messages.warning(request, said)
    except WrongMove:
        messages.warning(request, _("This version cannot be tried, or its trial is proposed already."))
    else:
        messages.success(request, _("The trial waits for a second person."))
        return redirect("reviews:policy_trial", trial.number)
    return redirect("reviews:policy", number)


@require_POST
@staff_page("operator")
def policy_trial_move(request: StaffRequest, number: int) -> HttpResponseBase:
    """Halt a running trial, or take one's own proposal back."""
    trial = _trial(request, number)
    about: dict[str, Any] = {
        "workspace_id": request.workspace.id,
        "number": number,
        "user_id": request.user.pk,
    }
    try:
        if request.POST.get("to") == "halted":
            halt_trial(**about, reason=request.POST.get("reason", ""))
        else:
            withdraw_trial(**about)
    except InvalidInput:
        return _shown(request, trial, problem=_("Say why you halt it."), status=422)
    except OwnPolicy:
        messages.warning(request, _("Only who proposed it takes it back; nothing was done."))
    except WrongMove:
        messages.warning(request, _("It is not in that state any more; nothing was done."))
    return redirect("reviews:policy_trial", number)


@require_POST
@staff_page("approver")
def policy_trial_decide(request: StaffRequest, number: int) -> HttpResponseBase:
    """Start or reject what is proposed, end or resume what is halted: a second person's to do."""
    trial = _trial(request, number)
    about: dict[str, Any] = {
        "workspace_id": request.workspace.id,
        "number": number,
        "user_id": request.user.pk,
    }
    decision = request.POST.get("decision", "")
    try:
        if decision in NEEDS_A_REASON:
            NEEDS_A_REASON[decision](**about, reason=request.POST.get("reason", ""))
        elif decision == "resume":
            resume_trial(**about)
        else:
            end_trial(**about)
    except InvalidInput:
        return _shown(request, trial, problem=_("Say why you decide so."), status=422)
    except OwnPolicy:
        said = _("You did the first step yourself: another person has to decide.")
        return _shown(request, trial, problem=said, status=403)
    except (PolicyMoved, TrialRunning) as error:
        return _shown(request, trial, problem=_obstacle(error), status=409)
    except WrongMove:
        messages.warning(request, _("It is not in that state any more; nothing was done."))
    return redirect("reviews:policy_trial", number)


def _obstacle(error: PolicyMoved | TrialRunning) -> str:
    if isinstance(error, TrialRunning):
        return _("Another policy is tried now. End that trial first.")
    return _("Another policy came into force meanwhile. Reject this trial, or have it proposed again.")


@require_GET
@staff_page()
def policy_trial_chart(request: StaffRequest, number: int) -> JsonResponse:
    """The shares of both policies with their intervals, as plotly.js reads it; colours come from the page."""
    comparison = compare_trial(trial=_trial(request, number), now=timezone.now())
    figures = [f for f in comparison.figures if f.kind == "share"][::-1] if comparison else []
    names = [word_for(figure.name, "trial_figure") for figure in figures]
    trial = _points(names, [f.trial for f in figures], _version_word(comparison, "version"), beside=-ASIDE)
    control = _points(names, [f.control for f in figures], _version_word(comparison, "control"), beside=ASIDE)
    layout = {
        "xaxis": {"ticksuffix": " %", "range": [-3, 106], "tickvals": [0, 50, 100]},
        "yaxis": {
            "automargin": True,
            "range": [-0.6, len(names) - 0.4],
            "tickvals": list(range(len(names))),
            "ticktext": names,
        },
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "reversed"},
        "showlegend": True,
    }
    return JsonResponse({"data": [trial, {**control, "meta": "quiet"}], "layout": layout})


def _version_word(comparison: Comparison | None, side: str) -> str:
    if comparison is None:
        return ""
    number = getattr(comparison.trial, side).number
    said = _("in trial: version %(number)s") if side == "version" else _("in force: version %(number)s")
    return said % {"number": number}


def _points(names: list[str], estimates: list[Estimate], name: str, *, beside: float) -> dict[str, Any]:
    """Points in percent with their intervals, a little beside the middle of their line; what has too few cases has none."""
    return {
        "type": "scatter",
        "mode": "markers",
        "marker": {"size": 9},
        "name": name,
        "text": names,
        "y": [place + beside for place in range(len(names))],
        "x": [_percent(e.value) for e in estimates],
        "error_x": {
            "type": "data",
            "symmetric": False,
            "thickness": 2,
            "array": [_reach(e.value, e.high) for e in estimates],
            "arrayminus": [_reach(e.low, e.value) for e in estimates],
        },
        "customdata": [e.n for e in estimates],
        "hovertemplate": "%{text}: %{x:.1f} %, n = %{customdata}<extra></extra>",
    }


def _percent(value: float | None) -> float | None:
    return None if value is None else round(value * 100, 2)


def _reach(low: float | None, high: float | None) -> float:
    return 0.0 if low is None or high is None else round((high - low) * 100, 2)


def _trial(request: StaffRequest, number: int) -> PolicyTrial:
    try:
        return find_trial(request.workspace.id, number if number < 2**31 else 0)
    except NotFound:
        raise Http404 from None
