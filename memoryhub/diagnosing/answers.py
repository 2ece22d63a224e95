"""What a diagnosis is asked and what it answers. Plain data: ids, codes and numbers, of the owner's words only the question."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memoryhub.recall.answers import Parts

type Step = Literal[
    "never_recorded",
    "screened",
    "not_extracted",
    "not_admitted",
    "waiting_for_review",
    "superseded",
    "expired_or_cold",
    "filtered",
    "outranked",
    "cut_by_budget",
    "served",
]
STEPS: tuple[Step, ...] = (
    "never_recorded",
    "screened",
    "not_extracted",
    "not_admitted",
    "waiting_for_review",
    "superseded",
    "expired_or_cold",
    "filtered",
    "outranked",
    "cut_by_budget",
    "served",
)
"""In the order of the way from a turn to a served line: what got further is later here."""

type How = Literal["id", "field", "exact", "words", "meaning"]
HOWS: tuple[How, ...] = ("id", "field", "exact", "words", "meaning")
"""How something was found to be what was expected, the surest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """What should have been known: exactly one of words, an id of the owner's, and a field (`contact.address`)."""

    text: str = ""
    target_id: UUID | None = None
    form_type: str = ""
    field: str = ""
    subject: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A place in a ranking: `rank` counts from 1."""

    target_id: UUID
    rank: int
    score: float
    parts: Parts | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing that says what was expected, and the first step that lost it.

    `code` is the reason within the step: a verdict's code, a status, the rule of the recall that kept it out.
    """

    step: Step
    code: str = ""
    how: How | None = None
    kind: str = ""
    target_id: UUID | None = None
    event_id: UUID | None = None
    change_id: UUID | None = None
    review_id: UUID | None = None
    form_id: UUID | None = None
    form_type: str = ""
    form_subject: str = ""
    field_name: str = ""
    version: int | None = None
    agent_id: UUID | None = None
    """Who proposed the change; its id is told to nobody else's agent."""
    verdict: dict[str, Any] = field(default_factory=dict)
    successor_id: UUID | None = None
    successor_version: int | None = None
    ended_at: datetime | None = None
    place: Place | None = None
    last_served: Place | None = None
    section: str = ""
    tokens: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosis:
    """`first` is the answer; `others` say the same and were lost elsewhere (at most 5).

    `question` and `asked_at` are those of the recall that was looked into; `budget` and `tokens` what it could spend and spent.
    """

    owner_id: UUID
    question: str
    asked_at: datetime
    first: Finding
    others: tuple[Finding, ...] = ()
    recall_id: UUID | None = None
    tokens: int = 0
    budget: int = 0
    top_k: int = 0
