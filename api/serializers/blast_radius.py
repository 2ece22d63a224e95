"""The blast radius: what a source wrote, what was derived from it, and every recall that told any of it. And the suspects."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.changes import MINE
from api.serializers.fields import INSTANT_RULE, AnyJson, Instant, OwnerRef, Strict, as_instant
from api.serializers.recall import RECALL_ID, VERSION_ID
from memoryhub.changes.blast_radius import MOST_LINES, BlastRadius, ServedLine, TracedValue
from memoryhub.changes.suspects import WEIGHTS

SOURCES = ("item", "version", "event", "session", "agent", "since", "until")
VIAS = [("value", "value"), ("derived", "derived"), ("event", "event")]
FORMATS = [("json", "json"), ("csv", "csv")]
TRACED_KINDS = [("field_version", "field_version"), ("item", "item"), ("event", "event")]
SUSPECT_KINDS = TRACED_KINDS[:2]
SIGNALS = [(code, code) for code in WEIGHTS]
MOST_SUSPECTS = 100


class BlastQuery(Strict):
    """At least one source besides the owner; what is given must hold together."""

    owner = OwnerRef()
    item = serializers.UUIDField(required=False, help_text="A memory.")
    version = serializers.UUIDField(required=False, help_text="The id of one version of a field.")
    event = serializers.UUIDField(required=False)
    session = serializers.CharField(max_length=200, required=False)
    agent = serializers.ChoiceField(
        choices=MINE, required=False, help_text="me: what the calling agent wrote."
    )
    since = Instant(required=False, help_text=f"Written from this instant on. {INSTANT_RULE}")
    until = Instant(required=False, help_text=f"Written before this instant. {INSTANT_RULE}")
    format = serializers.ChoiceField(
        choices=FORMATS, default="json", help_text="csv: one row per told line, safe for spreadsheets."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not any(source in attrs for source in SOURCES):
            message = f"name at least one of {', '.join(SOURCES)}"
            raise serializers.ValidationError({"item": serializers.ErrorDetail(message, "empty_scope")})
        if "since" in attrs and "until" in attrs and attrs["until"] <= attrs["since"]:
            raise serializers.ValidationError(
                {"until": serializers.ErrorDetail("ends before it begins", "ends_early")}
            )
        return attrs


class TracedValueAnswer(serializers.Serializer[None]):
    """A value the source wrote, one derived from it, or the event it came from."""

    id = serializers.UUIDField()
    via = serializers.ChoiceField(choices=VIAS)
    kind = serializers.ChoiceField(choices=TRACED_KINDS)
    value = AnyJson(allow_null=True)
    status = serializers.CharField()
    form_type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()
    since = Instant(help_text="When it came to be known.")


class ToldLineAnswer(serializers.Serializer[None]):
    """One line of one recall. `rank` counts from 1 within the answer."""

    recall = serializers.UUIDField()
    at = Instant()
    agent = serializers.CharField()
    session = serializers.CharField()
    value = serializers.UUIDField()
    via = serializers.ChoiceField(choices=VIAS)
    rank = serializers.IntegerField()
    tokens = serializers.IntegerField()


class ReachedAnswer(serializers.Serializer[None]):
    name = serializers.CharField()
    recalls = serializers.IntegerField()


class HourAnswer(serializers.Serializer[None]):
    hour = Instant()
    recalls = serializers.IntegerField()


class BlastRadiusAnswer(serializers.Serializer[None]):
    changes = serializers.IntegerField()
    recalls = serializers.IntegerField()
    tokens = serializers.IntegerField()
    first_at = Instant(allow_null=True)
    last_at = Instant(allow_null=True)
    agents = ReachedAnswer(many=True, help_text="Agents that were told any of it.")
    sessions = ReachedAnswer(many=True, help_text="Sessions in which any of it was told.")
    per_hour = HourAnswer(many=True)
    values = TracedValueAnswer(many=True)
    lines = ToldLineAnswer(many=True)
    is_cut = serializers.BooleanField(
        help_text=f"More than {MOST_LINES} lines were told; the first are listed."
    )


def radius_body(radius: BlastRadius) -> dict[str, Any]:
    """The answer as JSON, without serializers: there may be ten thousand lines."""
    return {
        "changes": radius.changes,
        "recalls": len(radius.recall_ids),
        "tokens": radius.tokens,
        "first_at": as_instant(radius.first_at) if radius.first_at else None,
        "last_at": as_instant(radius.last_at) if radius.last_at else None,
        "agents": [{"name": name, "recalls": recalls} for name, recalls in radius.agents],
        "sessions": [{"name": name, "recalls": recalls} for name, recalls in radius.sessions],
        "per_hour": [{"hour": as_instant(hour), "recalls": recalls} for hour, recalls in radius.per_hour],
        "values": [_value(value) for value in radius.values],
        "lines": [_line(line) for line in radius.lines],
        "is_cut": radius.is_cut,
    }


def _value(value: TracedValue) -> dict[str, Any]:
    return {
        "id": value.id,
        "via": value.via,
        "kind": value.kind,
        "value": value.text,
        "status": value.status,
        "form_type": value.form_type,
        "subject": value.form_subject,
        "field": value.field_name,
        "since": as_instant(value.at),
    }


def _line(line: ServedLine) -> dict[str, Any]:
    return {
        "recall": line.recall_id,
        "at": as_instant(line.at),
        "agent": line.agent,
        "session": line.session_ref,
        "value": line.target_id,
        "via": line.via,
        "rank": line.rank,
        "tokens": line.tokens,
    }


class SuspectQuery(Strict):
    owner = OwnerRef()
    limit = serializers.IntegerField(min_value=1, max_value=MOST_SUSPECTS, default=50)


class SignalAnswer(serializers.Serializer[Any]):
    """One reason, what it adds to the score, and the number behind it (recalls, verdicts, changes, or a share in percent)."""

    code = serializers.ChoiceField(choices=SIGNALS)
    weight = serializers.FloatField()
    count = serializers.IntegerField()


class SuspectAnswer(serializers.Serializer[Any]):
    """A live value that deserves a look. The score is the sum of its signals, at most 1."""

    kind = serializers.ChoiceField(choices=SUSPECT_KINDS)
    id = serializers.UUIDField()
    value = AnyJson(source="text")
    field = serializers.CharField(help_text="`form_type.field`; empty for a memory.")
    agent = serializers.CharField(help_text="The name of the agent that wrote it.")
    importance = serializers.FloatField()
    known_from = Instant()
    score = serializers.FloatField()
    signals = SignalAnswer(many=True)


class SuspectsAnswer(serializers.Serializer[None]):
    results = SuspectAnswer(many=True)


LINE_EXAMPLE: dict[str, Any] = {
    "recall": RECALL_ID,
    "at": "2026-03-02T08:00:00.000000Z",
    "agent": "support-bot",
    "session": "chat-18",
    "value": VERSION_ID,
    "via": "value",
    "rank": 1,
    "tokens": 31,
}
BLAST_EXAMPLE: dict[str, Any] = {
    "changes": 1,
    "recalls": 1,
    "tokens": 31,
    "first_at": LINE_EXAMPLE["at"],
    "last_at": LINE_EXAMPLE["at"],
    "agents": [{"name": "support-bot", "recalls": 1}],
    "sessions": [{"name": "chat-18", "recalls": 1}],
    "per_hour": [{"hour": "2026-03-02T08:00:00.000000Z", "recalls": 1}],
    "values": [
        {
            "id": VERSION_ID,
            "via": "value",
            "kind": "field_version",
            "value": "坚果",
            "status": "retracted",
            "form_type": "user_profile",
            "subject": "",
            "field": "allergies",
            "since": "2026-03-01T08:00:00.530000Z",
        }
    ],
    "lines": [LINE_EXAMPLE],
    "is_cut": False,
}
CSV_EXAMPLE = (
    "recall,at,agent,session,rank,tokens,via,kind,value_id,field,value,status\r\n"
    f"{RECALL_ID},2026-03-02T08:00:00+00:00,support-bot,chat-18,1,31,value,field_version,{VERSION_ID},"
    "user_profile.allergies,坚果,retracted\r\n"
)
SUSPECT_EXAMPLE: dict[str, Any] = {
    "kind": "field_version",
    "id": VERSION_ID,
    "value": "坚果",
    "field": "user_profile.allergies",
    "agent": "support-bot",
    "importance": 0.95,
    "known_from": "2026-03-01T08:00:00.530000Z",
    "score": 0.65,
    "signals": [
        {"code": "harmful_feedback", "weight": 0.5, "count": 2},
        {"code": "single_source_important", "weight": 0.15, "count": 1},
    ],
}
