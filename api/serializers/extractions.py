"""The dry run of extraction: a text in, and what each step made of it out."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework import serializers

from api.serializers.fields import (
    INSTANT_RULE,
    MAX_TEXT,
    AnyJson,
    Instant,
    Strict,
    Text,
    ZoneName,
    as_instant,
)
from api.serializers.health import EXTRACTORS
from memoryhub.models import Basis, Event
from memoryhub.writing.candidates import Candidate, FormCandidate
from memoryhub.writing.dry_run import DryRun, Judged

ADMISSIONS = ["admit", "session_only", "review", "refuse"]
CANDIDATE_KINDS = ["form", "item"]
OPERATIONS = ["set", "remove", "restore"]


class ExtractionTry(Strict):
    """A text as it would be recorded."""

    text = Text(max_length=MAX_TEXT)
    role = serializers.ChoiceField(choices=Event.Role.choices, default=Event.Role.USER)
    occurred_at = Instant(required=False, help_text=f"{INSTANT_RULE} Left out: now.")
    time_zone = ZoneName(max_length=60, required=False, help_text="The owner's; left out: the workspace's.")
    earlier = serializers.ListField(
        child=Text(max_length=MAX_TEXT),
        max_length=6,
        default=list,
        help_text="His turns before it, oldest first.",
    )
    extractor = serializers.ChoiceField(
        choices=EXTRACTORS, required=False, help_text="Left out: the one of this installation."
    )

    def validate_occurred_at(self, moment: datetime) -> datetime:
        if not 1900 <= moment.year <= 2200:
            raise serializers.ValidationError("a time in the years 1900 to 2200", code="out_of_range")
        return moment


class ScreeningAnswer(serializers.Serializer[None]):
    worth_reading = serializers.BooleanField()
    text = serializers.CharField(help_text="What may be read: secrets and recalled blocks are blanked.")
    codes = serializers.ListField(child=serializers.CharField())
    flags = serializers.ListField(child=serializers.CharField())


class ImportancePart(serializers.Serializer[None]):
    name = serializers.CharField()
    weight = serializers.FloatField()


class AdmissionAnswer(serializers.Serializer[None]):
    verdict = serializers.ChoiceField(choices=ADMISSIONS)
    code = serializers.CharField(help_text="Why it is refused or kept in the session.")
    gates = serializers.ListField(child=serializers.CharField(), help_text="Why it would wait for a person.")


class CandidateAnswer(serializers.Serializer[None]):
    """Form candidates have form_type, field, operation and value; items have item_kind, content and entities."""

    kind = serializers.ChoiceField(choices=CANDIDATE_KINDS)
    form_type = serializers.CharField()
    field = serializers.CharField()
    subject = serializers.CharField()
    operation = serializers.ChoiceField(choices=OPERATIONS)
    value = AnyJson(allow_null=True)
    item_kind = serializers.CharField(help_text="episodic or semantic; empty for a form value.")
    content = serializers.CharField()
    attribute = serializers.CharField()
    entities = serializers.ListField(child=serializers.CharField())
    quote = serializers.CharField()
    quote_start = serializers.IntegerField(allow_null=True)
    confidence = serializers.FloatField(allow_null=True)
    importance = serializers.FloatField()
    importance_parts = ImportancePart(many=True)
    basis = serializers.ChoiceField(choices=Basis.choices)
    explicit_correction = serializers.BooleanField()
    valid_from = Instant(allow_null=True)
    valid_until = Instant(allow_null=True)
    admission = AdmissionAnswer()


class RefusalAnswer(serializers.Serializer[None]):
    code = serializers.CharField()
    quote = serializers.CharField()


class ExtractionAnswer(serializers.Serializer[None]):
    extractor = serializers.ChoiceField(choices=EXTRACTORS)
    failure = serializers.CharField(help_text="The code of a model's answer that was no use; else empty.")
    screening = ScreeningAnswer()
    candidates = CandidateAnswer(many=True)
    refusals = RefusalAnswer(many=True)
    action = serializers.CharField()
    reason = serializers.CharField()
    alternatives = serializers.ListField(child=serializers.CharField())
    entities = serializers.ListField(child=serializers.CharField())


def extraction_body(run: DryRun) -> dict[str, Any]:
    """The answer as JSON."""
    read = run.extraction
    return {
        "extractor": run.extractor,
        "failure": run.failure,
        "screening": {
            "worth_reading": run.screening.worth_reading,
            "text": run.screening.text,
            "codes": run.screening.codes,
            "flags": run.screening.flags,
        },
        "candidates": [_candidate(judged) for judged in run.candidates],
        "refusals": [{"code": refusal.code, "quote": refusal.quote} for refusal in read.refusals],
        "action": read.action,
        "reason": read.reason,
        "alternatives": read.alternatives,
        "entities": read.entities,
    }


def _candidate(judged: Judged) -> dict[str, Any]:
    candidate, admission = judged.candidate, judged.admission
    parts = candidate.importance.parts if candidate.importance else ()
    return {
        **_what(candidate),
        "quote": candidate.quote,
        "quote_start": candidate.quote_start,
        "confidence": candidate.confidence,
        "importance": candidate.importance.value if candidate.importance else admission.importance,
        "importance_parts": [{"name": name, "weight": weight} for name, weight in parts],
        "basis": candidate.basis,
        "explicit_correction": candidate.explicit_correction,
        "valid_from": as_instant(candidate.valid_from) if candidate.valid_from else None,
        "valid_until": as_instant(candidate.valid_until) if candidate.valid_until else None,
        "admission": {"verdict": admission.verdict, "code": admission.code, "gates": admission.gates},
    }


def _what(candidate: Candidate) -> dict[str, Any]:
    if isinstance(candidate, FormCandidate):
        return {
            "kind": "form",
            "form_type": candidate.form_type,
            "field": candidate.field,
            "subject": candidate.subject,
            "operation": candidate.operation,
            "value": candidate.value,
            "item_kind": "",
            "content": "",
            "attribute": "",
            "entities": [],
        }
    return {
        "kind": "item",
        "form_type": "",
        "field": "",
        "subject": candidate.subject_entity,
        "operation": "set",
        "value": candidate.value,
        "item_kind": candidate.item_kind,
        "content": candidate.content,
        "attribute": candidate.attribute,
        "entities": candidate.entities,
    }


EXTRACTION_EXAMPLE: dict[str, Any] = {
    "extractor": "rules",
    "failure": "",
    "screening": {"worth_reading": True, "text": "我对坚果过敏", "codes": [], "flags": []},
    "candidates": [
        {
            "kind": "form",
            "form_type": "user_profile",
            "field": "allergies",
            "subject": "",
            "operation": "set",
            "value": "坚果",
            "item_kind": "",
            "content": "",
            "attribute": "",
            "entities": [],
            "quote": "我对坚果过敏",
            "quote_start": 0,
            "confidence": 0.95,
            "importance": 0.9,
            "importance_parts": [{"name": "default", "weight": 0.9}],
            "basis": "stated",
            "explicit_correction": False,
            "valid_from": None,
            "valid_until": None,
            "admission": {"verdict": "admit", "code": "", "gates": []},
        }
    ],
    "refusals": [],
    "action": "",
    "reason": "",
    "alternatives": [],
    "entities": [],
}
