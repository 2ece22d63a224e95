"""`/review/`: everything that waits for a person."""

from __future__ import annotations

from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, may, staff_page
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.facts import field_definitions
from reviews.queries.review_queue import TABS, choices_of_queue, read_queue
from reviews.review_forms import ReviewFilter
from reviews.undo_offers import offered_batch, offered_undo
from reviews.views.saved_views import SavedViews, kept_query, opens_first, saved_views


@require_GET
@staff_page()
def review_queue(request: StaffRequest) -> HttpResponseBase:
    kept = saved_views(request, "review")
    return opens_first(request, kept["views"]) or _shown(request, kept)


def _shown(request: StaffRequest, kept: SavedViews) -> HttpResponse:
    form = ReviewFilter(request.GET, offered=choices_of_queue(request.workspace))
    chosen = form.queue_filter()
    now = timezone.now()
    queue = read_queue(
        workspace=request.workspace,
        chosen=chosen,
        user_id=request.user.pk,
        now=now,
        cursor=read_cursor(request.GET.get("cursor", ""), parts=3),
    )
    context = {
        "form": form,
        "queue": queue,
        "page": queue.page,
        "tabs": [(tab, queue.counts[tab]) for tab in TABS],
        "tab": chosen.tab,
        "now": now,
        "definitions": field_definitions(request.workspace.id),
        "may_decide": may(request.roles, "reviewer"),
        "undo": offered_undo(request, now=now),
        "undo_many": offered_batch(request, now=now),
    }
    return render_page(request, "reviews/review_queue.html", {**context, **kept})


def query_of(data: QueryDict) -> str:
    """Tab and filter of the queue as a query string, without the place in the list: what a saved view keeps."""
    return kept_query(data, "review")
