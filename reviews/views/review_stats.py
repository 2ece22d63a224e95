"""`/review/stats/`: how long reviews wait, why they are rejected, and how agents do in the patrol sample."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from memoryhub.changes import patrol
from memoryhub.changes.patrolling import apply_patrol_rule
from reviews.access import StaffRequest, may, staff_page
from reviews.queries.review_stats import LEAST_FOR_A_RATE, review_stats, start_of_period


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
