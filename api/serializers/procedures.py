"""Procedures in and out: what calls for one, and its steps in order."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import Strict, Text
from memoryhub.procedures import (
    LONGEST_PATTERN,
    LONGEST_PHRASE,
    LONGEST_STEP,
    LONGEST_TASK,
    LONGEST_TITLE,
    MOST_PATTERNS,
    MOST_PHRASES,
    MOST_STEPS,
    MOST_TASKS,
    Procedure,
)


def texts(longest: int, most: int, help_text: str, **options: Any) -> serializers.ListField:
    return serializers.ListField(
        child=Text(max_length=longest), max_length=most, help_text=help_text, **options
    )


class ProcedureGiven(Strict):
    """At least one task, phrase or pattern calls for it; all are looked for without case, in simplified characters."""

    title = Text(max_length=LONGEST_TITLE)
    tasks = texts(LONGEST_TASK, MOST_TASKS, "Names of tasks, in the question or the session.", default=list)
    phrases = texts(LONGEST_PHRASE, MOST_PHRASES, "Literal phrases in the question.", default=list)
    patterns = texts(LONGEST_PATTERN, MOST_PATTERNS, "Patterns of RE2.", default=list)
    steps = texts(LONGEST_STEP, MOST_STEPS, "In order.", min_length=1)


class ProcedureAnswer(serializers.Serializer[Any]):
    title = serializers.CharField()
    tasks = serializers.ListField(child=serializers.CharField())
    phrases = serializers.ListField(child=serializers.CharField())
    patterns = serializers.ListField(child=serializers.CharField())
    steps = serializers.ListField(child=serializers.CharField())


def as_procedure(values: dict[str, Any]) -> Procedure:
    names = ("steps", "tasks", "phrases", "patterns")
    return Procedure(title=values["title"], **{name: tuple(values[name]) for name in names})


PROCEDURE_EXAMPLE: dict[str, Any] = {
    "title": "破损退款",
    "tasks": ["破损退款", "damage refund"],
    "phrases": ["包裹破损", "arrived damaged"],
    "patterns": [],
    "steps": ["道歉", "请用户发照片", "48 小时内退款"],
}
