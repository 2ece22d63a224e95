"""`/keyboard/`: the shortcut sheet as a page, for when no script runs."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, staff_page


@require_GET
@staff_page()
def keyboard(request: StaffRequest) -> HttpResponse:
    return render(request, "reviews/keyboard.html")
