"""`/owners/<id>/recall/`: what an agent would be told, and why."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, owner_for, staff_page
from reviews.forms import RecallForm
from reviews.pages import render_page


@require_GET
@staff_page()
def recall(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    form = RecallForm(request.GET)
    return render_page(request, "reviews/recall.html", {"owner": owner, "tab": "recall", "form": form})
