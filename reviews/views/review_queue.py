"""`/review/`: everything that waits for a person."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from reviews.access import StaffRequest, may, staff_page
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.facts import field_definitions
from reviews.queries.review_queue import TABS, choices_of_queue, read_queue
from reviews.queries.saved_views import delete_view, save_view, views_of
from reviews.review_forms import ReviewFilter, SaveViewForm
from reviews.undo_offers import offered_batch, offered_undo


@require_GET
@staff_page()
def review_queue(request: StaffRequest) -> HttpResponseBase:
    views = views_of(workspace=request.workspace, user_id=request.user.pk)
    default = next((link.view for link in views if link.is_mine and link.view.is_default), None)
    if default is not None and not request.GET:
        return redirect(f"{request.path}?{default.params}")
    return _shown(request, views=views)


def _shown(request: StaffRequest, **context: object) -> HttpResponse:
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
    context |= {
        "form": form,
        "queue": queue,
        "page": queue.page,
        "tabs": [(tab, queue.counts[tab]) for tab in TABS],
        "tab": chosen.tab,
        "now": now,
        "query": query_of(request.GET),
        "definitions": field_definitions(request.workspace.id),
        "may_decide": may(request.roles, "reviewer"),
        "undo": offered_undo(request, now=now),
        "undo_many": offered_batch(request, now=now),
    }
    return render_page(request, "reviews/review_queue.html", context)


def query_of(data: QueryDict) -> str:
    """Tab and filter of the queue as a query string, without the place in the list: what a saved view keeps."""
    names = ("tab", *ReviewFilter.base_fields)
    kept = QueryDict(mutable=True)
    for name in names:
        if value := data.get(name, "").replace("\0", "")[:200]:
            kept[name] = value
    return kept.urlencode()


@require_POST
@staff_page()
def save_review_view(request: StaffRequest) -> HttpResponseBase:
    form = SaveViewForm(request.POST)
    params = query_of(QueryDict(request.POST.get("params", "")[:1000])) or "tab=unclaimed"
    if form.is_valid() and form.cleaned_data["name"].strip():
        save_view(
            workspace=request.workspace,
            user_id=request.user.pk,
            name=form.cleaned_data["name"].strip(),
            params=params,
            is_shared=form.cleaned_data["is_shared"],
            is_default=form.cleaned_data["is_default"],
        )
        messages.success(request, _("The view was saved."))
    else:
        messages.warning(request, _("A view needs a name of at most 80 characters."))
    return redirect(f"{reverse('reviews:review_queue')}?{params}")


@require_POST
@staff_page()
def delete_review_view(request: StaffRequest, view_id: UUID) -> HttpResponseBase:
    if delete_view(workspace=request.workspace, user_id=request.user.pk, view_id=view_id):
        messages.success(request, _("The view was deleted."))
    else:
        messages.warning(request, _("Only who saved a view deletes it."))
    return redirect(f"{reverse('reviews:review_queue')}?tab=unclaimed")
