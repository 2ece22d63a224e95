"""Events in and out."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import TextChoices
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import (
    INSTANT_RULE,
    MAX_TEXT,
    AnyJson,
    Flag,
    Instant,
    JsonObject,
    OwnerRef,
    Strict,
    Text,
    ZoneName,
)
from api.serializers.verdicts import VERDICT_EXAMPLE, VerdictAnswer
from memoryhub.models import Event
from memoryhub.writing.recording import MOST_EVENTS, NewEvent


class FormPlace(Strict):
    """The form field an event is about."""

    type = Text(max_length=60)
    subject = Text(max_length=200, allow_blank=True, default="")
    field = Text(max_length=60)


class EventContent(Strict):
    """One event as an agent sends it."""

    content = Text(
        max_length=MAX_TEXT,
        allow_blank=True,
        default="",
        help_text="What was said or done, whole. May be empty when `before` or `after` is given.",
    )
    role = serializers.ChoiceField(
        choices=Event.Role.choices, default=Event.Role.USER, help_text="Whose turn it is."
    )
    occurred_at = Instant(required=False, help_text=f"{INSTANT_RULE} Left out: now.")
    actor = Text(max_length=200, allow_blank=True, default="")
    subject = Text(max_length=200, allow_blank=True, default="")
    action = Text(max_length=40, default="message")
    session = Text(max_length=200, allow_blank=True, default="", source="session_ref")
    before = AnyJson(required=False, allow_null=True, default=None)
    after = AnyJson(required=False, allow_null=True, default=None)
    reason = Text(max_length=1000, allow_blank=True, default="")
    alternatives = serializers.ListField(child=Text(max_length=200), max_length=20, default=list)
    caused_by = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        source="caused_by_id",
        help_text="An earlier event of the owner.",
    )
    form = FormPlace(required=False, allow_null=True, default=None)
    metadata = JsonObject(default=dict)
    idempotency_key = Text(
        max_length=255,
        required=False,
        allow_null=True,
        default=None,
        help_text="Unique per owner and agent, for good.",
    )
    is_test = Flag(default=False)


class EventWrite(EventContent):
    owner = OwnerRef()


class EventBatchWrite(Strict):
    """Up to 500 events of one owner. Each is looked at by itself; a faulty one does not stop the others."""

    owner = OwnerRef()
    events = serializers.ListField(child=EventContent(), min_length=1, max_length=MOST_EVENTS)


class EventBatchEnvelope(Strict):
    """The batch without looking into its events."""

    owner = OwnerRef()
    events = serializers.ListField(child=AnyJson(), min_length=1, max_length=MOST_EVENTS)


def as_new_event(values: dict[str, Any]) -> NewEvent:
    """The service's event from checked input."""
    form = values.get("form") or {}
    plain = {name: value for name, value in values.items() if name not in ("owner", "form", "alternatives")}
    return NewEvent(
        **plain,
        alternatives=tuple(values["alternatives"]),
        form_type=form.get("type", ""),
        form_subject=form.get("subject", ""),
        field_name=form.get("field", ""),
    )


class WaitQuery(Strict):
    wait = serializers.ChoiceField(
        choices=[("0", "0"), ("1", "1")], default="0", help_text="1: wait up to 5 seconds for the outcome."
    )


class EventQuery(Strict):
    owner = OwnerRef()
    action = Text(max_length=40, required=False)
    role = serializers.ChoiceField(choices=Event.Role.choices, required=False)
    session = Text(max_length=200, required=False)
    since = Instant(required=False, help_text=f"From this instant on. {INSTANT_RULE}")
    until = Instant(required=False, help_text=f"Before this instant. {INSTANT_RULE}")
    day = serializers.DateField(required=False, help_text="The events of one calendar day.")
    time_zone = ZoneName(max_length=60, required=False, help_text="The zone of `day`; left out: the owner's.")

    def validate_day(self, day: date) -> date:
        if not 1900 <= day.year <= 2200:
            raise serializers.ValidationError("a day of the years 1900 to 2200", code="out_of_range")
        return day


class ForOwner(Strict):
    owner = OwnerRef()


class FormPlaceAnswer(serializers.Serializer[None]):
    type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()


class EventAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    occurred_at = Instant()
    recorded_at = Instant()
    session = serializers.CharField(source="session_ref")
    actor = serializers.CharField()
    role = serializers.ChoiceField(choices=Event.Role.choices)
    subject = serializers.CharField()
    action = serializers.CharField()
    content = serializers.CharField()
    before = AnyJson(allow_null=True)
    after = AnyJson(allow_null=True)
    reason = serializers.CharField()
    alternatives = serializers.ListField(child=serializers.CharField())
    caused_by = serializers.UUIDField(source="caused_by_id", allow_null=True)
    form = serializers.SerializerMethodField()
    metadata = JsonObject()
    agent = serializers.UUIDField(source="agent_id", allow_null=True)
    trust_tier = serializers.IntegerField()
    is_test = serializers.BooleanField()
    tier = serializers.ChoiceField(choices=Event.Tier.choices)
    state = serializers.ChoiceField(choices=Event.State.choices)
    processed_at = Instant(allow_null=True)
    outcome = VerdictAnswer(many=True, help_text="What became of each fact seen in it.")
    learned = JsonObject(
        help_text="What was read in it: action, reason, alternatives, entities, codes, flags."
    )

    @extend_schema_field(FormPlaceAnswer(allow_null=True))
    def get_form(self, event: Event) -> dict[str, str] | None:
        place = {"type": event.form_type, "subject": event.form_subject, "field": event.field_name}
        return place if event.form_type else None


class EventResultStatus(TextChoices):
    RECORDED = "recorded"
    DUPLICATE = "duplicate"
    REFUSED = "refused"


class EventResultAnswer(serializers.Serializer[None]):
    index = serializers.IntegerField(help_text="Its place in the request.")
    status = serializers.ChoiceField(choices=EventResultStatus.choices)
    id = serializers.UUIDField(allow_null=True)
    code = serializers.CharField()
    field = serializers.CharField()
    message = serializers.CharField()


class OutcomeAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Event.State.choices)
    outcome = VerdictAnswer(many=True)


class RecordedAnswer(serializers.Serializer[None]):
    events = EventResultAnswer(many=True)
    operation = serializers.UUIDField(
        allow_null=True, help_text="Ask /operations/ for it; null when nothing is new."
    )
    outcomes = OutcomeAnswer(many=True, required=False, help_text="With ?wait=1: per event, as far as known.")


EVENT_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01"
OPERATION_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e02"
RECORDED_EXAMPLE: dict[str, Any] = {
    "events": [{"index": 0, "status": "recorded", "id": EVENT_ID, "code": "", "field": "", "message": ""}],
    "operation": OPERATION_ID,
}
REFUSED_ITEM = {
    "index": 1,
    "status": "refused",
    "id": None,
    "code": "nul_character",
    "field": "content",
    "message": "text may not contain U+0000",
}
EVENT_EXAMPLE: dict[str, Any] = {
    "id": EVENT_ID,
    "occurred_at": "2026-03-01T08:00:00.000000Z",
    "recorded_at": "2026-03-01T08:00:00.412000Z",
    "session": "chat-17",
    "actor": "",
    "role": "user",
    "subject": "",
    "action": "message",
    "content": "我对坚果过敏",
    "before": None,
    "after": None,
    "reason": "",
    "alternatives": [],
    "caused_by": None,
    "form": None,
    "metadata": {},
    "agent": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e03",
    "trust_tier": 3,
    "is_test": False,
    "tier": "hot",
    "state": "processed",
    "processed_at": "2026-03-01T08:00:00.530000Z",
    "outcome": [VERDICT_EXAMPLE],
    "learned": {"entities": ["坚果"]},
}
OUTCOME_EXAMPLE = {"id": EVENT_ID, "state": "processed", "outcome": [VERDICT_EXAMPLE]}
