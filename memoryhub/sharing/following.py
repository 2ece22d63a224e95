"""What becomes of a promotion when its source ends: an open proposal is withdrawn, an approved one is looked at again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from memoryhub.changes.opening_rechecks import open_rechecks
from memoryhub.changes.promoted import standing_among
from memoryhub.database.scope import scope
from memoryhub.exceptions import OwnerErasing, OwnerFrozen
from memoryhub.models import Change, Owner, Promotion, Question, Review
from memoryhub.policies import current_policy
from memoryhub.writing.acts import Act
from memoryhub.writing.approving import move_change
from memoryhub.writing.source import Source

MOST_AT_ONCE = 500
REASON = "source_ended"
OPEN = (Change.State.PROPOSED, Change.State.APPLIED)


def follow_promotions(*, workspace_id: UUID) -> int:
    """Follow every source that ended since; answers how many promotions were settled. Safe to run at any time, and twice.

    A shared owner who is frozen waits until he is not.
    """
    with scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"):
        waiting = Promotion.objects.filter(
            workspace_id=workspace_id, settled_at=None, change__state__in=OPEN
        ).order_by("created_at", "id")
        promotions = list(waiting[:MOST_AT_ONCE])
        standing = standing_among(promotions)
    by_owner: dict[UUID, list[UUID]] = {}
    for promotion in promotions:
        if promotion.id not in standing:
            by_owner.setdefault(promotion.owner_id, []).append(promotion.id)
    return sum(_settle(workspace_id, owner_id, ids) for owner_id, ids in by_owner.items())


def _settle(workspace_id: UUID, owner_id: UUID, ids: Sequence[UUID]) -> int:
    try:
        with scope(workspace_id=workspace_id, owners=[owner_id], purpose="promote", write=True):
            rows = Promotion.objects.of(owner_id).filter(id__in=ids, settled_at=None)
            changes = {
                change.id: change
                for change in Change.objects.of(owner_id)
                .select_for_update(no_key=True)
                .filter(id__in=rows.values("change_id"), state__in=OPEN)
            }
            act = _act(workspace_id, owner_id)
            for change in changes.values():
                if change.state == Change.State.PROPOSED:
                    _withdraw(change, act, act.now)
            applied = [
                c.target_id for c in changes.values() if c.state == Change.State.APPLIED and c.target_id
            ]
            open_rechecks(dict.fromkeys(applied, owner_id), workspace_id=workspace_id, reason=REASON)
            return rows.update(settled_at=Now())
    except (OwnerFrozen, OwnerErasing):
        return 0


def _act(workspace_id: UUID, owner_id: UUID) -> Act:
    return Act(
        owner=Owner.objects.select_related("workspace").get(id=owner_id),
        source=Source(workspace_id=workspace_id, trust_tier=4, transport="job"),
        name="withdraw",
        now=timezone.now(),
        policy=current_policy(workspace_id=workspace_id).policy,
    )


def _withdraw(change: Change, act: Act, now: datetime) -> None:
    """Nobody is asked about it any more."""
    move_change(change, Change.State.WITHDRAWN, act=act, user_id=None, reason_code=REASON)
    asked = Review.objects.of(change.owner_id).filter(change_id=change.id).exclude(state=Review.State.DECIDED)
    asked.update(
        state=Review.State.DECIDED,
        outcome=Review.Outcome.WITHDRAWN,
        decided_at=now,
        claimed_by_id=None,
        claim_expires_at=None,
        version=F("version") + 1,
    )
    questions = Question.objects.of(change.owner_id).filter(change_id=change.id, state=Question.State.OPEN)
    questions.update(state=Question.State.WITHDRAWN)
