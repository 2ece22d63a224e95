"""`/owners/`: find whose memory to look at."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, staff_page
from reviews.forms import OwnerFilter
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.owners import exact_owner, list_owners


@require_GET
@staff_page()
def owners(request: StaffRequest) -> HttpResponseBase:
    form = OwnerFilter(request.GET)
    chosen = form.chosen
    # The search field of the top bar goes straight to an owner whose whole reference was typed.
    if "go" in request.GET and chosen["q"]:
        found = exact_owner(workspace=request.workspace, ref=chosen["q"])
        if found is not None:
            return redirect("reviews:owner", found.id)
    return _listed(request, form)


def _listed(request: StaffRequest, form: OwnerFilter) -> HttpResponse:
    chosen = form.chosen
    page, total = list_owners(
        workspace=request.workspace,
        ref=chosen["q"],
        kind=chosen["kind"],
        state=chosen["state"],
        cursor=read_cursor(request.GET.get("cursor", ""), parts=1),
    )
    return render_page(request, "reviews/owners.html", {"form": form, "page": page, "total": total})
