"""`/review/bulk/undo/`: take back what was rejected together, all of it at once, and say of each what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memoryhub.changes.deciding import Decider
from memoryhub.changes.undoing import undo
from memoryhub.exceptions import MemoryhubError
from reviews.access import StaffRequest, staff_page
from reviews.undo_offers import offered_batch, withdraw_offer


@dataclass(frozen=True, kw_only=True, slots=True)
class TakenBack:
    """`code` is '' when the decision was taken back, else why not."""

    owner_id: UUID
    review_id: UUID
    code: str = ""


@require_POST
@staff_page("reviewer")
def review_bulk_undo(request: StaffRequest) -> HttpResponseBase:
    """Undo each decision of the batch that is offered; what cannot be taken back is listed apart with its reason."""
    offer = offered_batch(request, now=timezone.now())
    withdraw_offer(request)
    if offer is None:
        messages.warning(request, _("The time to undo is over."))
        return redirect("reviews:review_queue")
    answers = [_undone(request, owner_id, review_id) for owner_id, review_id in offer.items]
    done = [answer for answer in answers if not answer.code]
    context = {"done": done, "failed": [answer for answer in answers if answer.code], "query": offer.query}
    return render(request, "reviews/review_bulk_undone.html", context, status=200 if done else 409)


def _undone(request: StaffRequest, owner_id: UUID, review_id: UUID) -> TakenBack:
    decider = Decider(
        workspace_id=request.workspace.id,
        owner_id=owner_id,
        review_id=review_id,
        user_id=request.user.pk,
        version=None,
        token=None,
    )
    try:
        reopened = undo(decider=decider).review
    except MemoryhubError as error:
        return TakenBack(owner_id=owner_id, review_id=review_id, code=error.code)
    return TakenBack(owner_id=owner_id, review_id=reopened.id)
