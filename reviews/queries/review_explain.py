"""Why a review waits, what its risk is made of, and why it stands where it stands in the queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from memoryhub.changes.queueing import GATE_WEIGHTS, patrol_draw, patrol_share, top_class_reasons
from memoryhub.models import Change, Owner, PolicyVersion, Review
from memoryhub.policies import Policy, current_policy
from reviews.queries.review_queue import PENDING, undecided
from reviews.queries.scopes import across


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One part of the risk. `without` is the risk if it were not there; `still_waits` whether anything else would hold it."""

    code: str
    weight: float
    without: float
    still_waits: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    review: Review
    change: Change
    policy: Policy
    version: PolicyVersion | None
    """The policy in force; None stands for the defaults."""
    parts: Sequence[Part]
    top_class: Sequence[str]
    draw: float
    share: float
    ahead_by_risk: int
    ahead_by_age: int
    pending: int

    @property
    def total(self) -> float:
        """The sum of the parts, which the risk caps at 1."""
        return sum(part.weight for part in self.parts)

    @property
    def place(self) -> int:
        """Counted from 1 among everything that a person can decide now."""
        return self.ahead_by_risk + self.ahead_by_age + 1

    @property
    def is_in_queue(self) -> bool:
        return self.review.state in PENDING


def explain_review(*, owner: Owner, review_id: UUID) -> Explanation | None:
    """None when the owner has no review of this id. A fixed number of statements."""
    current = current_policy(workspace_id=owner.workspace_id)
    with across(owner.workspace):
        review = Review.objects.of(owner.id).filter(id=review_id).select_related("change").first()
        if review is None:
            return None
        older = Q(created_at__lt=review.created_at) | Q(created_at=review.created_at, id__lt=review.id)
        counted = (
            undecided(owner.workspace)
            .filter(state__in=PENDING)
            .aggregate(
                pending=Count("id"),
                by_risk=Count("id", filter=Q(risk__gt=review.risk)),
                by_age=Count("id", filter=Q(risk=review.risk) & older),
            )
        )
        version = PolicyVersion.objects.filter(id__in=[current.id]).first()
    return Explanation(
        review=review,
        change=review.change,
        policy=current.policy,
        version=version,
        parts=parts_of(review),
        top_class=top_class_reasons(review.change) if review.is_top_class else [],
        draw=patrol_draw(review.change),
        share=patrol_share(review.change, policy=current.policy),
        ahead_by_risk=counted["by_risk"],
        ahead_by_age=counted["by_age"],
        pending=counted["pending"],
    )


def parts_of(review: Review) -> list[Part]:
    """The stored parts of the risk, and the gates that hold it back without adding to it."""
    stored = {str(code): float(weight) for code, weight in review.risk_parts}
    gates = list(review.change.gates)
    weights = stored | {gate: 0.0 for gate in gates if gate not in stored}
    total = sum(weights.values())
    return [
        Part(
            code=code,
            weight=weight,
            without=min(1.0, max(0.0, total - weight)),
            still_waits=any(gate != code for gate in gates),
        )
        for code, weight in weights.items()
    ]


def all_weights() -> list[tuple[str, float]]:
    """Every rule that adds to a risk, the heaviest first."""
    return sorted(GATE_WEIGHTS.items(), key=lambda row: (-row[1], row[0]))
