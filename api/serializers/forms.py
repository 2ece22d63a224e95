"""Form values in and out."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.events import EVENT_ID
from api.serializers.evidence import Claimed
from api.serializers.fields import INSTANT_RULE, AnyJson, Flag, Instant, OwnerRef, Strict, Text
from api.serializers.verdicts import VERDICT_EXAMPLE, VerdictAnswer
from memoryhub.models import Basis, Event, FieldVersion

SUBJECT_HELP = "Which one, where the owner has several: an order number, `home`; blank: the owner himself."


class FieldWrite(Claimed):
    owner = OwnerRef()
    subject = Text(max_length=200, allow_blank=True, default="", help_text=SUBJECT_HELP)
    value = AnyJson(help_text="As the field's type asks: text, number, date, boolean or one of its choices.")
    world_change = Flag(default=True, help_text="False: the earlier value was never true.")


class ClockQuery(Strict):
    valid_at = Instant(required=False, help_text=f"What was true then. {INSTANT_RULE}")
    known_at = Instant(required=False, help_text=f"What was believed then. {INSTANT_RULE}")


class FormQuery(ClockQuery):
    owner = OwnerRef()
    form_type = Text(max_length=60, required=False)
    subject = Text(max_length=200, allow_blank=True, required=False, help_text=SUBJECT_HELP)


class FieldQuery(ClockQuery):
    owner = OwnerRef()
    subject = Text(max_length=200, allow_blank=True, default="", help_text=SUBJECT_HELP)


class SlotQuery(Strict):
    owner = OwnerRef()
    subject = Text(max_length=200, allow_blank=True, default="", help_text=SUBJECT_HELP)


class RemovalQuery(SlotQuery):
    value = Text(max_length=600, required=False, help_text="Of a field with several values: which one.")


class FieldValueAnswer(serializers.Serializer[Any]):
    """One version of one field. Known and valid times are half-open: from, until."""

    id = serializers.UUIDField()
    form_type = serializers.CharField(source="form.form_type.name")
    subject = serializers.CharField(source="form.subject")
    field = serializers.CharField(source="field.name")
    value = AnyJson()
    version = serializers.IntegerField()
    status = serializers.ChoiceField(choices=FieldVersion.Status.choices)
    superseded_by_version = serializers.IntegerField(allow_null=True)
    basis = serializers.ChoiceField(choices=Basis.choices)
    confidence = serializers.FloatField()
    importance = serializers.FloatField()
    trust_tier = serializers.IntegerField()
    confirmations = serializers.IntegerField()
    last_confirmed_at = Instant(allow_null=True)
    valid_from = Instant()
    valid_until = Instant(allow_null=True)
    known_from = Instant()
    known_until = Instant(allow_null=True)
    event = serializers.UUIDField(source="event_id", allow_null=True)
    quote = serializers.CharField()


class FieldAnswer(serializers.Serializer[None]):
    values = FieldValueAnswer(many=True, help_text="One, or several for a field that takes several.")


class SourceEventAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    occurred_at = Instant()
    role = serializers.ChoiceField(choices=Event.Role.choices)
    actor = serializers.CharField()
    session = serializers.CharField(source="session_ref")
    content = serializers.CharField()
    reason = serializers.CharField()
    alternatives = serializers.ListField(child=serializers.CharField())


class VersionAnswer(FieldValueAnswer):
    source = SourceEventAnswer(  # type: ignore[assignment]  # the member, not where it comes from
        source="event", allow_null=True, help_text="The event it rests on."
    )


class WrittenFieldAnswer(VerdictAnswer):
    version = serializers.IntegerField(
        allow_null=True, help_text="The version that holds now; also the ETag."
    )

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        return {**super().to_representation(instance), "version": instance["version"]}


VALUE_EXAMPLE: dict[str, Any] = {
    "id": VERDICT_EXAMPLE["target_id"],
    "form_type": "user_profile",
    "subject": "",
    "field": "allergies",
    "value": "坚果",
    "version": 1,
    "status": "active",
    "superseded_by_version": None,
    "basis": "stated",
    "confidence": 0.9,
    "importance": 0.95,
    "trust_tier": 3,
    "confirmations": 0,
    "last_confirmed_at": None,
    "valid_from": "2026-03-01T08:00:00.000000Z",
    "valid_until": None,
    "known_from": "2026-03-01T08:00:00.530000Z",
    "known_until": None,
    "event": EVENT_ID,
    "quote": "我对坚果过敏",
}
VERSION_EXAMPLE: dict[str, Any] = {
    **VALUE_EXAMPLE,
    "source": {
        "id": EVENT_ID,
        "occurred_at": "2026-03-01T08:00:00.000000Z",
        "role": "user",
        "actor": "",
        "session": "chat-17",
        "content": "我对坚果过敏",
        "reason": "",
        "alternatives": [],
    },
}
