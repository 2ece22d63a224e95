"""`/try-extraction/`: a text in, and what each extractor would make of it out, step by step; nothing is stored."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from reviews.access import StaffRequest, staff_page
from reviews.trial_forms import TrialForm
from reviews.trying import Trial, try_both


@sensitive_post_parameters("text", "earlier")
@require_http_methods(["GET", "POST"])
@staff_page("reviewer")
def try_extraction(request: StaffRequest) -> HttpResponse:
    """The text is posted and shown on the same page: it belongs in no address and in no log."""
    form = TrialForm(request.POST if request.method == "POST" else None, workspace=request.workspace)
    columns = None
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        columns = try_both(
            Trial(
                workspace=request.workspace,
                text=given["text"],
                role=given["role"],
                occurred_at=given["said_at"] or timezone.now(),
                trust_tier=int(given["trust"]),
                owner=given["owner"],
                locale=given["language"],
                earlier=given["earlier"],
            )
        )
    invalid = form.is_bound and not form.is_valid()
    context = {
        "form": form,
        "columns": columns,
        "owner_tried": form.cleaned_data.get("owner") if columns else None,
    }
    return render(request, "reviews/try_extraction.html", context, status=422 if invalid else 200)
