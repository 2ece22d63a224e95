"""`/owners/<id>/`: what is held true now, and where each value came from."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, owner_for, staff_page
from reviews.queries.facts import current_facts, field_definitions


@require_GET
@staff_page()
def facts(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    context = {
        "owner": owner,
        "tab": "facts",
        "facts": current_facts(owner=owner),
        "definitions": field_definitions(owner.workspace_id),
    }
    return render(request, "reviews/facts.html", context)
