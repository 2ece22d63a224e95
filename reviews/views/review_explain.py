"""`…/explain/`: why a review waits, its risk part by part, and its place in the queue."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from memoryhub.changes.queueing import IMPORTANCE_WEIGHT, TOP_CLASS_IMPORTANCE
from reviews.access import StaffRequest, owner_for, staff_page
from reviews.queries.facts import field_definitions
from reviews.queries.review_explain import all_weights, explain_review
from reviews.views.review_queue import query_of


@require_GET
@staff_page()
def review_explain(request: StaffRequest, owner_id: UUID, review_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    explained = explain_review(owner=owner, review_id=review_id)
    if explained is None:
        raise Http404
    context = {
        "owner": owner,
        "explained": explained,
        "review": explained.review,
        "change": explained.change,
        "definitions": field_definitions(owner.workspace_id),
        "weights": all_weights(),
        "importance_weight": IMPORTANCE_WEIGHT,
        "top_importance": TOP_CLASS_IMPORTANCE,
        "query": query_of(request.GET),
        "now": timezone.now(),
    }
    return render(request, "reviews/review_explain.html", context)
