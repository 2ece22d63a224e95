"""What a person has done today, and who works on what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from memoryhub.models import Review, ReviewStep, Workspace
from reviews.queries.review_queue import PENDING, Holder, held_at, holders_of, undecided
from reviews.queries.scopes import across


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    done: Sequence[tuple[str, int]]
    """Steps of the day by code, the most first."""
    pending: int
    held_by_others: int
    later: int
    """Deferred, or waiting for an answer."""
    holders: Sequence[Holder]


def tally_of_today(*, workspace: Workspace, user_id: int, now: datetime, today: datetime) -> Tally:
    """The steps this person took since `today`, and what is left for whom."""
    with across(workspace):
        steps = ReviewStep.objects.filter(workspace_id=workspace.id, user_id=user_id, at__gte=today)
        done = steps.order_by().values_list("action").annotate(n=Count("id")).order_by("-n", "action")
        rows = undecided(workspace)
        others = held_at(now) & ~Q(claimed_by_id=user_id)
        counted = rows.aggregate(
            pending=Count("id", filter=Q(state__in=PENDING)),
            held=Count("id", filter=Q(state__in=PENDING) & others),
            later=Count("id", filter=Q(state__in=[Review.State.DEFERRED, Review.State.WAITING_OWNER])),
        )
        return Tally(
            done=list(done),
            pending=counted["pending"],
            held_by_others=counted["held"],
            later=counted["later"],
            holders=holders_of(rows.filter(state__in=PENDING).exclude(claimed_by_id=user_id), now=now),
        )
