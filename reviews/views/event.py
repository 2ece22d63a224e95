"""`/owners/<id>/events/<event>/`: one event and everything around it."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.queries.events import event_detail
from reviews.queries.facts import field_definitions


@require_GET
@staff_page()
def event(request: StaffRequest, owner_id: UUID, event_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    detail = event_detail(owner=owner, event_id=event_id)
    if detail is None:
        raise Http404
    definitions = field_definitions(owner.workspace_id)
    context = {
        "owner": owner,
        "tab": "timeline",
        "detail": detail,
        "definitions": definitions,
        "may_roll_back": may(request.roles, "operator"),
    }
    return render(request, "reviews/event.html", context)
