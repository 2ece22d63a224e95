"""`/repeats/`: questions that came again within seven days, the newest first."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, staff_page
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.repeats import list_repeats


@require_GET
@staff_page()
def repeats(request: StaffRequest) -> HttpResponse:
    cursor = read_cursor(request.GET.get("cursor", ""), parts=2)
    context = {"page": list_repeats(workspace=request.workspace, cursor=cursor)}
    return render_page(request, "reviews/repeats.html", context)
