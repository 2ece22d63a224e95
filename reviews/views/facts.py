"""`/owners/<id>/`: what is held true now, and where each value came from."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from memoryhub.models import Owner
from reviews.access import StaffRequest, owner_for, staff_page
from reviews.as_of import read_as_of
from reviews.lanes import Column, columns
from reviews.queries.ages import AgeBand, ages_of
from reviews.queries.facts import current_facts, field_definitions


@require_GET
@staff_page()
def facts(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    as_of = read_as_of(request.GET, zone=owner.zone)
    context = {
        "owner": owner,
        "tab": "facts",
        "as_of": as_of,
        "facts": current_facts(owner=owner, as_of=as_of),
        "definitions": field_definitions(owner.workspace_id),
        "ages": None if as_of.is_past else _ages(owner),
    }
    return render(request, "reviews/facts.html", context)


def _ages(owner: Owner) -> list[tuple[AgeBand, Column]]:
    """The bands with their bars; none for an owner of whom nothing is believed."""
    bands = ages_of(owner=owner, now=timezone.now())
    if not any(band.total for band in bands):
        return []
    return list(zip(bands, columns([(band.code, band.total) for band in bands]), strict=True))
