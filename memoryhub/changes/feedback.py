"""What an agent says about what it was served. 'harmful' puts the memory before a person at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memoryhub import audit, idempotency
from memoryhub.changes.queueing import risk_of
from memoryhub.changes.rollback_scope import INVERSE
from memoryhub.changes.slot_history import MAKING
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.models import Change, Recall, RecallFeedback, Review
from memoryhub.policies import current_policy

VERDICTS = ("used", "useless", "harmful")
MOST_AT_ONCE = 100
HARMFUL_RISK = 0.3
"""What a harmful verdict adds to the risk of the re-check."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FeedbackResult:
    """How many verdicts were new, and the re-checks that were opened."""

    recorded: int
    review_ids: tuple[UUID, ...]

    def as_json(self) -> dict[str, int]:
        return {"recorded": self.recorded, "rechecks": len(self.review_ids)}


def record_feedback(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    recall_id: UUID,
    verdicts: Sequence[tuple[UUID, str]],
    agent_id: UUID | None,
) -> FeedbackResult:
    """Note (memory, verdict) pairs about one recall of the owner; saying the same again changes nothing.

    Raises NotFound for a recall that is not the owner's, InvalidInput for an unknown verdict, a memory that this recall did
    not serve, or more than MOST_AT_ONCE. What was read from a linked owner is re-checked there.
    """
    _check(verdicts)
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="feedback"):
        recall = Recall.objects.of(owner_id).filter(id=recall_id).first()
        if recall is None:
            raise NotFound("no such recall of this owner")
        told = _told(recall)
    for target_id, _ in verdicts:
        if target_id not in told:
            raise InvalidInput(
                "this recall did not serve it",
                field="memory",
                code="not_served",
                details={"memory": str(target_id)},
            )
    owners = sorted({owner_id, *(told[target_id] for target_id, verdict in verdicts if verdict == "harmful")})
    with scope(workspace_id=workspace_id, owners=owners, purpose="feedback", write=True):
        idempotency.take_claim()
        given = RecallFeedback.objects.of(owner_id).filter(recall_id=recall_id)
        known = set(given.values_list("target_id", "verdict"))
        fresh = [pair for pair in dict.fromkeys(verdicts) if pair not in known]
        rows = [
            RecallFeedback(
                owner_id=owner_id,
                workspace_id=workspace_id,
                recall_id=recall_id,
                target_id=target_id,
                verdict=verdict,
                agent_id=agent_id,
            )
            for target_id, verdict in fresh
        ]
        RecallFeedback.objects.bulk_create(rows, ignore_conflicts=True)
        # Only what is new: said again after a person has decided, it does not open the matter once more.
        harmful = {target_id: told[target_id] for target_id, verdict in fresh if verdict == "harmful"}
        reviews = _open_rechecks(harmful, workspace_id=workspace_id)
        result = FeedbackResult(recorded=len(fresh), review_ids=reviews)
        idempotency.keep_answer(result.as_json())
    return result


def _check(verdicts: Sequence[tuple[UUID, str]]) -> None:
    if not verdicts:
        raise InvalidInput("nothing is said", field="verdicts", code="blank")
    if len(verdicts) > MOST_AT_ONCE:
        raise InvalidInput(f"at most {MOST_AT_ONCE}", field="verdicts", code="too_many")
    if any(verdict not in VERDICTS for _, verdict in verdicts):
        raise InvalidInput("used, useless or harmful", field="verdict", code="unknown_verdict")


def _told(recall: Recall) -> dict[UUID, UUID]:
    """What the recall served: memory → owner."""
    lines: list[dict[str, Any]] = recall.served
    return {
        UUID(target): UUID(line.get("owner") or str(recall.owner_id))
        for line in lines
        for target in line.get("ids", [])
    }


def _open_rechecks(harmful: Mapping[UUID, UUID], *, workspace_id: UUID) -> tuple[UUID, ...]:
    """A review per harmful memory, unless one is open."""
    if not harmful:
        return ()
    changes = makers_of(list(harmful), owner_ids=set(harmful.values()))
    policy = current_policy(workspace_id=workspace_id).policy
    now = timezone.now()
    open_ones = Review.objects.filter(
        owner_id__in=set(harmful.values()), change_id__in=[c.id for c in changes], kind=Review.Kind.RECHECK
    ).exclude(state=Review.State.DECIDED)
    waiting = set(open_ones.values_list("change_id", flat=True))
    reviews = []
    for change in changes:
        if change.id in waiting:
            continue
        risk, parts = risk_of(change)
        reviews.append(
            Review(
                owner_id=change.owner_id,
                workspace_id=workspace_id,
                change_id=change.id,
                kind=Review.Kind.RECHECK,
                risk=min(1.0, risk + HARMFUL_RISK),
                risk_parts=[*parts, ("harmful_feedback", HARMFUL_RISK)],
                four_eyes=settings.FOUR_EYES,
                due_at=now + timedelta(hours=policy.review_due_hours),
            )
        )
    Review.objects.bulk_create(reviews, ignore_conflicts=True)
    audit.record(
        *(
            audit.entry(
                action="review.recheck_opened",
                workspace_id=workspace_id,
                owner_id=review.owner_id,
                object_kind="review",
                object_id=review.id,
                details={"change": str(review.change_id), "reason": "harmful_feedback"},
            )
            for review in reviews
        )
    )
    return tuple(review.id for review in reviews)


def makers_of(target_ids: Collection[UUID], *, owner_ids: Collection[UUID]) -> list[Change]:
    """The changes in force that wrote these versions or items; of a restored copy the one that first wrote its value."""
    rows = Change.objects.filter(owner_id__in=owner_ids)
    inverses = rows.filter(target_id__in=target_ids, candidate__kind=INVERSE).values_list(
        "candidate", flat=True
    )
    copies = {UUID(copy): UUID(root) for given in inverses for copy, root in (given or {})["copies"].items()}
    roots = {copies.get(target_id, target_id) for target_id in target_ids}
    makers = rows.filter(target_id__in=roots, state=Change.State.APPLIED, action__in=MAKING)
    return list({change.target_id: change for change in makers.order_by("-created_at", "-id")}.values())
