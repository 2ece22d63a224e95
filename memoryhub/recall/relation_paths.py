"""Which of the paths that were found are told, and how: warnings always, others when relations are wanted. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Protocol
from uuid import UUID

from memoryhub.language.foodstuffs import avoided_in
from memoryhub.language.names import name_key
from memoryhub.recall.asking import Question
from memoryhub.recall.knowing import Known
from memoryhub.recall.ranking import Candidate
from memoryhub.recall.relations import LEG, Path, recommends
from memoryhub.recall.wording import value_text

MOST_WARNINGS = 5
MOST_PATHS = 6
WARNING_IMPORTANCE = 0.9
STRONG_IMPACT = 3
_LEAST_NAME = 2


class FormValue(Protocol):
    """What a warning asks of a form value."""

    @property
    def safety(self) -> bool: ...

    @property
    def holds(self) -> bool: ...

    @property
    def value(self) -> Any: ...


def relation_candidates(
    paths: Sequence[Path],
    *,
    forms: Sequence[FormValue],
    question: Question,
    known: Known,
    wanted: bool,
    told_events: Collection[UUID | None] = (),
) -> list[Candidate]:
    """At most MOST_WARNINGS warnings, told with the rules, and MOST_PATHS other paths that begin with what the question names.

    A path warns when it leads to something a safety value of the owner speaks of, to something the owner does not like, or ends
    with an impact of 3. Paths that a longer one repeats are left out, and single relations that were learned from one of
    `told_events`, whose values are told anyway; that a thing itself is not liked is one of those while nothing is to be chosen.
    """
    warned: dict[UUID, Candidate] = {}
    covered: set[UUID] = set()
    for path in paths:
        if path.ids[0] not in warned and (line := _warning(path, forms, question, known)):
            if wanted and path.is_bare_dislike and not recommends(question):
                continue
            warned[path.ids[0]] = _candidate(path, line, path.ids[0], known, legs=("rules", LEG))
            covered |= set(path.ids)
    told = list(warned.values())[:MOST_WARNINGS]
    if wanted:
        told += _others(paths, covered, told_events, question, known)
    return told


def _others(
    paths: Sequence[Path], covered: set[UUID], said: Collection[UUID | None], question: Question, known: Known
) -> Iterator[Candidate]:
    """Of the paths that are no warning the longest, those of a kind that the question names first."""
    named = [
        path
        for path in paths
        if path.is_owners or any(question.mentions(name) for name in path.names if name)
    ]
    whole = {path.ids[:1] for path in named if len(path.ids) > 1}
    kept = [
        path
        for path in named
        if (len(path.ids) > 1 or path.ids not in whole)
        and path.ids[0] not in covered
        and not (len(path.ids) == 1 and path.hops[0].event_id in said)
    ]
    kept.sort(key=lambda path: (not any(hop.is_spoken_of for hop in path.hops), len(path.ids)))
    seen: set[UUID] = set()
    for path in kept:
        if len(seen) < MOST_PATHS and path.ids[-1] not in seen:
            seen.add(path.ids[-1])
            line = path.told(known.language, asked=question)
            yield _candidate(path, line, path.ids[-1], known, legs=(LEG,))


def _warning(path: Path, forms: Sequence[FormValue], question: Question, known: Known) -> str:
    """The path told as a warning, '' when it is none."""
    last = path.hops[-1]
    line = path.told(known.language, asked=question)
    if any(hop.leads_to_owner and hop.warns for hop in path.hops):
        return line if last.leads_to_owner else ""
    if path.is_owners or any(hop.is_turned for hop in path.hops[-1:]):
        return ""
    for row in forms:
        if row.safety and row.holds:
            value = value_text(row.value, known.language)
            if any(_speaks_of(name, value) for name in (*last.names, *([] if last.names else [last.end]))):
                return line if name_key(last.end) == name_key(value) else f"{line} → {value}"
    return line if last.warns and (last.impact or 0) >= STRONG_IMPACT else ""


def _speaks_of(name: str, value: str) -> bool:
    """Whether a safety value ('lactose intolerance') is about a thing ('milk', 'lactose')."""
    key, told = name_key(name), name_key(value)
    if len(key) >= _LEAST_NAME and (key in told or told in key):
        return True
    return next(avoided_in(name, value), None) is not None


def _candidate(path: Path, line: str, target: UUID, known: Known, *, legs: tuple[str, ...]) -> Candidate:
    hops = path.hops
    newest = max(hop.valid_from for hop in hops)
    weakest = min(hops, key=lambda hop: hop.trust_tier)
    importance = max(hop.importance for hop in hops)
    is_inferred = "rules" in legs or any(hop.basis == "inferred" for hop in hops)
    return Candidate(
        kind="relation",
        target_id=target,
        owner_id=known.owner_id,
        text=line,
        occurred_at=newest,
        confirmed_at=max(newest, *(hop.last_confirmed_at or hop.valid_from for hop in hops)),
        importance=max(importance, WARNING_IMPORTANCE) if "rules" in legs else importance,
        certainty="inferred" if is_inferred else "fact",
        source=weakest.basis,
        trust_tier=weakest.trust_tier,
        names=tuple(dict.fromkeys(name for name in (*path.names, *hops[-1].names) if name)),
        event_ids=tuple(dict.fromkeys(hop.event_id for hop in hops if hop.event_id)),
        also=tuple(hop.id for hop in hops if hop.id != target),
        legs=legs,
        is_exact=True,
    )
