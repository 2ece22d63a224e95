"""Ranking: pure arithmetic over what the legs found.

score = w_meaning · m + gate · (w_entity · e + w_recency · r + w_importance · i), weights 0.4 / 0.3 / 0.2 / 0.1.

The gate is how far the rest of a score counts: 1 for what an exact leg found, else (m / best m)⁴. Being recent, or being
about somebody who is often talked about, does not make an unrelated memory relevant; among equally near ones the newer,
the more important and those about the asked person win. Without the gate recency decides everything in a long history
(recall@10 on five long dialogues: 0.34 instead of 0.77).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memoryhub.policies import Policy
from memoryhub.recall.answers import Certainty, Kind, Parts, Ranked
from memoryhub.recall.asking import Question, mentions
from memoryhub.recall.looking import Moment
from memoryhub.recall.meaning import Hit

GATE_POWER = 4
NOISE_FLOOR = 0.10
"""A cosine below this says nothing; unrelated texts reach 0.12 to 0.15 (LANGUAGE.md)."""

_LEAST_BEST = NOISE_FLOOR / 1.45
_TIME_GATE = 0.6


@dataclass(slots=True)
class Candidate:
    """What a leg found, before it is scored. `names` are what it is about; `confirmed_at` is what its recency counts from.

    `weight` multiplies the score: of a document authority / 5. `confidence` is that of the layer it comes from.
    """

    kind: Kind
    target_id: UUID
    owner_id: UUID
    text: str
    occurred_at: datetime
    confirmed_at: datetime
    importance: float
    certainty: Certainty
    source: str
    trust_tier: int
    item_kind: str = ""
    names: tuple[str, ...] = ()
    event_ids: tuple[UUID, ...] = ()
    legs: tuple[str, ...] = ()
    hit: Hit | None = None
    key_attribute: bool = False
    is_exact: bool = False
    is_in_time: bool = False
    being_confirmed: bool = False
    partly_superseded: bool = False
    heat: float = 1.0
    confidence: float | None = None
    also: tuple[UUID, ...] = ()
    weight: float = 1.0
    form_type: str = ""
    form_subject: str = ""
    field_name: str = ""

    @property
    def meaning(self) -> float:
        return self.hit.meaning if self.hit else 0.0


def rank(
    candidates: Iterable[Candidate],
    *,
    question: Question,
    asked: Collection[str],
    moment: Moment,
    policy: Policy,
) -> list[Ranked]:
    """All candidates by score, best first; ties by nearness in time, then by id, so that the order is always the same.

    `asked` are the names the caller gave. Scores and parts lie in [0, 1].
    """
    pool = list(candidates)
    names = _asked_names(pool, question, asked)
    best = max([_LEAST_BEST, *(candidate.meaning for candidate in pool)])
    ranked = [_scored(candidate, names, best, moment, policy) for candidate in pool]
    return sorted(
        ranked, key=lambda entry: (-entry.score, moment.distance(entry.occurred_at), str(entry.target_id))
    )


def _asked_names(pool: Sequence[Candidate], question: Question, asked: Collection[str]) -> frozenset[str]:
    """The names the caller gave, and those that some candidate bears and the question mentions; folded."""
    borne = {name.casefold() for candidate in pool for name in candidate.names if name}
    return frozenset(
        {name.casefold() for name in asked} | {name for name in borne if question.mentions(name)}
    )


def _scored(
    candidate: Candidate, names: frozenset[str], best: float, moment: Moment, policy: Policy
) -> Ranked:
    hit = candidate.hit
    parts = Parts(
        meaning=candidate.meaning,
        entity=_entity(candidate, names),
        recency=1.0
        if candidate.key_attribute
        else policy.recency_base ** (moment.days_since(candidate.confirmed_at) / policy.recency_period_days),
        importance=candidate.importance,
        gate=_gate(candidate, best),
        cosine=hit.cosine if hit else None,
        cover=hit.cover if hit else 0.0,
    )
    rest = (
        policy.weight_entity * parts.entity
        + policy.weight_recency * parts.recency
        + policy.weight_importance * parts.importance
    )
    score = candidate.weight * min(max(policy.weight_meaning * parts.meaning + parts.gate * rest, 0.0), 1.0)
    return Ranked(
        kind=candidate.kind,
        target_id=candidate.target_id,
        owner_id=candidate.owner_id,
        item_kind=candidate.item_kind,
        text=candidate.text,
        score=score,
        parts=parts,
        legs=candidate.legs,
        event_ids=candidate.event_ids,
        occurred_at=candidate.occurred_at,
        certainty=candidate.certainty,
        source=candidate.source,
        trust_tier=candidate.trust_tier,
        importance=candidate.importance,
        form_type=candidate.form_type,
        form_subject=candidate.form_subject,
        field_name=candidate.field_name,
        being_confirmed=candidate.being_confirmed,
        partly_superseded=candidate.partly_superseded,
        heat=candidate.heat,
        confidence=candidate.confidence,
        also=candidate.also,
    )


def _gate(candidate: Candidate, best: float) -> float:
    if candidate.is_exact:
        return 1.0
    near = (candidate.meaning / best) ** GATE_POWER
    return max(near, _TIME_GATE) if candidate.is_in_time else near


def _entity(candidate: Candidate, names: frozenset[str]) -> float:
    """The mean over the asked names: 1 for one it is about, a half for one it only mentions. A named field is asked for."""
    if candidate.is_exact and not names:
        return 1.0
    if not names:
        return 0.0
    own = {name.casefold() for name in candidate.names}
    text = candidate.text.casefold()
    shares = [1.0 if name in own else 0.5 if mentions(text, name) else 0.0 for name in names]
    mean = sum(shares) / len(shares)
    return max(mean, 1.0 if candidate.is_exact else 0.0)
