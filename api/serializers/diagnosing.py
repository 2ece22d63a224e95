"""'Why did it not know?': what is asked about a recall, and the first step that lost it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework import serializers

from api.serializers.events import EVENT_ID
from api.serializers.fields import Instant, JsonObject, OwnerRef, Strict, Text, as_instant
from api.serializers.recall import PARTS_EXAMPLE, RECALL_ID, RECALL_KINDS, VERSION_ID
from memoryhub.diagnosing.answers import HOWS, STEPS, Diagnosis, Expected, Finding, Place
from memoryhub.diagnosing.diagnosing import LONGEST_EXPECTED
from memoryhub.diagnosing.letting_in import LetIn, say_how
from memoryhub.diagnosing.sentences import LANGUAGES, Said, say
from memoryhub.recall.answers import KINDS, RecallRequest
from memoryhub.recall.pipeline import LONGEST_QUERY
from memoryhub.recall.tracing import parts_json

WANTED = ("expected", "memory", "field", "unwanted")
FINDING_KINDS = ["field_version", "item", "change", "event", "form", "rule", "slot", "document", "relation"]
DOORS = ["at_once", "approved", "direct", "event", "document"]


class DiagnoseAsk(Strict):
    """A recall by its id, or a question; and one of `expected`, `memory`, `field` and `unwanted`."""

    owner = OwnerRef()
    recall = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="Looked into as it was."
    )
    query = Text(
        max_length=LONGEST_QUERY, required=False, allow_blank=True, help_text="Asked now, without a trace."
    )
    session = Text(max_length=200, allow_blank=True, default="", help_text="With `query`.")
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=RECALL_KINDS), max_length=len(KINDS), default=list
    )
    expected = Text(
        max_length=LONGEST_EXPECTED, required=False, help_text="What it should have known, in words."
    )
    memory = serializers.UUIDField(
        required=False, help_text="A memory, a value's version, an event or a change."
    )
    field = Text(max_length=130, required=False, help_text="A field, as `contact.address`.")
    subject = Text(max_length=200, allow_blank=True, default="", help_text="Of the field, where it has one.")
    unwanted = serializers.UUIDField(
        required=False, help_text="A memory that should not have been told: how did it get in?"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        named = [name for name in WANTED if attrs.get(name) is not None]
        if len(named) != 1:
            field = named[1] if named else "expected"
            raise _refusal(field, "one of expected, memory, field and unwanted", "choose_one")
        if "unwanted" not in attrs and (attrs["recall"] is None) == ("query" not in attrs):
            raise _refusal("recall", "either a recall or a query", "choose_one")
        if "field" in attrs and attrs["field"].count(".") != 1:
            raise _refusal("field", "a form type and a field, as contact.address", "invalid")
        return attrs


def _refusal(field: str, message: str, code: str) -> serializers.ValidationError:
    return serializers.ValidationError({field: serializers.ErrorDetail(message, code)})


def as_expected(values: Mapping[str, Any]) -> Expected:
    form_type, _dot, name = values.get("field", "").partition(".")
    return Expected(
        text=values.get("expected", ""),
        target_id=values.get("memory"),
        form_type=form_type,
        field=name,
        subject=values["subject"],
    )


def as_question(values: Mapping[str, Any]) -> RecallRequest | None:
    """The question to ask now; None when a recall is named."""
    if "query" not in values:
        return None
    return RecallRequest(
        query=values["query"], session_ref=values["session"], kinds=tuple(values["kinds"]), evaluation=True
    )


class InBothAnswer(serializers.Serializer[None]):
    en = serializers.CharField()
    zh = serializers.CharField()


class PlaceAnswer(serializers.Serializer[None]):
    id = serializers.UUIDField()
    rank = serializers.IntegerField(help_text="In the whole ranking, from 1.")
    score = serializers.FloatField()
    parts = JsonObject(allow_null=True)


class FindingAnswer(serializers.Serializer[None]):
    step = serializers.ChoiceField(choices=STEPS)
    code = serializers.CharField(
        help_text="Why, within the step: a verdict's code, a status, the rule that kept it out."
    )
    found_by = serializers.CharField(
        allow_null=True, help_text=f"How it was found to say what is expected: {', '.join(HOWS)}."
    )
    kind = serializers.CharField(allow_null=True, help_text=f"{', '.join(FINDING_KINDS)}.")
    id = serializers.UUIDField(allow_null=True)
    event = serializers.UUIDField(allow_null=True, help_text="The turn that said it.")
    change = serializers.UUIDField(allow_null=True, help_text="The proposal, when it is your own.")
    review = serializers.UUIDField(allow_null=True)
    field = serializers.CharField(
        help_text="form_type.field of a value; of a value of a conversation its name."
    )
    subject = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)
    verdict = JsonObject(allow_null=True, help_text="What the write path answered.")
    superseded_by = serializers.UUIDField(allow_null=True)
    superseded_by_version = serializers.IntegerField(allow_null=True)
    ended_at = Instant(allow_null=True, help_text="When it was replaced, ended, decided or learned.")
    place = PlaceAnswer(allow_null=True)
    last_served = PlaceAnswer(allow_null=True, help_text="The weakest that was served: what it had to beat.")
    section = serializers.CharField(allow_null=True, help_text="Where in the block it was told.")
    tokens = serializers.IntegerField(allow_null=True)
    sentence = InBothAnswer()
    next = InBothAnswer(help_text="What to do about it.")


class LetInAnswer(serializers.Serializer[None]):
    """How an unwanted memory got in."""

    kind = serializers.ChoiceField(choices=["item", "field_version", "event", "document"])
    id = serializers.UUIDField()
    door = serializers.ChoiceField(choices=DOORS)
    event = serializers.UUIDField(allow_null=True)
    recorded_at = Instant(allow_null=True)
    role = serializers.CharField()
    agent = serializers.UUIDField(allow_null=True)
    trust_tier = serializers.IntegerField(allow_null=True)
    read_by = serializers.CharField(
        help_text="Which rules or which model read it; empty when an agent wrote it itself."
    )
    verdict = JsonObject(allow_null=True)
    change = serializers.UUIDField(allow_null=True)
    changeset = serializers.UUIDField(allow_null=True)
    basis = serializers.CharField()
    gates = serializers.ListField(child=serializers.CharField(), help_text="Why a person was asked.")
    review = serializers.UUIDField(allow_null=True)
    approvals = serializers.IntegerField(help_text="How many people said yes; who, the desk shows.")
    section = serializers.CharField(allow_null=True, help_text="How the named recall told it.")
    legs = serializers.ListField(child=serializers.CharField())
    sentence = InBothAnswer()
    next = InBothAnswer()


class DiagnosisAnswer(serializers.Serializer[None]):
    owner = serializers.CharField()
    recall = serializers.UUIDField(allow_null=True)
    query = serializers.CharField()
    asked_at = Instant(allow_null=True)
    tokens = serializers.IntegerField(help_text="What the recall spent.")
    budget_tokens = serializers.IntegerField()
    first = FindingAnswer(allow_null=True, help_text="The first step that lost it; null for `unwanted`.")
    others = FindingAnswer(many=True, help_text="What else says it, at most 5.")
    let_in = LetInAnswer(allow_null=True, help_text="For `unwanted`.")


def diagnosis_body(found: Diagnosis, *, ref: str, agent_id: UUID) -> dict[str, Any]:
    """The answer as JSON; proposals of another agent keep their ids to themselves."""
    return {
        "owner": ref,
        "recall": found.recall_id,
        "query": found.question,
        "asked_at": as_instant(found.asked_at),
        "tokens": found.tokens,
        "budget_tokens": found.budget,
        "first": _finding(found.first, agent_id),
        "others": [_finding(other, agent_id) for other in found.others],
        "let_in": None,
    }


def _finding(found: Finding, agent_id: UUID) -> dict[str, Any]:
    is_own = found.kind != "change" or found.agent_id == agent_id
    return {
        "step": found.step,
        "code": found.code,
        "found_by": found.how,
        "kind": found.kind or None,
        "id": found.target_id if is_own else None,
        "event": found.event_id,
        "change": found.change_id if is_own else None,
        "review": found.review_id if is_own else None,
        "field": ".".join(filter(None, (found.form_type, found.field_name))),
        "subject": found.form_subject if is_own else "",
        "version": found.version,
        "verdict": dict(found.verdict) if found.verdict else None,
        "superseded_by": found.successor_id,
        "superseded_by_version": found.successor_version if found.kind == "field_version" else None,
        "ended_at": as_instant(found.ended_at) if found.ended_at else None,
        "place": _place(found.place),
        "last_served": _place(found.last_served),
        "section": found.section or None,
        "tokens": found.tokens,
        **_in_both([say(found, language) for language in LANGUAGES]),
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    return {
        "id": place.target_id,
        "rank": place.rank,
        "score": round(place.score, 6),
        "parts": parts_json(place.parts) if place.parts else None,
    }


def _in_both(said: list[Said]) -> dict[str, Any]:
    return {
        "sentence": {language: each.what for language, each in zip(LANGUAGES, said, strict=True)},
        "next": {language: each.next for language, each in zip(LANGUAGES, said, strict=True)},
    }


def let_in_body(found: LetIn, *, ref: str, recall_id: UUID | None) -> dict[str, Any]:
    return {
        "owner": ref,
        "recall": recall_id,
        "query": "",
        "asked_at": None,
        "tokens": 0,
        "budget_tokens": 0,
        "first": None,
        "others": [],
        "let_in": {
            "kind": found.kind,
            "id": found.target_id,
            "door": found.door,
            "event": found.event_id,
            "recorded_at": as_instant(found.recorded_at) if found.recorded_at else None,
            "role": found.role,
            "agent": found.agent_id,
            "trust_tier": found.trust_tier,
            "read_by": found.read_by,
            "verdict": found.verdict,
            "change": found.change_id,
            "changeset": found.change_set_id,
            "basis": found.basis,
            "gates": list(found.gates),
            "review": found.review_id,
            "approvals": len(found.approved),
            "section": found.section or None,
            "legs": list(found.legs),
            **_in_both([say_how(found, language) for language in LANGUAGES]),
        },
    }


DIAGNOSE_EXAMPLE = {
    "owner": "customer-4711",
    "query": "Where does she live?",
    "expected": "She lives in Leeds",
}
DIAGNOSE_RECALL_EXAMPLE = {"owner": "customer-4711", "recall": RECALL_ID, "field": "contact.address"}
UNWANTED_EXAMPLE = {"owner": "customer-4711", "recall": RECALL_ID, "unwanted": VERSION_ID}
DIAGNOSIS_EXAMPLE: dict[str, Any] = {
    "owner": "customer-4711",
    "recall": RECALL_ID,
    "query": "Where does she live?",
    "asked_at": "2026-03-02T08:00:00.000000Z",
    "tokens": 74,
    "budget_tokens": 800,
    "first": {
        "step": "superseded",
        "code": "superseded",
        "found_by": "words",
        "kind": "field_version",
        "id": VERSION_ID,
        "event": EVENT_ID,
        "change": None,
        "review": None,
        "field": "user_profile.location",
        "subject": "",
        "version": 1,
        "verdict": None,
        "superseded_by": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e05",
        "superseded_by_version": 2,
        "ended_at": "2026-03-01T09:00:00.000000Z",
        "place": None,
        "last_served": {"id": VERSION_ID, "rank": 1, "score": 0.52, "parts": PARTS_EXAMPLE},
        "section": None,
        "tokens": None,
        "sentence": {
            "en": "It was known and was replaced by a newer value.",
            "zh": "曾经知道，已被更新的值取代。",
        },
        "next": {
            "en": "If the old value is right after all, restore it from the history of the value.",
            "zh": "如果旧值其实是对的，请从该值的历史中恢复。",
        },
    },
    "others": [],
    "let_in": None,
}
