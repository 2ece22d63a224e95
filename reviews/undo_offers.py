"""The offer to take back one's last decision: kept in the session for its 60 seconds, as ids and codes only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from memoryhub.models import Review
from memoryhub.policies import current_policy
from reviews.access import StaffRequest

KEY = "undo_decision"


@dataclass(frozen=True, kw_only=True, slots=True)
class UndoOffer:
    owner_id: UUID
    review_id: UUID
    outcome: str
    until: datetime
    takes_effect: bool
    """The decision is not written before the time is over (the highest class)."""


def offer_undo(request: StaffRequest, review: Review, *, outcome: str, now: datetime) -> None:
    """Remember the decision just made."""
    seconds = current_policy(workspace_id=review.workspace_id).policy.undo_seconds
    request.session[KEY] = {
        "owner": str(review.owner_id),
        "review": str(review.id),
        "outcome": outcome,
        "until": (now + timedelta(seconds=seconds)).isoformat(),
        "takes_effect": review.takes_effect_at is not None,
    }


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
    request.session.pop(KEY, None)
