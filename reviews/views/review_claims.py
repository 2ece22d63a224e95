"""Taking, holding and giving back a review, and `/review/next/`."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import LogoutView
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memoryhub.changes import claims
from memoryhub.database.scope import scope
from memoryhub.models import Review, Workspace
from reviews.access import StaffRequest, owner_for, staff_page, workspace_of
from reviews.queries.review_queue import QueueFilter, choices_of_queue, in_order, offered_to, undecided
from reviews.queries.review_tally import tally_of_today
from reviews.review_forms import ReviewFilter
from reviews.undo_offers import offered_undo
from reviews.viewers import look_away
from reviews.views.review_item import claim_review
from reviews.views.review_queue import query_of
from reviews.zones import zone_named


@require_GET
@staff_page("reviewer")
def review_next(request: StaffRequest) -> HttpResponseBase:
    now = timezone.now()
    today = start_of_day(request.workspace, now)
    form = ReviewFilter(request.GET, offered=choices_of_queue(request.workspace))
    found = _claim_next(request, form.queue_filter(), now=now, today=today)
    query = query_of(request.GET)
    if found is not None:
        page = reverse("reviews:review_item", args=[found.owner_id, found.id])
        return redirect(f"{page}?focus=1&{query}" if query else f"{page}?focus=1")
    tally = tally_of_today(workspace=request.workspace, user_id=request.user.pk, now=now, today=today)
    context = {"tally": tally, "query": query, "now": now, "undo": offered_undo(request, now=now)}
    return render(request, "reviews/review_done.html", context)


def _claim_next(
    request: StaffRequest, chosen: QueueFilter, *, now: datetime, today: datetime
) -> Review | None:
    """The next free review of the view; whose work it was does not matter here, so those tabs count as all."""
    if chosen.tab in ("mine", "unclaimed"):
        chosen = replace(chosen, tab="all")
    user_id = request.user.pk
    with scope(workspace_id=request.workspace.id, owners="workspace", purpose="desk"):
        rows = undecided(request.workspace).filter(chosen.condition(user_id=user_id, now=now))
        queue = in_order(offered_to(rows, user_id=user_id, today=today))
        if after := _id_of(request.GET.get("after", "")):
            queue = queue.exclude(id=after)
        return claims.claim_next(queue=queue, user_id=user_id, now=now)


def _id_of(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def start_of_day(workspace: Workspace, now: datetime) -> datetime:
    """Midnight of the workspace's calendar."""
    local = now.astimezone(zone_named(workspace.time_zone))
    return local.replace(hour=0, minute=0, second=0, microsecond=0)


@require_POST
@staff_page("reviewer")
def review_claim(request: StaffRequest, owner_id: UUID, review_id: UUID) -> HttpResponseBase:
    """Take the review, or with `quiet` renew its lease from a script: 204, or 409 when somebody else has it."""
    owner = owner_for(request, owner_id)
    is_held = claim_review(owner, review_id, user_id=request.user.pk, now=timezone.now())
    if "quiet" in request.POST:
        return HttpResponse(status=204 if is_held else 409)
    if not is_held:
        messages.warning(request, _("Somebody else was faster."))
    return redirect(_address(owner_id, review_id, request.GET, focus=is_held))


@require_POST
@staff_page("reviewer")
def review_release(request: StaffRequest, owner_id: UUID, review_id: UUID) -> HttpResponseBase:
    """Give the review back and return to the queue; with `quiet` from a script that leaves the page."""
    owner = owner_for(request, owner_id)
    with scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="desk"):
        claims.release(owner_id=owner.id, review_id=review_id, user_id=request.user.pk)
    if "quiet" in request.POST:
        return HttpResponse(status=204)
    query = query_of(request.GET)
    return redirect(reverse("reviews:review_queue") + (f"?{query}" if query else ""))


def _address(owner_id: UUID, review_id: UUID, data: QueryDict, *, focus: bool) -> str:
    query = "&".join(filter(None, ("focus=1" if focus else "", query_of(data))))
    page = reverse("reviews:review_item", args=[owner_id, review_id])
    return f"{page}?{query}" if query else page


class SignOutView(LogoutView):
    """Leaving gives back everything the person works on, and he is no longer seen anywhere."""

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated and (workspace := workspace_of(request.user)) is not None:
            claims.release_all(workspace_id=workspace.id, user_id=request.user.pk)
            look_away(user_id=request.user.pk)
        return super().post(request, *args, **kwargs)
