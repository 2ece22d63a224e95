"""From the ranking to a block under a budget of real tokens. Pure.

Filled in the order of what must not be lost: rules and safety attributes (at most a third), the newest change of mind,
procedures, what the conversation itself holds, named forms, the nearest fragments, then older steps of the timeline by slices
of time. Told in the order rules, procedures, conversation, forms, timeline, fragments. What does not fit, says nothing new or is
no answer is left out with the rule that did it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID
from zoneinfo import ZoneInfo

from memoryhub.language.counting import count_tokens
from memoryhub.language.text import differs_in_detail
from memoryhub.language.tokens import query_tokens
from memoryhub.policies import Policy
from memoryhub.recall import wording
from memoryhub.recall.answers import Excluded, Kind, Ranked, Section, Served
from memoryhub.recall.block import SECTIONS, block_of, line_of
from memoryhub.recall.looking import Moment
from memoryhub.recall.procedures import LEG as PROCEDURES
from memoryhub.recall.procedures import OVER_BUDGET, asked_for
from memoryhub.recall.ranking import NOISE_FLOOR
from memoryhub.recall.rules import always_candidates
from memoryhub.recall.slices import by_slices
from memoryhub.recall.timeline import Step

MOST_EXCLUDED = 50
FORMS_SHARE = 0.5
MOST_MISSES = 3
"""After so many fragments that did not fit, shorter ones further down are not tried."""

LEAST_OF_DOCUMENTS = 0.22
LEAST_COVER_OF_DOCUMENTS = 0.2
"""Meaning (by words alone: cover) below which a passage says nothing about the question. It is not about the person, so a
distant one is no memory of his but a page somebody else wrote; on four documents answers reach 0.31 to 0.57, others 0.21."""

SAME_SHARE = 0.85
SAME_EVENT_SHARE = 0.5
"""A candidate whose tokens are to this share in one line that is told already says nothing new; less of them have to be
there when the line was learned from the very event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """`text` is '' when not even the frame fits; `tokens` counts the whole text."""

    text: str
    tokens: int
    served: tuple[Served, ...]
    excluded: tuple[Excluded, ...]
    excluded_counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Told:
    """A line that is in the block already: its text, its words, and the events it was learned from."""

    text: str
    words: frozenset[str]
    event_ids: frozenset[UUID]

    def says(self, entry: Ranked, tokens: frozenset[str]) -> bool:
        share = len(tokens & self.words) / len(tokens)
        if entry.kind == "event" and entry.target_id in self.event_ids and share >= SAME_EVENT_SHARE:
            return all(token in self.words for token in tokens if any(map(str.isdigit, token)))
        return share >= SAME_SHARE and not differs_in_detail(entry.text, self.text)


@dataclass(slots=True)
class _Filling:
    """What is served so far, what is left of the budget, and what was left out."""

    budget: int
    left: int
    language: str
    zone: ZoneInfo
    moment: Moment
    served: list[Served] = field(default_factory=list)
    told: list[_Told] = field(default_factory=list)
    ids: set[UUID] = field(default_factory=set)
    excluded: list[Excluded] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def leave_out(self, kind: Kind, target_id: UUID, rule: str, score: float = 0.0) -> None:
        self.counts[rule] += 1
        if len(self.excluded) < MOST_EXCLUDED:
            self.excluded.append(Excluded(kind=kind, target_id=target_id, rule=rule, score=round(score, 6)))

    def says_nothing_new(self, entry: Ranked) -> bool:
        tokens = frozenset(query_tokens(entry.text))
        return bool(tokens) and any(told.says(entry, tokens) for told in self.told)

    def tell(
        self, section: Section, entry: Ranked | Step, *, most: float | None = None, rule: str = "budget"
    ) -> bool:
        """Add a line when it fits into what is left (and into `most` tokens); else leave it out by `rule`."""
        line = self.line(section, entry)
        tokens = count_tokens(line) + 1
        score = entry.score if isinstance(entry, Ranked) else 0.0
        if tokens > self.left or (most is not None and tokens > most):
            self.leave_out(entry.kind, entry.target_id, rule if tokens <= self.left else "budget", score)
            return False
        self.left -= tokens
        words = frozenset(query_tokens(entry.text))
        self.told.append(_Told(entry.text, words, frozenset(entry.event_ids)))
        phrase = ""
        if isinstance(entry, Ranked):
            phrase = wording.phrase_of(entry.kind, entry.source, entry.occurred_at, self.language, self.zone)
        served = _served(section, entry, line, tokens, phrase)
        if not (
            isinstance(entry, Step) and entry.kind == "form"
        ):  # a path does not stand for the value that holds now
            self.ids.update(served.ids)
        self.served.append(served)
        return True

    def line(self, section: Section, entry: Ranked | Step) -> str:
        """How it would be told."""
        is_faded = isinstance(entry, Ranked) and entry.kind == "event" and entry.heat < 0.3
        days = self.moment.days_since(entry.occurred_at) if is_faded and isinstance(entry, Ranked) else None
        return line_of(entry, language=self.language, zone=self.zone, days_old=days)


def assemble(
    ranked: Sequence[Ranked],
    steps: Sequence[Step],
    *,
    moment: Moment,
    policy: Policy,
    language: str,
    zone: str,
    budget: int,
    top_k: int,
    nonce: str,
    notes: Sequence[str] = (),
) -> Block:
    """The block of at most `budget` tokens, and what was left out and why. `notes` are told before everything else."""
    told = [
        section
        for section in SECTIONS
        if section not in ("session", PROCEDURES) or any(section in entry.legs for entry in ranked)
    ]
    frame = count_tokens(block_of([], language=language, nonce=nonce, notes=notes)) + 4 * len(told)
    filling = _Filling(budget, budget - frame, language, ZoneInfo(zone), moment)
    if filling.left <= 0:
        for entry in ranked:
            filling.leave_out(entry.kind, entry.target_id, "budget", entry.score)
        return _closed(filling, text="")
    _tell_rules(filling, ranked, policy)
    shown = [step for step in steps if _is_shown(step, policy, filling)]
    changes = [step for step in shown if step.is_change]
    if changes:
        filling.tell("timeline", changes[-1])
    _tell_procedures(filling, ranked)
    _tell_session(filling, ranked)
    _tell_forms(filling, ranked, share=FORMS_SHARE if top_k else 1.0)
    _tell_fragments(filling, ranked, top_k)
    for step in by_slices(shown, moment):
        if not (changes and step is changes[-1]) and not (
            step.kind == "event" and step.target_id in filling.ids
        ):
            filling.tell("timeline", step)
    return _fitted(filling, nonce=nonce, notes=notes)


def _tell_rules(filling: _Filling, ranked: Sequence[Ranked], policy: Policy) -> None:
    allowed = policy.rules_share_of_budget * filling.budget
    for entry in always_candidates(ranked):
        if filling.tell("rules", entry, most=allowed, rule="rules_share"):
            allowed -= filling.served[-1].tokens


def _tell_procedures(filling: _Filling, ranked: Sequence[Ranked]) -> None:
    """Each with all its steps, or not at all."""
    for entry in asked_for(ranked):
        if count_tokens(filling.line(PROCEDURES, entry)) + 1 > filling.left:
            filling.leave_out(entry.kind, entry.target_id, OVER_BUDGET, entry.score)
        else:
            filling.tell(PROCEDURES, entry)


def _tell_session(filling: _Filling, ranked: Sequence[Ranked]) -> None:
    """What the conversation holds, before what is known otherwise; at most half of what is left."""
    allowed = FORMS_SHARE * filling.left
    for entry in ranked:
        if "session" in entry.legs and filling.tell("session", entry, most=allowed):
            allowed -= filling.served[-1].tokens


def _is_shown(step: Step, policy: Policy, filling: _Filling) -> bool:
    if step.is_asked or step.heat >= policy.least_recalled_heat:
        return True
    filling.leave_out(step.kind, step.target_id, "faded")
    return False


def _tell_forms(filling: _Filling, ranked: Sequence[Ranked], *, share: float) -> None:
    """Named forms, an exact answer first, then by importance."""
    named = [entry for entry in ranked if "forms" in entry.legs and entry.target_id not in filling.ids]
    named.sort(key=lambda entry: (-entry.parts.gate, -entry.importance, -entry.score, str(entry.target_id)))
    allowed = share * filling.left
    for entry in named:
        if filling.tell("forms", entry, most=allowed):
            allowed -= filling.served[-1].tokens


def _tell_fragments(filling: _Filling, ranked: Sequence[Ranked], top_k: int) -> None:
    fragments = misses = 0
    for entry in ranked:
        if entry.target_id in filling.ids or {"forms", "rules", "session", PROCEDURES} & set(entry.legs):
            continue
        if fragments >= top_k:
            filling.leave_out(entry.kind, entry.target_id, "top_k", entry.score)
        elif misses >= MOST_MISSES:
            filling.leave_out(entry.kind, entry.target_id, "budget", entry.score)
        elif _is_noise(entry):
            filling.leave_out(entry.kind, entry.target_id, "noise", entry.score)
        elif filling.says_nothing_new(entry):
            filling.leave_out(entry.kind, entry.target_id, "near_duplicate", entry.score)
        elif filling.tell("fragments", entry):
            fragments += 1
        else:
            misses += 1


def _is_noise(entry: Ranked) -> bool:
    """Nothing but a cosine brought it here, and the cosine says nothing; of a document, it is not near enough."""
    if entry.kind == "document":
        if entry.parts.cosine is None:
            return entry.parts.cover < LEAST_COVER_OF_DOCUMENTS
        return entry.parts.meaning < LEAST_OF_DOCUMENTS
    if {"events", "words", "entities", "pointers", "relations"} & set(entry.legs):
        return False
    return entry.parts.cosine is None or entry.parts.cosine < NOISE_FLOOR


def _served(section: Section, entry: Ranked | Step, line: str, tokens: int, phrase: str) -> Served:
    legs: tuple[str, ...]
    if isinstance(entry, Step):
        ids, legs, being_confirmed, score, parts = entry.ids, ("events",), False, None, None
    else:
        ids, legs, being_confirmed = (entry.target_id, *entry.also), entry.legs, entry.being_confirmed
        score, parts = entry.score, entry.parts
    return Served(
        section=section,
        kind=entry.kind,
        target_id=entry.target_id,
        owner_id=entry.owner_id,
        ids=ids,
        event_ids=entry.event_ids,
        text=entry.text,
        line=line,
        tokens=tokens,
        occurred_at=entry.occurred_at,
        certainty=entry.certainty,
        source=entry.source,
        trust_tier=entry.trust_tier,
        legs=legs,
        being_confirmed=being_confirmed,
        confidence=entry.confidence if isinstance(entry, Ranked) else None,
        phrase=phrase,
        layer=entry.layer if isinstance(entry, Ranked) else "user",
        owner_name=entry.owner_name if isinstance(entry, Ranked) else "",
        score=score,
        parts=parts,
    )


def with_excluded(block: Block, others: Sequence[Excluded]) -> Block:
    """The block with what was kept out before it was assembled."""
    counts = Counter(block.excluded_counts) + Counter(entry.rule for entry in others)
    return replace(block, excluded=(*block.excluded, *others)[:MOST_EXCLUDED], excluded_counts=dict(counts))


def _fitted(filling: _Filling, *, nonce: str, notes: Sequence[str]) -> Block:
    """In telling order; counted as a whole, and shortened from the end of what was filled in should the sum be over."""
    while True:
        text = block_of(_in_order(filling.served), language=filling.language, nonce=nonce, notes=notes)
        if not filling.served or count_tokens(text) <= filling.budget:
            return _closed(filling, text=text if filling.served or notes else "")
        last = filling.served.pop()
        filling.leave_out(last.kind, last.target_id, "budget", last.score or 0.0)


def _in_order(served: Sequence[Served]) -> list[Served]:
    timeline = sorted(
        (entry for entry in served if entry.section == "timeline"), key=lambda entry: entry.occurred_at
    )
    others = [entry for entry in served if entry.section != "timeline"]
    return [entry for section in SECTIONS for entry in (*others, *timeline) if entry.section == section]


def _closed(filling: _Filling, *, text: str) -> Block:
    return Block(
        text=text,
        tokens=count_tokens(text) if text else 0,
        served=tuple(_in_order(filling.served)),
        excluded=tuple(filling.excluded),
        excluded_counts=dict(filling.counts),
    )
