"""The answer both extraction prompts ask for, and what they are filled with.

The models are strict: an unknown member, a number as a word or a confidence of 95 is a fault of the entry, not a guess of ours.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=True)]
Short = Annotated[str, Field(max_length=200)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, str_strip_whitespace=True)

    event: int = Field(ge=1, description="the number of the message it was said in")
    quote: str = Field(min_length=1, max_length=2_000, description="the exact words of that message")
    confidence: Share
    importance: Share | None = None
    corrects: bool = False
    never_true: bool = False
    valid_from: Short | None = None
    valid_until: Short | None = None


class FieldEntry(_Entry):
    """A value for one of the fields that were offered."""

    kind: Literal["field"]
    form_type: Short
    field: Short
    subject: Short = ""
    operation: Literal["set", "remove"] = "set"
    value: str | int | float | bool | None = None


class SentenceEntry(_Entry):
    """A self-contained sentence worth recalling."""

    kind: Literal["episodic", "semantic"]
    content: str = Field(min_length=2, max_length=500)
    entities: list[Short] = Field(default_factory=list, max_length=12)
    subject: Short = ""
    attribute: Short = ""
    value: Short = ""


type Entry = FieldEntry | SentenceEntry


def _kind_of(given: object) -> str | None:
    kind = given.get("kind") if isinstance(given, dict) else None
    return (
        {"field": "field", "episodic": "sentence", "semantic": "sentence"}.get(kind)
        if isinstance(kind, str)
        else None
    )


ANSWER: TypeAdapter[Entry] = TypeAdapter(
    Annotated[
        Annotated[FieldEntry, Tag("field")] | Annotated[SentenceEntry, Tag("sentence")],
        Discriminator(_kind_of),
    ]
)


def fault_of(error: ValidationError) -> str:
    """The code of an entry's first fault: `entry_bad:<member>`, `entry_unknown:<member>` or `entry_bad_kind`."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] in ("union_tag_not_found", "union_tag_invalid"):
        return "entry_bad_kind"
    # The member's name is the model's own text when it is one we do not know: only a plain short one is shown.
    names = [
        str(part) for part in first["loc"] if part not in ("field", "sentence") or len(first["loc"]) == 1
    ]
    member = names[0] if names else "field"
    if first["type"] == "extra_forbidden":
        return "entry_unknown_member"
    return f"entry_bad:{member}"


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptEvent:
    """One message as the model sees it. `said_at` is in the owner's zone; `earlier` are the owner's turns before it, oldest first."""

    number: int
    text: str
    said_at: datetime
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptField:
    """A field that may be named."""

    form_type: str
    name: str
    label: str
    value_type: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """What is sent: the instructions as the system's message, the question as the user's."""

    instructions: str
    question: str


def as_lines(events: list[PromptEvent]) -> str:
    """The messages as JSON lines: whatever stands in one of them cannot end it and speak for another."""
    return "\n".join(
        json.dumps(
            {
                "event": event.number,
                "said_at": event.said_at.isoformat(timespec="minutes"),
                "weekday": f"{event.said_at:%A}",
                **({"said_before": list(event.earlier)} if event.earlier else {}),
                "text": event.text,
            },
            ensure_ascii=False,
        )
        for event in events
    )


def field_lines(fields: list[PromptField]) -> str:
    """One line per field: form_type.field (type: choices) – label."""
    return "\n".join(
        f"- {field.form_type}.{field.name} ({field.value_type}"
        f"{': ' + ' | '.join(field.choices) if field.choices else ''}) – {field.label}"
        for field in fields
    )
