"""What flows through the write path: turns in, candidates between the steps, verdicts out. Plain data, no query, no clock."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

type Role = Literal["user", "assistant", "tool", "system", "staff"]
type Basis = Literal["stated", "corrected", "observed", "inferred", "imported", "staff"]
type Outcome = Literal[
    "stored",
    "reinforced",
    "superseded",
    "historical",
    "scheduled",
    "in_review",
    "session_only",
    "refused",
    "duplicate",
    "waiting",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One event as the extractor sees it. `zone` is an IANA name; `occurred_at` is aware."""

    event_id: UUID
    text: str
    role: Role
    occurred_at: datetime
    zone: str
    locale: str = "en"
    earlier: tuple[str, ...] = ()
    """The owner's last user turns of the same session, oldest first; a correction may point at them."""
    heard: tuple[str, ...] = ()
    """The session's last turns of owner and assistant, oldest first: only to know what 'this plan' points at."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Importance:
    """An importance in [0, 1] with the parts it is made of, so that a reviewer can see why."""

    value: float
    parts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class FormCandidate:
    """A value for one whitelisted field. `value` is JSON-ready; None with operation 'remove'.

    With 'restore' the value is an earlier one of the field, which stands in its history: settling looks it up.
    """

    form_type: str
    field: str
    value: Any
    subject: str = ""
    operation: Literal["set", "remove", "restore"] = "set"
    quote: str = ""
    quote_start: int | None = None
    confidence: float | None = None
    importance: Importance | None = None
    basis: Basis = "stated"
    explicit_correction: bool = False
    """The owner says that an earlier statement was wrong or that he changed his mind: supersedes whatever the policy says."""
    world_change: bool = True
    """False when the earlier value was never true (刚才说错了): the old version is closed in known time, not valid time."""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    flags: tuple[str, ...] = ()

    @property
    def kind(self) -> Literal["form"]:
        return "form"


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemCandidate:
    """A sentence worth recalling. Without subject and attribute it can only be an exact duplicate, never a conflict."""

    item_kind: Literal["episodic", "semantic", "procedural", "knowledge"]
    content: str
    entities: tuple[str, ...] = ()
    subject_entity: str = ""
    attribute: str = ""
    value: str = ""
    quote: str = ""
    quote_start: int | None = None
    confidence: float | None = None
    importance: Importance | None = None
    basis: Basis = "stated"
    explicit_correction: bool = False
    world_change: bool = True
    key_attribute: bool = False
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    flags: tuple[str, ...] = ()
    procedure: dict[str, Any] | None = None
    """Of a procedure its parts as `Procedure.as_json` gives them; the content is their text."""

    @property
    def kind(self) -> Literal["item"]:
        return "item"


@dataclass(frozen=True, kw_only=True, slots=True)
class RelationCandidate:
    """How one thing is related to another, or to a plain `value`; `relation` is a kind of the vocabulary.

    An end is named by kind and name; both empty mean the owner himself. With `loose` the kinds are guesses: a thing known by
    that name under another kind of its sort is taken. A relation of the same place that cannot be true beside it is closed.
    """

    relation: str
    from_kind: str = ""
    from_name: str = ""
    to_kind: str = ""
    to_name: str = ""
    value: str = ""
    strength: float | None = None
    impact: int | None = None
    resolution: str = ""
    operation: Literal["set", "remove"] = "set"
    loose: bool = False
    quote: str = ""
    quote_start: int | None = None
    confidence: float | None = None
    importance: Importance | None = None
    basis: Basis = "stated"
    explicit_correction: bool = False
    world_change: bool = True
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    flags: tuple[str, ...] = ()

    @property
    def kind(self) -> Literal["relation"]:
        return "relation"


type Candidate = FormCandidate | ItemCandidate
type AnyCandidate = Candidate | RelationCandidate


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """Something the extractor saw and left out, with a stable reason code."""

    code: str
    quote: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """What one turn yields. `action`, `reason` and `alternatives` enrich the event itself (a decision and why)."""

    candidates: tuple[Candidate, ...] = ()
    relations: tuple[RelationCandidate, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    takes_back: str = ""
    """The code why the turn takes back what the owner said just before it: joke, taken_back; '' when it does not."""
    action: str = ""
    reason: str = ""
    alternatives: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    read_by: str = ""
    """Which rules or which model with which prompt found it; '' when nothing had to be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Screening:
    """The verdict of the rules at the door. `text` is what the extractor may read (recall blocks cut, secrets masked)."""

    worth_reading: bool
    text: str
    codes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What became of one candidate; kept on the event and returned by every write. Holds ids and codes, never content."""

    outcome: Outcome
    kind: Literal["form", "item", "relation", "event"]
    code: str = ""
    field: str = ""
    target_id: UUID | None = None
    change_id: UUID | None = None
    details: dict[str, Any] = dataclass_field(default_factory=dict)
