"""A person decides a review or puts it off; each POST names the version and token that were shown."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memoryhub.changes.deciding import Decider
from memoryhub.changes.undoing import undo
from memoryhub.exceptions import MemoryhubError, OwnerErasing
from memoryhub.models import Owner, Review
from reviews.access import OwnerGone, StaffRequest, owner_for, staff_page
from reviews.labels import word_for
from reviews.queries.facts import field_definitions
from reviews.queries.scopes import of
from reviews.review_actions import parse_edit
from reviews.review_decisions import Given, decide
from reviews.review_forms import DecisionForm
from reviews.undo_offers import offer_undo, withdraw_offer
from reviews.views.review_item import Refused, show_review
from reviews.views.review_queue import query_of
from reviews.zones import zone_named


@require_POST
@staff_page("reviewer")
def review_decide(request: StaffRequest, owner_id: UUID, review_id: UUID) -> HttpResponseBase:
    owner = owner_for(request, owner_id)
    review = _find(owner, review_id)
    form = DecisionForm(request.POST)
    form.is_valid()
    action, data = request.POST.get("action", ""), form.cleaned_data
    if action == "compare":
        refused = Refused(code="", action="edit", edited=data.get("edited", ""), note=data.get("note", ""))
        return show_review(request, owner, review_id, refused=refused)
    now = timezone.now()
    try:
        done = decide(
            action=action,
            review=review,
            decider=_decider(request, owner, review_id, form),
            given=_given(request, review, form),
            now=now,
        )
    except OwnerErasing as error:
        raise OwnerGone from error
    except MemoryhubError as error:
        return _refuse(request, owner, review_id, error, form)
    if done.can_be_undone:
        offer_undo(request, done.decision.review, outcome=done.step, now=now)
    else:
        withdraw_offer(request)
        messages.success(request, word_for(done.step, "review_step"))
    return _go_on(request, f"{reverse('reviews:review_next')}?after={review_id}&{query_of(request.GET)}")


@require_POST
@staff_page("reviewer")
def review_undo(request: StaffRequest, owner_id: UUID, review_id: UUID) -> HttpResponseBase:
    owner = owner_for(request, owner_id)
    _find(owner, review_id)
    decider = _decider(request, owner, review_id, None)
    withdraw_offer(request)
    try:
        reopened = undo(decider=decider).review
    except OwnerErasing as error:
        raise OwnerGone from error
    except MemoryhubError as error:
        messages.warning(request, word_for(error.code, "review_failure"))
        return redirect("reviews:review_item", owner_id, review_id)
    messages.success(request, _("The decision was taken back; the review waits again."))
    return redirect(f"{reverse('reviews:review_item', args=[owner_id, reopened.id])}?focus=1")


def _find(owner: Owner, review_id: UUID) -> Review:
    with of(owner):
        review = Review.objects.of(owner.id).filter(id=review_id).select_related("change").first()
    if review is None:
        raise Http404
    return review


def _decider(request: StaffRequest, owner: Owner, review_id: UUID, form: DecisionForm | None) -> Decider:
    data = form.cleaned_data if form else {}
    return Decider(
        workspace_id=owner.workspace_id,
        owner_id=owner.id,
        review_id=review_id,
        user_id=request.user.pk,
        version=data.get("version"),
        token=data.get("token") or None,
        note=data.get("note", ""),
    )


def _given(request: StaffRequest, review: Review, form: DecisionForm) -> Given:
    data = form.cleaned_data
    code = f"{review.change.form_type}.{review.change.field_name}"
    definition = field_definitions(review.workspace_id).get(code) if data.get("edited") else None
    return Given(
        reason=data.get("reason", ""),
        edited=parse_edit(data.get("edited", ""), definition),
        until=data.get("until", ""),
        until_at=_moment(data.get("until_at", ""), request.workspace.time_zone),
        into=data.get("into"),
    )


def _moment(text: str, zone: str) -> datetime | None:
    """A time as a browser sends it, in the workspace's zone; None for what is no time."""
    try:
        at = datetime.fromisoformat(text)
        at = at if at.tzinfo else at.replace(tzinfo=zone_named(zone))
        return at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _refuse(
    request: StaffRequest, owner: Owner, review_id: UUID, error: MemoryhubError, form: DecisionForm
) -> HttpResponse:
    """Say what is in the way: to htmx as a fragment beside what was typed, else as the page with it filled in."""
    status = 422 if error.status == 400 else error.status
    refused = Refused(
        code=error.code,
        details=error.details,
        action=request.POST.get("action", ""),
        note=form.cleaned_data.get("note", ""),
        edited=form.cleaned_data.get("edited") if "edited" in request.POST else None,
    )
    if request.htmx:  # type: ignore[attr-defined]
        context = {"refused": refused, "now": timezone.now(), "owner": owner}
        return render(request, "reviews/_review_conflict.html", context, status=status)
    return show_review(request, owner, review_id, status=status, refused=refused)


def _go_on(request: StaffRequest, address: str) -> HttpResponseBase:
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect(address)
    answer = HttpResponse(status=204)
    answer["HX-Redirect"] = address
    return answer
