"""Where a person is led after writing a memory at the desk: to the review that waits, or to the memory as it stands."""

from __future__ import annotations

from django.contrib import messages
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from memoryhub.models import MemoryItem, Owner, Review
from memoryhub.writing.candidates import Verdict
from reviews.access import StaffRequest
from reviews.queries.scopes import of


def lead_on(
    request: StaffRequest, owner: Owner, verdict: Verdict, *, is_new: bool, proposed: str, done: str
) -> HttpResponseBase:
    """`proposed` and `done` say what became of it; `is_new` is False when the memory said so already. Not for a refused one."""
    with of(owner):
        if verdict.outcome == "in_review":
            assert verdict.change_id is not None
            reviews = Review.objects.of(owner.id).filter(change_id=verdict.change_id)
            review = reviews.order_by("-created_at").first()
            assert review is not None
            messages.success(request, proposed)
            return redirect("reviews:review_item", owner.id, review.id)
        assert verdict.target_id is not None
        stands = MemoryItem.objects.of(owner.id).current_wording(verdict.target_id)
    assert stands is not None
    if is_new:
        messages.success(request, done)
    else:
        messages.info(request, _("It says that already; nothing was changed."))
    return redirect("reviews:memory", owner.id, stands.id)
