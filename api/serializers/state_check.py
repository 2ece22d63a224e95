"""Checking what is about to be said or done, and what speaks against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework import serializers

from api.serializers.events import EVENT_ID
from api.serializers.fields import AnyJson, Instant, OwnerRef, Strict, Text, as_instant
from api.serializers.forms import SUBJECT_HELP
from api.serializers.questions import QUESTION_EXAMPLE
from api.serializers.recall import CERTAINTIES, RECALL_STATES, VERSION_ID
from memoryhub.checking.claims import GivenClaim
from memoryhub.checking.state_check import (
    MOST_ACTION,
    MOST_CLAIMS,
    MOST_TEXT,
    StateCheck,
    StateCheckRequest,
)
from memoryhub.recall.binding import BindingRule
from memoryhub.recall.state_check import Claim, Conflict
from memoryhub.recall.state_rows import OpenQuestion
from memoryhub.recall.wording import certainty_of

SPEAKERS = [("user", "user"), ("assistant", "assistant")]
CLAIM_SOURCES = ["claim", "text", "session"]
RULE_KINDS = [
    "business_rule", "safety", "do_not_recommend", "dislike", "refused", "rejected_before", "past_value", "relation",
]  # fmt: skip


class ClaimGiven(Strict):
    field = Text(max_length=121, help_text="`form_type.field`, or a name or alias that means one field only.")
    value = AnyJson(
        allow_null=True, help_text="As the field's type asks; null: nothing holds there any more."
    )
    subject = Text(max_length=200, allow_blank=True, default="", help_text=SUBJECT_HELP)


class StateCheckAsk(Strict):
    """At least one of text, claims, action and session."""

    owner = OwnerRef()
    session = Text(
        max_length=200, allow_blank=True, default="", help_text="Its standing values count as claims too."
    )
    text = Text(
        max_length=MOST_TEXT,
        allow_blank=True,
        default="",
        help_text="Read by the rules that read events; nothing of it is stored.",
    )
    speaker = serializers.ChoiceField(
        choices=SPEAKERS,
        default="user",
        help_text="Whose words `text` are: the owner's, or a draft of the agent in which he is 'you'.",
    )
    claims = serializers.ListField(child=ClaimGiven(), max_length=MOST_CLAIMS, default=list)
    action = Text(
        max_length=MOST_ACTION,
        allow_blank=True,
        default="",
        help_text="What is about to be done, in words: 'recommend a latte'.",
    )


def as_state_check(values: dict[str, Any]) -> StateCheckRequest:
    return StateCheckRequest(
        text=values["text"],
        speaker=values["speaker"],
        claims=tuple(GivenClaim(**claim) for claim in values["claims"]),
        action=values["action"],
        session_ref=values["session"],
    )


class ClaimAnswer(serializers.Serializer[Any]):
    form_type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()
    value = AnyJson(allow_null=True)
    source = serializers.ChoiceField(  # type: ignore[assignment]  # the member, not where it comes from
        choices=CLAIM_SOURCES
    )
    index = serializers.IntegerField(allow_null=True, help_text="Which of `claims` it is.")
    quote = serializers.CharField(help_text="The words of `text` it was read in.")
    removes = serializers.BooleanField(help_text="It says that the value does not hold any more.")
    is_correction = serializers.BooleanField(help_text="The owner says outright that it changed.")


class StoredAnswer(serializers.Serializer[Any]):
    """What is stored, and on whose word."""

    id = serializers.UUIDField()
    form_type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()
    value = AnyJson()
    version = serializers.IntegerField()
    source = serializers.CharField()  # type: ignore[assignment]  # the member, not where it comes from
    trust_tier = serializers.IntegerField()
    valid_from = Instant()
    certainty = serializers.ChoiceField(choices=CERTAINTIES)
    confidence = serializers.FloatField()
    being_confirmed = serializers.BooleanField()
    event = serializers.UUIDField(allow_null=True)
    quote = serializers.CharField()


class ConflictAnswer(serializers.Serializer[Any]):
    claim = ClaimAnswer()
    stored = StoredAnswer()
    question = serializers.CharField(help_text="Ready to be asked, in the owner's language.")
    question_id = serializers.UUIDField(
        allow_null=True, help_text="The open question about it, when there is one."
    )


class TouchedQuestionAnswer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    text = serializers.CharField()
    choices = serializers.ListField(child=serializers.DictField())
    change = serializers.UUIDField(allow_null=True)
    form_type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()
    created_at = Instant()
    expires_at = Instant()


class BindingRuleAnswer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=RULE_KINDS)
    id = serializers.UUIDField(help_text="The value, memory or tombstone it rests on.")
    owner = serializers.CharField(help_text="Whose it is: the asked owner, or one he is linked to.")
    sentence = serializers.CharField(help_text="Why, in the owner's language.")
    matched = serializers.CharField(help_text="The words of the action it is about.")
    value = AnyJson(allow_null=True)
    form_type = serializers.CharField()
    subject = serializers.CharField()
    field = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # the member, not where it comes from
    trust_tier = serializers.IntegerField(allow_null=True)
    certainty = serializers.ChoiceField(choices=CERTAINTIES)
    confidence = serializers.FloatField(allow_null=True)
    at = Instant()
    event = serializers.UUIDField(allow_null=True)
    quote = serializers.CharField()


class StateCheckBody(serializers.Serializer[None]):
    owner = serializers.CharField()
    state = serializers.ChoiceField(choices=RECALL_STATES)
    ok = serializers.BooleanField(help_text="Nothing speaks against it: all three lists are empty.")
    conflicts = ConflictAnswer(many=True)
    questions = TouchedQuestionAnswer(many=True, help_text="Open ones that this touches, newest first.")
    rules = BindingRuleAnswer(many=True)
    claims = ClaimAnswer(many=True, help_text="Everything that was taken for claimed.")


def owners_in(check: StateCheck) -> set[UUID]:
    """Whose memory is in the answer."""
    return {rule.owner_id for rule in check.rules}


def state_check_body(check: StateCheck, *, refs: Mapping[UUID, str]) -> dict[str, Any]:
    """The answer as JSON. `refs` names every owner in it."""
    return {
        "owner": refs[check.owner_id],
        "state": check.state,
        "ok": check.ok,
        "conflicts": [_conflict(conflict) for conflict in check.conflicts],
        "questions": [_question(question) for question in check.questions],
        "rules": [_rule(rule, refs) for rule in check.rules],
        "claims": [_claim(claim) for claim in check.claims],
    }


def _claim(claim: Claim) -> dict[str, Any]:
    names = ("form_type", "subject", "field", "value", "source", "index", "quote", "removes", "is_correction")
    return {name: getattr(claim, name) for name in names}


def _conflict(conflict: Conflict) -> dict[str, Any]:
    stored = conflict.stored
    names = ("id", "form_type", "subject", "field", "value", "version", "trust_tier", "confidence", "being_confirmed", "quote")  # fmt: skip
    return {
        "claim": _claim(conflict.claim),
        "stored": {
            **{name: getattr(stored, name) for name in names},
            "source": stored.role or stored.basis,
            "valid_from": as_instant(stored.valid_from),
            "certainty": certainty_of(basis=stored.basis, is_rule=stored.is_rule),
            "event": stored.event_id,
        },
        "question": conflict.question,
        "question_id": conflict.asked.id if conflict.asked else None,
    }


def _question(question: OpenQuestion) -> dict[str, Any]:
    names = ("id", "kind", "text", "choices", "form_type", "subject", "field")
    return {
        **{name: getattr(question, name) for name in names},
        "change": question.change_id,
        "created_at": as_instant(question.created_at),
        "expires_at": as_instant(question.expires_at),
    }


def _rule(rule: BindingRule, refs: Mapping[UUID, str]) -> dict[str, Any]:
    names = ("kind", "sentence", "matched", "value", "form_type", "subject", "field", "source", "trust_tier", "confidence", "quote")  # fmt: skip
    return {
        "id": rule.target_id,
        "owner": refs[rule.owner_id],
        **{name: getattr(rule, name) for name in names},
        "certainty": certainty_of(basis=rule.basis, is_rule=rule.kind == "business_rule"),
        "at": as_instant(rule.at),
        "event": rule.event_id,
    }


CLAIM_EXAMPLE: dict[str, Any] = {
    "form_type": "contact",
    "subject": "",
    "field": "address",
    "value": "徐汇",
    "source": "text",
    "index": None,
    "quote": "我的地址是徐汇",
    "removes": False,
    "is_correction": False,
}
STATE_CHECK_EXAMPLE: dict[str, Any] = {
    "owner": "customer-4711",
    "state": "ok",
    "ok": False,
    "conflicts": [
        {
            "claim": CLAIM_EXAMPLE,
            "stored": {
                "id": VERSION_ID,
                "form_type": "contact",
                "subject": "",
                "field": "address",
                "value": "浦东",
                "version": 1,
                "source": "user",
                "trust_tier": 3,
                "valid_from": "2026-03-01T08:00:00.000000Z",
                "certainty": "fact",
                "confidence": 0.9,
                "being_confirmed": False,
                "event": EVENT_ID,
                "quote": "我的地址是浦东",
            },
            "question": "之前（2026-03-01）记录的“地址”是“浦东”，现在提到的是“徐汇”。要更新吗，还是只是这一次的例外？",
            "question_id": None,
        }
    ],
    "questions": [
        {
            **{
                name: QUESTION_EXAMPLE[name]
                for name in ("id", "kind", "text", "change", "form_type", "subject")
            },
            "field": QUESTION_EXAMPLE["field"],
            "choices": [{"code": "new", "value": "徐汇"}, {"code": "keep", "value": "浦东"}],
            "created_at": QUESTION_EXAMPLE["created_at"],
            "expires_at": QUESTION_EXAMPLE["expires_at"],
        }
    ],
    "rules": [
        {
            "id": VERSION_ID,
            "owner": "customer-4711",
            "kind": "safety",
            "sentence": "记录的“过敏”是“乳糖”，而“拿铁”含有牛奶。",
            "matched": "拿铁",
            "value": "乳糖",
            "form_type": "user_profile",
            "subject": "",
            "field": "allergies",
            "source": "user",
            "trust_tier": 3,
            "certainty": "fact",
            "confidence": 0.9,
            "at": "2026-03-01T08:00:00.000000Z",
            "event": EVENT_ID,
            "quote": "我乳糖不耐受",
        }
    ],
    "claims": [CLAIM_EXAMPLE],
}
