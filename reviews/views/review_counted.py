"""`/review/counted/`: the reviews that a number of the statistics counts, by the same conditions."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from memoryhub.models import Agent
from reviews.access import StaffRequest, staff_page
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.facts import field_definitions
from reviews.queries.review_counted import CountedFilter, list_counted
from reviews.queries.review_stats import start_of_period
from reviews.review_forms import CountedForm


@require_GET
@staff_page()
def review_counted(request: StaffRequest) -> HttpResponse:
    """Of the last 30 days, like the statistics; a page of 25 with the total in the caption."""
    agents = Agent.objects.filter(workspace=request.workspace).order_by("name").values_list("id", "name")
    form = CountedForm(request.GET, agents=[(str(agent_id), name) for agent_id, name in agents])
    counted = list_counted(
        workspace=request.workspace,
        chosen=CountedFilter(**form.chosen),
        since=start_of_period(request.workspace, timezone.now()),
        cursor=read_cursor(request.GET.get("cursor", ""), parts=2),
    )
    context = {
        "form": form,
        "page": counted.page,
        "total": counted.total,
        "definitions": field_definitions(request.workspace.id),
    }
    return render_page(request, "reviews/review_counted.html", context)
