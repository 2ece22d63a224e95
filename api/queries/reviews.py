"""Reviews as the agent sees them whose changes they are about. Call inside a scope of the owner."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from api.pagination import Order
from memoryhub.models import ChangeTransition, Question, Review, ReviewStep

NEWEST_FIRST = Order(fields=("created_at", "id"), kinds=(datetime, UUID))


def reviews_of(owner_id: UUID, asked: dict[str, Any], *, agent_id: UUID) -> QuerySet[Review]:
    """The reviews of the caller's own changes, with reason and open question, and the change they are about."""
    named = {"state": "state", "kind": "kind", "outcome": "outcome", "change": "change_id"}
    exact = {column: asked[name] for name, column in named.items() if name in asked}
    reviews = with_fate(Review.objects.of(owner_id).filter(change__agent_id=agent_id, **exact))
    return reviews.select_related("change")


def reviews_about(owner_id: UUID, change_id: UUID) -> QuerySet[Review]:
    """Every review of one change, oldest first."""
    reviews = with_fate(Review.objects.of(owner_id).filter(change_id=change_id))
    return reviews.order_by("created_at", "id")


def with_fate(reviews: QuerySet[Review]) -> QuerySet[Review]:
    """The reason code of the last step (or of the change's last move, when no step has one), and the open question."""
    steps = ReviewStep.objects.filter(owner_id=OuterRef("owner_id"), review_id=OuterRef("id"))
    moves = ChangeTransition.objects.filter(owner_id=OuterRef("owner_id"), change_id=OuterRef("change_id"))
    questions = Question.objects.filter(
        owner_id=OuterRef("owner_id"), change_id=OuterRef("change_id"), state=Question.State.OPEN
    )
    return reviews.annotate(
        last_reason=Coalesce(
            Subquery(steps.exclude(reason_code="").order_by("-at", "-id").values("reason_code")[:1]),
            Subquery(moves.exclude(from_state="").order_by("-at", "-id").values("reason_code")[:1]),
            Value(""),
        ),
        open_question_id=Subquery(questions.values("id")[:1]),
    )
