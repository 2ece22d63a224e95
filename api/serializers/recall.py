"""Asking for memory, and the answer with its trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime
from rest_framework import serializers

from api.serializers.events import EVENT_ID
from api.serializers.fields import (
    INSTANT_RULE,
    AnyJson,
    Flag,
    Instant,
    JsonObject,
    OwnerRef,
    Strict,
    Text,
    Whole,
    as_instant,
)
from api.serializers.recall_parts import (
    FORMAT_HELP,
    FORMATS,
    LayerAnswer,
    MessageAnswer,
    PointerAnswerBody,
    pointer_json,
)
from memoryhub.recall.answers import KINDS, RecallAnswer, RecallRequest, Served
from memoryhub.recall.pipeline import LONGEST_QUERY, MOST_ENTITIES, MOST_TOP_K
from memoryhub.recall.tracing import excluded_json, parts_json

RECALL_KINDS = [(kind, kind) for kind in KINDS]
LAYERS = ["session", "user", "team", "project", "domain"]
RECALL_STATES = ["ok", "owner_frozen"]
SECTIONS = ["rules", "procedures", "session", "forms", "timeline", "fragments"]
CERTAINTIES = ["fact", "inferred", "policy", "said_by_agent"]
SERVED_KINDS = ["rule", "form", "event", "item", "document", "slot", "relation"]
MOST_BUDGET = 100_000


class RecallAsk(Strict):
    owner = OwnerRef()
    query = Text(
        max_length=LONGEST_QUERY,
        allow_blank=True,
        help_text="The user's words. Blank: what matters without a question.",
    )
    session = Text(max_length=200, allow_blank=True, default="")
    entities = serializers.ListField(child=Text(max_length=200), max_length=MOST_ENTITIES, default=list)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=RECALL_KINDS),
        max_length=len(KINDS),
        default=list,
        help_text="Empty: all. Active rules and safety facts are candidates whatever it says.",
    )
    valid_at = Instant(
        required=False, allow_null=True, default=None, help_text=f"What was true then. {INSTANT_RULE}"
    )
    known_at = Instant(
        required=False, allow_null=True, default=None, help_text=f"What was believed then. {INSTANT_RULE}"
    )
    budget_tokens = Whole(min_value=0, max_value=MOST_BUDGET, required=False, allow_null=True, default=None)
    top_k = Whole(min_value=0, max_value=MOST_TOP_K, required=False, allow_null=True, default=None)
    min_authority = Whole(
        min_value=1,
        max_value=5,
        required=False,
        allow_null=True,
        default=None,
        help_text="Least authority of a document: 5 signed by legal, 4 approved, 3 training, 2 wiki, 1 note.",
    )
    format = serializers.ChoiceField(choices=FORMATS, default="json", help_text=FORMAT_HELP)
    explain = Flag(default=False, help_text="Adds score parts and what was left out, with the rule.")


def as_recall_request(values: dict[str, Any]) -> RecallRequest:
    plain = ("query", "valid_at", "known_at", "budget_tokens", "top_k", "min_authority", "explain")
    return RecallRequest(
        **{name: values[name] for name in plain},
        session_ref=values["session"],
        entities=tuple(values["entities"]),
        kinds=tuple(values["kinds"]),
    )


class ServedAnswer(serializers.Serializer[Any]):
    """One line of the block."""

    section = serializers.ChoiceField(choices=SECTIONS)
    kind = serializers.ChoiceField(choices=SERVED_KINDS)
    id = serializers.UUIDField()
    ids = serializers.ListField(
        child=serializers.UUIDField(), help_text="Everything the line tells; of a path every version."
    )
    owner = serializers.CharField(help_text="Whose memory it is: the asked owner, or one he is linked to.")
    event_ids = serializers.ListField(child=serializers.UUIDField(), help_text="The events it rests on.")
    text = serializers.CharField()
    occurred_at = Instant()
    certainty = serializers.ChoiceField(choices=CERTAINTIES)
    being_confirmed = serializers.BooleanField()
    confidence = serializers.FloatField(
        allow_null=True,
        help_text="Of the layer the line comes from: 0.95 session, 0.85 owner, 0.70 documents and linked owners unless the "
        "policy says otherwise; null for what only happened.",
    )
    layer = serializers.ChoiceField(
        choices=LAYERS, help_text="Where it comes from; the nearest layer's value of a field is the one told."
    )
    owner_name = serializers.CharField(
        help_text="How the linked owner is called whose it is; '' for the owner's own."
    )
    phrase = serializers.CharField(
        help_text="Ready to introduce it with: 'as you just said', 'on record since …', 'by policy, usually'."
    )
    source = serializers.CharField()  # type: ignore[assignment]  # the member, not where it comes from
    trust_tier = serializers.IntegerField()
    tokens = serializers.IntegerField()
    legs = serializers.ListField(child=serializers.CharField())
    score = serializers.FloatField(allow_null=True)
    parts = JsonObject(
        allow_null=True, required=False, help_text="With `explain`: what the score is made of."
    )


class ExcludedAnswer(serializers.Serializer[None]):
    kind = serializers.ChoiceField(choices=SERVED_KINDS)
    id = serializers.UUIDField()
    rule = serializers.CharField()
    score = serializers.FloatField()


class RecallAnswerBody(serializers.Serializer[None]):
    recall = serializers.UUIDField(allow_null=True, help_text="Ask /recalls/ for its trace.")
    owner = serializers.CharField()
    state = serializers.ChoiceField(choices=RECALL_STATES)
    text = serializers.CharField(
        required=False,
        help_text="The fenced block to hand to a model; empty when nothing fits. Not with `format=messages`.",
    )
    messages = MessageAnswer(
        many=True, required=False, help_text="With `format=messages`: the block; none when nothing fits."
    )
    tokens = serializers.IntegerField()
    budget_tokens = serializers.IntegerField()
    served = ServedAnswer(many=True, required=False, help_text="With `format=json`.")
    layers = LayerAnswer(many=True, help_text="In the order in which they are believed.")
    notes = serializers.ListField(
        child=serializers.CharField(),
        help_text="What the answer says itself, in the owner's language: 'No events on 2026-03-04'.",
    )
    pointers = PointerAnswerBody(many=True, help_text="What words that name nothing were taken for.")
    legs = JsonObject(help_text="Per leg: state, found, milliseconds, note.")
    excluded_counts = JsonObject(help_text="Per rule: how many it kept out.")
    excluded = ExcludedAnswer(many=True, required=False, help_text="With `explain`: at most 50.")
    policy_version = serializers.UUIDField(allow_null=True)
    valid_at = Instant(allow_null=True)
    known_at = Instant(allow_null=True)
    milliseconds = serializers.FloatField()


def recall_body(answer: RecallAnswer, *, refs: Mapping[UUID, str], explain: bool) -> dict[str, Any]:
    """The answer as JSON, without serializers: this is the hot path. `refs` names every owner in it."""
    body: dict[str, Any] = {
        "recall": answer.recall_id,
        "owner": refs[answer.owner_id],
        "state": answer.state,
        "text": answer.text,
        "tokens": answer.tokens,
        "budget_tokens": answer.budget_tokens,
        "served": [_served(entry, refs, explain) for entry in answer.served],
        "layers": [asdict(layer) for layer in answer.layers],
        "notes": answer.notes,
        "pointers": [pointer_json(pointer) for pointer in answer.pointers],
        "legs": {name: leg.as_json() for name, leg in answer.legs.items()},
        "excluded_counts": answer.excluded_counts,
        "policy_version": answer.policy_version_id,
        "valid_at": as_instant(answer.valid_at) if answer.valid_at else None,
        "known_at": as_instant(answer.known_at) if answer.known_at else None,
        "milliseconds": round(answer.milliseconds, 2),
    }
    if explain:
        body["excluded"] = [excluded_json(entry) for entry in answer.excluded]
    return body


def _served(entry: Served, refs: Mapping[UUID, str], explain: bool) -> dict[str, Any]:
    line: dict[str, Any] = {
        "section": entry.section,
        "kind": entry.kind,
        "id": entry.target_id,
        "ids": entry.ids,
        "owner": refs[entry.owner_id],
        "event_ids": entry.event_ids,
        "text": entry.text,
        "occurred_at": as_instant(entry.occurred_at),
        "certainty": entry.certainty,
        "being_confirmed": entry.being_confirmed,
        "confidence": entry.confidence,
        "layer": entry.layer,
        "owner_name": entry.owner_name,
        "phrase": entry.phrase,
        "source": entry.source,
        "trust_tier": entry.trust_tier,
        "tokens": entry.tokens,
        "legs": entry.legs,
        "score": entry.score,
    }
    if explain:
        line["parts"] = parts_json(entry.parts) if entry.parts else None
    return line


class RecallQuery(Strict):
    owner = OwnerRef()
    session = Text(max_length=200, required=False)


class TracedLineAnswer(serializers.Serializer[None]):
    section = serializers.ChoiceField(choices=SECTIONS)
    kind = serializers.ChoiceField(choices=SERVED_KINDS)
    id = serializers.UUIDField()
    ids = serializers.ListField(child=serializers.UUIDField())
    event_ids = serializers.ListField(child=serializers.UUIDField())
    occurred_at = serializers.SerializerMethodField()
    certainty = serializers.ChoiceField(choices=CERTAINTIES)
    being_confirmed = serializers.BooleanField()
    tokens = serializers.IntegerField()
    legs = serializers.ListField(child=serializers.CharField())
    score = serializers.FloatField(allow_null=True)
    parts = AnyJson(allow_null=True)

    def get_occurred_at(self, line: dict[str, Any]) -> str:
        moment = parse_datetime(line["at"])
        assert moment is not None
        return as_instant(moment)


class RecallSummaryAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    created_at = Instant()
    query = serializers.CharField()
    session = serializers.CharField(source="session_ref")
    agent = serializers.UUIDField(source="agent_id", allow_null=True)
    tokens = serializers.IntegerField()
    milliseconds = serializers.FloatField()


class RecallTraceAnswer(RecallSummaryAnswer):
    valid_at = Instant(allow_null=True)
    known_at = Instant(allow_null=True)
    policy_version = serializers.UUIDField(source="policy_version_id", allow_null=True)
    request = JsonObject()
    legs = JsonObject()
    session_hit = serializers.BooleanField(
        allow_null=True, help_text="Whether the session had the answer; null when there was none to ask."
    )
    served = TracedLineAnswer(many=True)
    excluded = ExcludedAnswer(many=True)
    excluded_counts = JsonObject()


RECALL_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e07"
VERSION_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e04"
LEGS_EXAMPLE = {
    "rules": {"state": "ok", "found": 1, "milliseconds": 0.0, "note": ""},
    "meaning": {"state": "ok", "found": 1, "milliseconds": 23.4, "note": ""},
}
PARTS_EXAMPLE = {
    "meaning": 0.31,
    "entity": 0.0,
    "recency": 1.0,
    "importance": 0.95,
    "gate": 1.0,
    "cosine": 0.31,
    "cover": 0.0,
}
SERVED_EXAMPLE: dict[str, Any] = {
    "section": "rules",
    "kind": "form",
    "id": VERSION_ID,
    "ids": [VERSION_ID],
    "owner": "customer-4711",
    "event_ids": [EVENT_ID],
    "text": "过敏: 坚果",
    "occurred_at": "2026-03-01T08:00:00.000000Z",
    "certainty": "fact",
    "being_confirmed": False,
    "confidence": 0.85,
    "layer": "user",
    "owner_name": "",
    "phrase": "自 2026-03-01 起的记录",
    "source": "user",
    "trust_tier": 3,
    "tokens": 31,
    "legs": ["rules"],
    "score": 0.52,
}
RECALL_EXAMPLE: dict[str, Any] = {
    "recall": RECALL_ID,
    "owner": "customer-4711",
    "state": "ok",
    "text": "<memory …>\n…\n</memory …>",
    "tokens": 74,
    "budget_tokens": 800,
    "served": [SERVED_EXAMPLE],
    "layers": [
        {"name": "session", "state": "not_asked", "confidence": 0.95},
        {"name": "user", "state": "answered", "confidence": 0.85},
        {"name": "domain", "state": "not_asked", "confidence": 0.70},
    ],
    "notes": [],
    "pointers": [],
    "legs": LEGS_EXAMPLE,
    "excluded_counts": {},
    "policy_version": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e08",
    "valid_at": "2026-03-02T08:00:00.000000Z",
    "known_at": "2026-03-02T08:00:00.000000Z",
    "milliseconds": 25.1,
}
SUMMARY_EXAMPLE: dict[str, Any] = {
    "id": RECALL_ID,
    "created_at": "2026-03-02T08:00:00.000000Z",
    "query": "有什么零食推荐",
    "session": "chat-18",
    "agent": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e03",
    "tokens": 74,
    "milliseconds": 25.1,
}
TRACE_EXAMPLE: dict[str, Any] = {
    **SUMMARY_EXAMPLE,
    "valid_at": None,
    "known_at": None,
    "policy_version": RECALL_EXAMPLE["policy_version"],
    "request": {},
    "legs": LEGS_EXAMPLE,
    "session_hit": None,
    "served": [
        {
            **{
                name: SERVED_EXAMPLE[name]
                for name in ("section", "kind", "id", "ids", "event_ids", "occurred_at")
            },
            **{
                name: SERVED_EXAMPLE[name]
                for name in ("certainty", "being_confirmed", "tokens", "legs", "score")
            },
            "parts": PARTS_EXAMPLE,
        }
    ],
    "excluded": [],
    "excluded_counts": {},
}
