"""Questions for an agent to put to its user, and the answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.events import EVENT_ID
from api.serializers.fields import AnyJson, Instant, OwnerRef, Strict, Text
from api.serializers.verdicts import VERDICT_EXAMPLE
from memoryhub.changes.answering import ANSWERS, MOST_WORDS
from memoryhub.changes.questions import CLOSE_CODES
from memoryhub.models import Question

UNDERSTOOD = [(answer, answer) for answer in ANSWERS]


class QuestionQuery(Strict):
    owner = OwnerRef()
    state = serializers.ChoiceField(choices=Question.State.choices, default=Question.State.OPEN)
    form_type = serializers.CharField(max_length=60, required=False)
    field = serializers.CharField(max_length=60, required=False)
    change = serializers.UUIDField(required=False, help_text="Only about this change.")


class QuestionAnswering(Strict):
    """One of `answer` and `value`, or the owner's words alone, which are read. Words may stand beside either as evidence."""

    owner = OwnerRef()
    answer = serializers.ChoiceField(
        choices=UNDERSTOOD,
        required=False,
        default="",
        help_text="new: the new value holds; keep: the old one holds; exception: it was meant for this once.",
    )
    value = AnyJson(
        required=False, allow_null=True, default=None, help_text="A third value, as the field's type asks."
    )
    text = Text(max_length=MOST_WORDS, allow_blank=True, default="", help_text="What the owner said.")
    event = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        help_text="The event in which the owner said so; without one an event is recorded.",
    )


class QuestionEnding(Strict):
    owner = OwnerRef()
    reason = serializers.ChoiceField(
        choices=[(code, code) for code in CLOSE_CODES],
        help_text="declined: the owner does not want to say; unreachable; not_needed: it does not matter any more; other.",
    )


class ChoiceAnswer(serializers.Serializer[Any]):
    """An answer that is understood, with the value it would leave."""

    code = serializers.CharField()
    value = AnyJson(allow_null=True)
    event = serializers.UUIDField(allow_null=True, help_text="The event the value rests on.")
    quote = serializers.CharField(help_text="The words in it.")


class QuestionAnswer(serializers.Serializer[Any]):
    """Something to ask the owner. `text` is ready to be said, in the owner's language."""

    id = serializers.UUIDField()
    kind = serializers.CharField(help_text="conflict, uncertain, review or outdated: why it is asked.")
    state = serializers.ChoiceField(choices=Question.State.choices)
    text = serializers.CharField()
    choices = ChoiceAnswer(many=True)
    change = serializers.UUIDField(
        source="change_id", allow_null=True, help_text="The change that waits for it."
    )
    form_type = serializers.CharField()
    subject = serializers.CharField(source="form_subject")
    field = serializers.CharField(source="field_name")
    answer = serializers.CharField(
        source="answer.choice",
        allow_null=True,
        help_text="new, keep, exception, value, or words that a person has to read; null without an answer.",
    )
    answer_value = AnyJson(
        source="answer.value", allow_null=True, help_text="The third value; null without one."
    )
    event = serializers.UUIDField(source="answer_event_id", allow_null=True)
    created_at = Instant()
    expires_at = Instant()
    answered_at = Instant(allow_null=True)
    closed_because = serializers.CharField(
        source="close_code",
        help_text="Why it ended without an answer: unanswered in time, or what an agent said; blank otherwise.",
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        instance.choices = [{**choice, **_evidence(instance, choice["code"])} for choice in instance.choices]
        return super().to_representation(instance)


def _evidence(question: Any, code: str) -> dict[str, Any]:
    """What the value of a choice rests on, of a question that `questions_of` annotated."""
    change = question.change
    if code == "new" and change is not None:
        return {"event": change.event_id, "quote": change.quote}
    if code == "keep":
        return {"event": question.before_event, "quote": question.before_quote or ""}
    return {"event": None, "quote": ""}


QUESTION_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e23"
QUESTION_EXAMPLE: dict[str, Any] = {
    "id": QUESTION_ID,
    "kind": "conflict",
    "state": "open",
    "text": "之前记录的“地址（home）”是“浦东”，这次说的是“徐汇”。要更新吗，还是只是这一次的例外？",
    "choices": [
        {"code": "new", "value": "徐汇", "event": EVENT_ID, "quote": "这次寄到徐汇"},
        {"code": "keep", "value": "浦东", "event": VERDICT_EXAMPLE["change_id"], "quote": "家在浦东"},
        {"code": "exception", "value": None, "event": None, "quote": ""},
    ],
    "change": VERDICT_EXAMPLE["change_id"],
    "form_type": "contact",
    "subject": "home",
    "field": "address",
    "answer": None,
    "answer_value": None,
    "event": None,
    "created_at": "2026-03-01T08:00:00.530000Z",
    "expires_at": "2026-03-08T08:00:00.530000Z",
    "answered_at": None,
    "closed_because": "",
}
ANSWERED_EXAMPLE: dict[str, Any] = {
    **QUESTION_EXAMPLE,
    "state": "answered",
    "answer": "new",
    "event": EVENT_ID,
    "answered_at": "2026-03-01T08:02:11.000000Z",
}
EXPIRED_EXAMPLE: dict[str, Any] = {**QUESTION_EXAMPLE, "state": "expired", "closed_because": "declined"}
