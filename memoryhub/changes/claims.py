"""Who works on a review: a lease of five minutes, taken and kept by compare-and-swap.

Expiry is judged in the query, so no job has to clean up. The holder's own renewal is granted before anything else is asked.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q, QuerySet

from memoryhub.database.scope import scope
from memoryhub.models import Review

LEASE = timedelta(minutes=5)
MOST_TRIED = 20


def claim(*, review: QuerySet[Review], user_id: int, now: datetime) -> bool:
    """Take or renew the lease of the one review in the queryset; False when somebody else holds it or it is decided."""
    return bool(
        review.filter(_free_for(user_id, now))
        .exclude(state=Review.State.DECIDED)
        .update(claimed_by_id=user_id, claim_expires_at=now + LEASE)
    )


def claim_next(*, queue: QuerySet[Review], user_id: int, now: datetime) -> Review | None:
    """Take the first free review of the queue (already ordered); the next one when somebody was faster."""
    free = queue.filter(_free_for(user_id, now))
    for owner_id, review_id in list(free.values_list("owner_id", "id")[:MOST_TRIED]):
        one = Review.objects.filter(owner_id=owner_id, id=review_id)
        if claim(review=one, user_id=user_id, now=now):
            return one.get()
    return None


def release(*, owner_id: UUID, review_id: UUID, user_id: int) -> bool:
    """Give the lease back; False when it was not the person's."""
    return bool(
        Review.objects.filter(owner_id=owner_id, id=review_id, claimed_by_id=user_id).update(
            claimed_by_id=None, claim_expires_at=None
        )
    )


def release_all(*, workspace_id: UUID, user_id: int) -> int:
    """Give back everything a person holds, at logout."""
    with scope(workspace_id=workspace_id, owners="workspace", purpose="desk"):
        return Review.objects.filter(workspace_id=workspace_id, claimed_by_id=user_id).update(
            claimed_by_id=None, claim_expires_at=None
        )


def _free_for(user_id: int, now: datetime) -> Q:
    return Q(claimed_by_id=user_id) | Q(claimed_by_id=None) | Q(claim_expires_at__lte=now)
