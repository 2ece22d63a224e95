"""What a recall is asked and what it answers. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

type Kind = Literal["rule", "form", "event", "item", "document", "slot", "relation"]
type Section = Literal["rules", "procedures", "session", "forms", "timeline", "fragments"]
type Certainty = Literal["fact", "inferred", "policy", "said_by_agent"]

KINDS = ("rule", "form", "event", "episodic", "semantic", "procedural", "knowledge", "slot", "relation")
"""What `RecallRequest.kinds` may name. Rules and safety attributes are candidates whatever it says."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """Who asks: an agent by its key, or a person at the desk. From the credential only."""

    agent_id: UUID | None = None
    api_key_id: UUID | None = None
    user_id: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallRequest:
    """`budget_tokens` and `top_k` default to the policy's; times are aware. `min_authority` (1 to 5) is for documents alone.

    `clock` is the moment that 'yesterday', recency and heat are counted from (default: now); an evaluation sets it to the
    end of a conversation. `explain` adds score parts, legs and exclusions to the answer. `evaluation` leaves out the trace.
    `replayed_at` answers as at that moment, under the policy version `replayed_policy` (recall.replaying); no trace is kept.
    """

    query: str
    session_ref: str = ""
    entities: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    valid_at: datetime | None = None
    known_at: datetime | None = None
    budget_tokens: int | None = None
    top_k: int | None = None
    min_authority: int | None = None
    explain: bool = False
    evaluation: bool = False
    clock: datetime | None = None
    replayed_at: datetime | None = None
    replayed_policy: UUID | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """What a score is made of, each in [0, 1]; `gate` is how far all but the meaning count (recall.ranking)."""

    meaning: float = 0.0
    entity: float = 0.0
    recency: float = 0.0
    importance: float = 0.0
    gate: float = 1.0
    cosine: float | None = None
    cover: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """One candidate in the ranking, before the budget. `event_ids` is its evidence, first evidence first.

    `layer` is where it comes from; `owner_name` whose it is when it came over a link.
    """

    kind: Kind
    target_id: UUID
    owner_id: UUID
    item_kind: str
    text: str
    score: float
    parts: Parts
    legs: tuple[str, ...]
    event_ids: tuple[UUID, ...]
    occurred_at: datetime
    certainty: Certainty
    source: str
    trust_tier: int
    importance: float
    form_type: str = ""
    form_subject: str = ""
    field_name: str = ""
    being_confirmed: bool = False
    partly_superseded: bool = False
    heat: float = 1.0
    also: tuple[UUID, ...] = ()
    """Further things that the line tells: of a path the other relations."""
    confidence: float | None = None
    layer: str = "user"
    owner_name: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Served:
    """One line of the block, in the order it is told. `ids` are all the things it tells (a path: every version).

    `phrase` introduces it to the owner in his language: 'as you just said', 'on record since …', 'by policy, usually'.
    """

    section: Section
    kind: Kind
    target_id: UUID
    owner_id: UUID
    ids: tuple[UUID, ...]
    event_ids: tuple[UUID, ...]
    text: str
    line: str
    tokens: int
    occurred_at: datetime
    certainty: Certainty
    source: str
    trust_tier: int
    legs: tuple[str, ...]
    being_confirmed: bool = False
    confidence: float | None = None
    phrase: str = ""
    layer: str = "user"
    owner_name: str = ""
    score: float | None = None
    parts: Parts | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Excluded:
    """A candidate that was not served, and the rule that kept it out."""

    kind: Kind
    target_id: UUID
    rule: str
    score: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Leg:
    """What one leg did: state `ok | degraded | skipped`, how many it found, and why."""

    state: Literal["ok", "degraded", "skipped"]
    found: int = 0
    milliseconds: float = 0.0
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "state": self.state,
            "found": self.found,
            "milliseconds": round(self.milliseconds, 2),
            "note": self.note,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class PointedAt:
    """Something that a pointer stands for: a turn of the session, a value of a form, an open relation, a context of the session."""

    kind: Literal["event", "form", "relation", "slot"]
    id: UUID
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PointerAnswer:
    """What 'what I just said', 'the usual' or 'that issue' was taken for.

    'ambiguous': `choices` are what it may mean; what is in `taken` all the same is the newest of them.
    """

    pointer: Literal["just_said", "usual", "issue"]
    words: str
    state: Literal["resolved", "ambiguous", "unresolved"]
    taken: tuple[PointedAt, ...] = ()
    choices: tuple[PointedAt, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Layer:
    """What one layer had to say: the session, the owner's own memory, or the domains, teams and projects he is linked to.

    'missed': it was asked and what the question asks for is not in it, so the next layer counts.
    """

    name: Literal["session", "user", "domain"]
    state: Literal["answered", "missed", "not_asked"]
    confidence: float


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallAnswer:
    """`text` is the fenced block to hand to a model ('' when nothing fits); `tokens` counts all of it.

    `state` is 'owner_frozen' for an owner whose memory is not served, else 'ok'. `ranked` is the whole ranking before the
    budget. `notes` are what the answer says itself: a time that was asked about and is empty. `layers` are in the order in which
    they are believed. `excluded` holds at most 50; `excluded_counts` counts all by rule. `recall_id` is None when no trace was
    kept.
    """

    recall_id: UUID | None
    owner_id: UUID
    state: Literal["ok", "owner_frozen"] = "ok"
    text: str = ""
    tokens: int = 0
    budget_tokens: int = 0
    served: tuple[Served, ...] = ()
    ranked: tuple[Ranked, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    excluded_counts: dict[str, int] = field(default_factory=dict)
    legs: dict[str, Leg] = field(default_factory=dict)
    pointers: tuple[PointerAnswer, ...] = ()
    notes: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = ()
    session_hit: bool | None = None
    policy_version_id: UUID | None = None
    valid_at: datetime | None = None
    known_at: datetime | None = None
    milliseconds: float = 0.0
