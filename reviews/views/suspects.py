"""`/suspects/`: live values that deserve a look, ranked by stated signals."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from memoryhub.changes.suspects import WEIGHTS
from reviews.access import StaffRequest, may, staff_page
from reviews.incident_forms import SuspectFilter
from reviews.pages import render_page
from reviews.queries.facts import field_definitions
from reviews.queries.incidents import list_suspects


@require_GET
@staff_page()
def suspects(request: StaffRequest) -> HttpResponse:
    form = SuspectFilter(request.GET, workspace=request.workspace)
    context = {
        "form": form,
        "rows": list_suspects(workspace=request.workspace, **form.chosen),
        "definitions": field_definitions(request.workspace.id),
        "weights": WEIGHTS,
        "may_roll_back": may(request.roles, "operator"),
    }
    return render_page(request, "reviews/suspects.html", context)
