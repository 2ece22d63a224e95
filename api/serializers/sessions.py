"""Working memory of a conversation in and out."""

from __future__ import annotations

import math
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.events import EVENT_ID
from api.serializers.fields import Instant, OwnerRef, Share, Strict, Text, Whole
from memoryhub.models import Session, SessionSlot
from memoryhub.recall.pipeline import LONGEST_QUERY
from memoryhub.sessions.asking import (
    LONGEST_LIFE,
    LONGEST_QUOTE,
    LONGEST_VALUE,
    MOST_SLOTS,
    SHORTEST_LIFE,
    NewSlot,
)
from memoryhub.sessions.contexts import is_context, kind_of, name_of, normal_context
from memoryhub.sessions.looking import ContextView, SessionView, SlotView

SAID_BY = ["user", "system"]
SLOT_OUTCOMES = ["set", "kept", "restored", "removed", "nothing"]
CHOICE_RULES = ["named", "slot", "kind", "latest", "another_named", "none"]
CONTEXT_RULE = "`kind:name`, as `order:A`; empty for the conversation as a whole."


@extend_schema_field({"type": ["string", "number", "boolean"], "maxLength": LONGEST_VALUE})
class Scalar(serializers.Field[Any, Any, Any, Any]):
    """A text, a number or a boolean."""

    default_error_messages = {"invalid": "a text, a number or true or false"}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str | int | float) or (isinstance(data, float) and not math.isfinite(data)):
            self.fail("invalid")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class SessionQuery(Strict):
    owner = OwnerRef()
    state = serializers.ChoiceField(choices=Session.State.choices, required=False)


class SessionLookQuery(Strict):
    owner = OwnerRef()
    query = serializers.CharField(
        required=False,
        max_length=LONGEST_QUERY,
        allow_blank=True,
        trim_whitespace=False,
        help_text="The user's words: only the one or two contexts that matter for them are answered.",
    )


class SessionOpening(Strict):
    owner = OwnerRef()
    session = Text(
        max_length=200, help_text="Your own id of the conversation, as in `session` of its events."
    )


class SlotWrite(Strict):
    """One value. `null` empties the slot."""

    context = Text(max_length=220, allow_blank=True, default="", help_text=CONTEXT_RULE)  # type: ignore[assignment]  # the member, not what is handed in
    name = Text(max_length=60, help_text="Small letters, digits and underscores, as `address`.")
    value = Scalar(allow_null=True)
    said_by = serializers.ChoiceField(
        choices=SAID_BY, default="user", help_text="Whether the user said so or a system found it."
    )
    event = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="The event that proves it."
    )
    quote = Text(max_length=LONGEST_QUOTE, allow_blank=True, default="", help_text="The words in that event.")
    importance = Share(required=False, allow_null=True, default=None)
    confidence = Share(required=False, allow_null=True, default=None)
    lifetime_seconds = Whole(
        min_value=SHORTEST_LIFE,
        max_value=LONGEST_LIFE,
        required=False,
        allow_null=True,
        default=None,
        help_text="Left out: 30 minutes after the last word about its context.",
    )
    version = Whole(
        min_value=0,
        max_value=2**31 - 1,
        required=False,
        allow_null=True,
        default=None,
        help_text="The version you saw (0: none). Another one stands: 412 and nothing is set.",
    )
    form_type = Text(
        max_length=60, allow_blank=True, default="", help_text="The field to keep it in for good."
    )
    subject = Text(max_length=200, allow_blank=True, default="")
    field = Text(max_length=60, allow_blank=True, default="")


class SlotsWrite(Strict):
    owner = OwnerRef()
    slots = serializers.ListField(child=SlotWrite(), min_length=1, max_length=MOST_SLOTS)


class SessionOwner(Strict):
    owner = OwnerRef()


class SlotRestoring(Strict):
    owner = OwnerRef()
    context = Text(max_length=220, allow_blank=True, default="", help_text=CONTEXT_RULE)  # type: ignore[assignment]  # the member, not what is handed in
    name = Text(max_length=60)
    version = Whole(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        allow_null=True,
        default=None,
        help_text="Left out: the value before the standing one.",
    )


class SessionOutcomeWrite(Strict):
    owner = OwnerRef()
    outcome = serializers.ChoiceField(choices=Session.Outcome.choices)


class SlotOutcomeAnswer(serializers.Serializer[Any]):
    """What became of one value. `version` stands now (0: none)."""

    context = serializers.CharField()  # type: ignore[assignment]  # the member, not what is handed in
    name = serializers.CharField()
    outcome = serializers.ChoiceField(choices=SLOT_OUTCOMES)
    version = serializers.IntegerField()
    held_for = serializers.CharField(
        help_text="Why it is kept but never served to a model; empty when it is served."
    )


class SlotsWrittenAnswer(serializers.Serializer[Any]):
    slots = SlotOutcomeAnswer(many=True)


class SlotAnswer(serializers.Serializer[Any]):
    """One version of a value. `value` is null once the session has ended: it was cleared."""

    name = serializers.CharField()
    version = serializers.IntegerField()
    value = Scalar(allow_null=True)
    state = serializers.ChoiceField(choices=SessionSlot.State.choices)
    reason = serializers.CharField(
        help_text="Why it is deprecated: user_correction, system_correction, timeout, restored or ended."
    )
    restored_version = serializers.IntegerField(allow_null=True)
    said_by = serializers.ChoiceField(choices=SAID_BY)
    form_type = serializers.CharField()
    subject = serializers.CharField(source="form_subject")
    field = serializers.CharField(source="field_name")
    event = serializers.UUIDField(source="event_id", allow_null=True)
    trust_tier = serializers.IntegerField()
    held_for = serializers.CharField()
    set_at = Instant()
    expires_at = Instant()
    deprecated_at = Instant(allow_null=True)


class ContextAnswer(serializers.Serializer[Any]):
    """One order, ticket or task: what stands, and every version there was."""

    context = serializers.CharField()  # type: ignore[assignment]  # the member, not what is handed in
    kind = serializers.SerializerMethodField()
    name = serializers.SerializerMethodField()
    slots = SlotAnswer(many=True)
    history = SlotAnswer(many=True)

    def get_kind(self, context: ContextView) -> str:
        return kind_of(context.context)

    def get_name(self, context: ContextView) -> str:
        return name_of(context.context)


class FateAnswer(serializers.Serializer[Any]):
    """What became of one value when the session ended, and why."""

    context = serializers.CharField()  # type: ignore[assignment]  # the member, not what is handed in
    name = serializers.CharField()
    fate = serializers.ChoiceField(choices=SessionSlot.Fate.choices)
    code = serializers.CharField(source="fate_code")
    target = serializers.UUIDField(source="target_id", allow_null=True)
    change = serializers.UUIDField(source="change_id", allow_null=True)


class ChosenAnswer(serializers.Serializer[Any]):
    """Which contexts matter for the query, and by which rule."""

    rule = serializers.ChoiceField(choices=CHOICE_RULES)
    contexts = serializers.ListField(child=serializers.CharField())
    left_out = serializers.ListField(child=serializers.CharField())


class SessionSummaryAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    session = serializers.CharField(source="ref")
    state = serializers.ChoiceField(choices=Session.State.choices)
    opened_at = Instant()
    active_at = Instant()
    ended_at = Instant(allow_null=True)
    ended_by = serializers.CharField(help_text="request or timeout; empty while open.")
    outcome = serializers.CharField(help_text="resolved, escalated or repeated; empty when nobody said.")
    outcome_at = Instant(allow_null=True)


class SessionAnswer(SessionSummaryAnswer):
    contexts = ContextAnswer(many=True, source="shown")
    chosen = ChosenAnswer(allow_null=True)
    report = serializers.SerializerMethodField()

    @extend_schema_field(FateAnswer(many=True))
    def get_report(self, view: SessionView) -> list[dict[str, Any]]:
        """Of an ended session, the last version of every name."""
        if view.state != Session.State.ENDED:
            return []
        last: dict[tuple[str, str], SlotView] = {}
        for context in view.contexts:
            for slot in context.history:
                last[slot.context, slot.name] = slot
        answers: list[dict[str, Any]] = FateAnswer(last.values(), many=True).data  # type: ignore[assignment]
        return answers


def as_new_slot(values: dict[str, Any]) -> NewSlot:
    context = values["context"]
    return NewSlot(
        context=normal_context(context) if is_context(context) else context,
        name=values["name"],
        value=values["value"],
        said_by=values["said_by"],
        event_id=values["event"],
        quote=values["quote"],
        importance=values["importance"],
        confidence=values["confidence"],
        lifetime_seconds=values["lifetime_seconds"],
        expected_version=values["version"],
        form_type=values["form_type"],
        form_subject=values["subject"],
        field_name=values["field"],
    )


SUMMARY_EXAMPLE: dict[str, Any] = {
    "id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e31",
    "session": "chat-18",
    "state": "open",
    "opened_at": "2026-03-01T08:00:00.000000Z",
    "active_at": "2026-03-01T08:02:00.000000Z",
    "ended_at": None,
    "ended_by": "",
    "outcome": "",
    "outcome_at": None,
}
SLOT_EXAMPLE: dict[str, Any] = {
    "name": "address",
    "version": 1,
    "value": "浦东新区世纪大道100号",
    "state": "active",
    "reason": "",
    "restored_version": None,
    "said_by": "user",
    "form_type": "",
    "subject": "",
    "field": "",
    "event": EVENT_ID,
    "trust_tier": 3,
    "held_for": "",
    "set_at": "2026-03-01T08:02:00.000000Z",
    "expires_at": "2026-03-01T08:32:00.000000Z",
    "deprecated_at": None,
}
SESSION_EXAMPLE: dict[str, Any] = {
    **SUMMARY_EXAMPLE,
    "contexts": [
        {
            "context": "order:A",
            "kind": "order",
            "name": "A",
            "slots": [SLOT_EXAMPLE],
            "history": [SLOT_EXAMPLE],
        }
    ],
    "chosen": {"rule": "named", "contexts": ["order:A"], "left_out": ["order:B"]},
    "report": [],
}
ENDED_EXAMPLE: dict[str, Any] = {
    **SUMMARY_EXAMPLE,
    "state": "ended",
    "ended_at": "2026-03-01T08:40:00.000000Z",
    "ended_by": "request",
    "contexts": [],
    "chosen": None,
    "report": [
        {
            "context": "order:A",
            "name": "address",
            "fate": "dropped",
            "code": "low_importance",
            "target": None,
            "change": None,
        }
    ],
}
WRITTEN_EXAMPLE: dict[str, Any] = {
    "slots": [{"context": "order:A", "name": "address", "outcome": "set", "version": 1, "held_for": ""}]
}
WRITE_EXAMPLE: dict[str, Any] = {
    "owner": "customer-4711",
    "slots": [{"context": "order:A", "name": "address", "value": "浦东新区世纪大道100号"}],
}
