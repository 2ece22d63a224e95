"""What became of one fact: the same answer for what was read in an event and what an agent wrote itself."""

from __future__ import annotations

from typing import Any

from django.db.models import TextChoices
from rest_framework import serializers

from api.serializers.fields import JsonObject


class Outcome(TextChoices):
    STORED = "stored"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    HISTORICAL = "historical"
    SCHEDULED = "scheduled"
    IN_REVIEW = "in_review"
    SESSION_ONLY = "session_only"
    REFUSED = "refused"
    DUPLICATE = "duplicate"
    WAITING = "waiting"


class VerdictKind(TextChoices):
    FORM = "form"
    ITEM = "item"
    RELATION = "relation"
    EVENT = "event"


class VerdictAnswer(serializers.Serializer[Any]):
    """`code` says why; `target_id` is the version or memory that holds it, `change_id` the step in the history."""

    outcome = serializers.ChoiceField(choices=Outcome.choices)
    kind = serializers.ChoiceField(choices=VerdictKind.choices)
    code = serializers.CharField()
    field = serializers.CharField()
    target_id = serializers.UUIDField(allow_null=True)
    change_id = serializers.UUIDField(allow_null=True)
    details = JsonObject()

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        return verdict_body(instance)


def verdict_body(verdict: dict[str, Any]) -> dict[str, Any]:
    """A kept verdict, which leaves out what is empty, with all its members."""
    return {
        "outcome": verdict["outcome"],
        "kind": verdict["kind"],
        "code": verdict.get("code", ""),
        "field": verdict.get("field", ""),
        "target_id": verdict.get("target_id"),
        "change_id": verdict.get("change_id"),
        "details": verdict.get("details", {}),
    }


def status_of_verdict(verdict: dict[str, Any]) -> int:
    """201: there is something new; 202: a person decides; 200: nothing new was made, and `code` says why."""
    match verdict["outcome"]:
        case "stored" | "superseded" | "historical" | "scheduled":
            return 201
        case "in_review":
            return 202
    return 200


VERDICT_EXAMPLE: dict[str, Any] = {
    "outcome": "stored",
    "kind": "form",
    "code": "",
    "field": "user_profile.allergies",
    "target_id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e04",
    "change_id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e05",
    "details": {},
}
REVIEW_EXAMPLE: dict[str, Any] = {
    **VERDICT_EXAMPLE,
    "outcome": "in_review",
    "code": "key_attribute_changed",
    "target_id": None,
}
REFUSED_EXAMPLE: dict[str, Any] = {
    **VERDICT_EXAMPLE,
    "outcome": "refused",
    "code": "unknown_field",
    "target_id": None,
    "change_id": None,
}
