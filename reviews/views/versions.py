"""`/owners/<id>/forms/<form>/<field>/`: every value a field has had, on both clocks."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.facts import version_chain


@require_GET
@staff_page()
def versions(request: StaffRequest, owner_id: UUID, form_id: UUID, field: str) -> HttpResponse:
    owner = owner_for(request, owner_id)
    cursor = read_cursor(request.GET.get("cursor", ""), parts=1)
    chain = version_chain(owner=owner, form_id=form_id, field_name=field, cursor=cursor)
    if chain is None:
        raise Http404
    context = {
        "owner": owner,
        "tab": "facts",
        "chain": chain,
        "may_roll_back": may(request.roles, "operator"),
    }
    return render_page(request, "reviews/versions.html", context)
