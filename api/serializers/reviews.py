"""Reviews: what people made of an agent's changes. Roles, never names."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import TextChoices
from rest_framework import serializers

from api.serializers.fields import AnyJson, Instant, OwnerRef, Strict
from api.serializers.verdicts import VERDICT_EXAMPLE
from memoryhub.models import Change, Review

NEGATIVE = frozenset({"rejected", "merged", "retracted", "withdrawn"})
"""Outcomes with a reason to give back."""


class Role(TextChoices):
    REVIEWER = "reviewer"
    OWNER = "owner"
    AGENT = "agent"
    SYSTEM = "system"


def role_of(*, user_id: int | None, agent_id: UUID | None) -> str:
    """As what somebody acted: a person at the desk, an agent with its key, or the service by itself."""
    if user_id is not None:
        return Role.REVIEWER
    return Role.AGENT if agent_id is not None else Role.SYSTEM


class ReviewQuery(Strict):
    owner = OwnerRef()
    state = serializers.ChoiceField(choices=Review.State.choices, required=False)
    kind = serializers.ChoiceField(choices=Review.Kind.choices, required=False)
    outcome = serializers.ChoiceField(choices=Review.Outcome.choices, required=False)
    change = serializers.UUIDField(required=False, help_text="Only the reviews of this change.")


class ReviewFateAnswer(serializers.Serializer[Any]):
    """How a review stands. A claim by a reviewer is not shown: it is a lease, not a state."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(
        choices=Review.Kind.choices,
        help_text="proposal: it waits to be stored; recheck and patrol: it is stored and looked at again.",
    )
    state = serializers.ChoiceField(choices=Review.State.choices)
    outcome = serializers.CharField(
        help_text=f"Empty while undecided, then one of {', '.join(Review.Outcome.values)}."
    )
    reason_code = serializers.CharField(help_text="Why it was rejected, merged, retracted or withdrawn.")
    decided_by = serializers.CharField(
        help_text=(
            "Empty while undecided; reviewer: a person at the desk; owner: the answer to a question; system: it settled by "
            "itself."
        )
    )
    is_regressed = serializers.BooleanField(
        help_text="The value was rejected or rolled back before and came back with fresh evidence."
    )
    needs_two_people = serializers.BooleanField()
    question = serializers.UUIDField(allow_null=True, help_text="The open question to put to the owner.")
    waiting_since = Instant(allow_null=True)
    due_at = Instant(allow_null=True)
    decided_at = Instant(allow_null=True)
    takes_effect_at = Instant(
        allow_null=True, help_text="An approval of the highest class is written only then."
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return super().to_representation(fate_of(instance))


class ReviewAnswer(ReviewFateAnswer):
    """A review with the change it is about."""

    change = serializers.UUIDField()
    target_kind = serializers.ChoiceField(choices=Change.Target.choices)
    form_type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()
    proposed = AnyJson(
        allow_null=True, help_text="The value, or the sentence; null for a step that brings none."
    )
    gates = serializers.ListField(child=serializers.CharField(), help_text="The rules it waits for.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return serializers.Serializer.to_representation(self, {**fate_of(instance), **matter_of(instance)})


def fate_of(review: Any) -> dict[str, Any]:
    """What an agent may see of a review that `with_fate` annotated."""
    same = ("id", "kind", "state", "is_regressed", "due_at", "decided_at", "takes_effect_at")
    return {
        **{name: getattr(review, name) for name in same},
        "outcome": review.outcome,
        "reason_code": review.last_reason if review.outcome in NEGATIVE else "",
        "decided_by": _decided_by(review),
        "needs_two_people": review.is_top_class,
        "question": review.open_question_id,
        "waiting_since": None if review.state == Review.State.DECIDED else review.created_at,
    }


def matter_of(review: Review) -> dict[str, Any]:
    """What a review is about."""
    change, after = review.change, review.change.after or {}
    return {
        "change": change.id,
        "target_kind": change.target_kind,
        "form_type": change.form_type,
        "subject": change.form_subject,
        "field": change.field_name,
        "proposed": after.get("content", after.get("value")),
        "gates": change.gates,
    }


def _decided_by(review: Review) -> str:
    if review.state != Review.State.DECIDED:
        return ""
    if review.decided_by_id is not None:
        return Role.REVIEWER
    return Role.SYSTEM if review.outcome == Review.Outcome.WITHDRAWN else Role.OWNER


REVIEW_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e21"
FATE_EXAMPLE: dict[str, Any] = {
    "id": REVIEW_ID,
    "kind": "proposal",
    "state": "decided",
    "outcome": "rejected",
    "reason_code": "joke_or_sarcasm",
    "decided_by": "reviewer",
    "is_regressed": False,
    "needs_two_people": False,
    "question": None,
    "waiting_since": None,
    "due_at": "2026-03-02T08:00:00.000000Z",
    "decided_at": "2026-03-01T09:12:00.000000Z",
    "takes_effect_at": None,
}
REVIEW_ANSWER_EXAMPLE: dict[str, Any] = {
    **FATE_EXAMPLE,
    "change": VERDICT_EXAMPLE["change_id"],
    "target_kind": "field_version",
    "form_type": "preferences",
    "subject": "咖啡",
    "field": "do_not_recommend",
    "proposed": True,
    "gates": ["standing_prohibition"],
}
