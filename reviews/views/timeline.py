"""`/owners/<id>/timeline/`: what happened, and what memory made of it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.as_of import read_as_of
from reviews.days import by_day
from reviews.forms import TimelineForm
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.facts import field_definitions
from reviews.queries.timeline import TimelineFilter
from reviews.queries.timeline import timeline as read_timeline
from reviews.queries.timeline_lanes import lanes_over
from reviews.zones import zone_named


@require_GET
@staff_page()
def timeline(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    form = TimelineForm(request.GET)
    cursor = read_cursor(request.GET.get("cursor", ""), parts=2)
    as_of = read_as_of(request.GET, zone=owner.zone)
    page = read_timeline(owner=owner, chosen=TimelineFilter(**form.chosen, as_of=as_of), cursor=cursor)
    days = by_day(page.rows, zone_named(owner.zone))
    context: dict[str, object] = {
        "owner": owner,
        "tab": "timeline",
        "form": form,
        "page": page,
        "days": days,
    }
    context["lanes"] = lanes_over(owner=owner, moments=page.rows, as_of=as_of, now=timezone.now())
    context["definitions"] = field_definitions(owner.workspace_id)
    context["link"] = request.build_absolute_uri()
    context |= {"as_of": as_of, "may_roll_back": may(request.roles, "operator")}
    return render_page(request, "reviews/timeline.html", context)
