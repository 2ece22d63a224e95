"""The offer to take back one's last decision: kept in the session for its 60 seconds, as ids and codes only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from memoryhub.models import Review
from memoryhub.policies import current_policy
from reviews.access import StaffRequest

KEY = "undo_decision"
BATCH_KEY = "undo_batch"


@dataclass(frozen=True, kw_only=True, slots=True)
class UndoOffer:
    owner_id: UUID
    review_id: UUID
    outcome: str
    until: datetime
    takes_effect: bool
    """The decision is not written before the time is over (the highest class)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchOffer:
    """Decisions that were made together: owner and review of each; `query` is the view of the queue they were taken from."""

    items: Sequence[tuple[UUID, UUID]]
    until: datetime
    query: str


def offer_undo(request: StaffRequest, review: Review, *, outcome: str, now: datetime) -> None:
    """Remember the decision just made."""
    request.session.pop(BATCH_KEY, None)
    request.session[KEY] = {
        "owner": str(review.owner_id),
        "review": str(review.id),
        "outcome": outcome,
        "until": _until(request, now).isoformat(),
        "takes_effect": review.takes_effect_at is not None,
    }


def offer_batch(
    request: StaffRequest, items: Sequence[tuple[UUID, UUID]], *, query: str, now: datetime
) -> BatchOffer | None:
    """Remember what was just rejected together, in place of any other offer; None for nothing."""
    withdraw_offer(request)
    if not items:
        return None
    until = _until(request, now)
    request.session[BATCH_KEY] = {
        "items": [[str(owner_id), str(review_id)] for owner_id, review_id in items],
        "until": until.isoformat(),
        "query": query,
    }
    return BatchOffer(items=items, until=until, query=query)


def offered_batch(request: StaffRequest, *, now: datetime) -> BatchOffer | None:
    """The batch whose time is not over."""
    kept = request.session.get(BATCH_KEY)
    if not kept or datetime.fromisoformat(kept["until"]) <= now:
        return None
    return BatchOffer(
        items=[(UUID(owner_id), UUID(review_id)) for owner_id, review_id in kept["items"]],
        until=datetime.fromisoformat(kept["until"]),
        query=kept["query"],
    )


def _until(request: StaffRequest, now: datetime) -> datetime:
    policy = current_policy(workspace_id=request.workspace.id).policy
    return now + timedelta(seconds=policy.undo_seconds)


def offered_undo(request: StaffRequest, *, now: datetime) -> UndoOffer | None:
    """The offer that still stands."""
    kept = request.session.get(KEY)
    if not kept or datetime.fromisoformat(kept["until"]) <= now:
        return None
    return UndoOffer(
        owner_id=UUID(kept["owner"]),
        review_id=UUID(kept["review"]),
        outcome=kept["outcome"],
        until=datetime.fromisoformat(kept["until"]),
        takes_effect=kept["takes_effect"],
    )


def withdraw_offer(request: StaffRequest) -> None:
    """Nothing is offered any more, neither one decision nor a batch."""
    request.session.pop(KEY, None)
    request.session.pop(BATCH_KEY, None)
