"""Reporting that a stored value is outdated."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.events import EVENT_ID
from api.serializers.fields import MAX_TEXT, AnyJson, OwnerRef, Strict, Text
from api.serializers.forms import SUBJECT_HELP, WrittenFieldAnswer
from api.serializers.questions import QUESTION_ID
from api.serializers.verdicts import VERDICT_EXAMPLE
from memoryhub.changes.outdated import Report


class OutdatedEvidence(Strict):
    """An event, words, or both."""

    event = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="An event of the same owner."
    )
    quote = Text(
        max_length=MAX_TEXT,
        allow_blank=True,
        default="",
        help_text="The words that show it; with an event they must occur there.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["event"] is None and not attrs["quote"].strip():
            raise serializers.ValidationError(
                {"quote": serializers.ErrorDetail("an event or words that show it", "evidence_missing")}
            )
        return attrs


class OutdatedReport(Strict):
    owner = OwnerRef()
    subject = Text(max_length=200, allow_blank=True, default="", help_text=SUBJECT_HELP)
    value = AnyJson(
        required=False,
        allow_null=True,
        default=None,
        help_text="Of a field with several values: the one that is outdated.",
    )
    new_value = AnyJson(
        required=False, allow_null=True, default=None, help_text="What holds instead; left out: not known."
    )
    evidence = OutdatedEvidence()
    reason = Text(max_length=1000, allow_blank=True, default="", help_text="Why it is thought so.")


def as_report(values: dict[str, Any], *, form_type: str, field: str) -> Report:
    return Report(
        form_type=form_type,
        field=field,
        event_id=values["evidence"]["event"],
        quote=values["evidence"]["quote"],
        **{name: values[name] for name in ("subject", "value", "new_value", "reason")},
    )


class OutdatedAnswer(WrittenFieldAnswer):
    event = serializers.UUIDField(help_text="The change event that was recorded.")
    question = serializers.UUIDField(allow_null=True, help_text="What the owner is asked about it now.")

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        told = super().to_representation(instance)
        return {**told, "event": instance["event"], "question": instance["question"]}


REPORTED_EXAMPLE: dict[str, Any] = {
    **VERDICT_EXAMPLE,
    "outcome": "in_review",
    "code": "reported_outdated",
    "field": "contact.address",
    "target_id": None,
    "version": 1,
    "event": EVENT_ID,
    "question": QUESTION_ID,
}
REPLACED_EXAMPLE: dict[str, Any] = {
    **REPORTED_EXAMPLE,
    "outcome": "superseded",
    "code": "",
    "target_id": VERDICT_EXAMPLE["target_id"],
    "version": 2,
    "question": None,
}
