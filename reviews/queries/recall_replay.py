"""A logged recall asked again, as at its moment and now: side by side, with every candidate and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memoryhub.models import Event, FieldVersion, MemoryItem, Owner, Recall
from memoryhub.recall.answers import Caller, Excluded, Parts, Ranked, RecallAnswer, Served
from memoryhub.recall.pipeline import recall
from memoryhub.recall.replaying import request_of
from reviews.queries.scopes import of
from reviews.values import label_of, shown

MOST_CANDIDATES = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """`fate` is 'served', or the rule that left it out ('' when it stands too far down to be looked at)."""

    kind: str
    target_id: UUID
    owner_id: UUID
    text: str
    fate: str
    rank: int | None = None
    score: float | None = None
    parts: Parts | None = None
    legs: tuple[str, ...] = ()
    section: str = ""
    tokens: int | None = None
    event_id: UUID | None = None
    certainty: str = ""
    occurred_at: datetime | None = None

    @property
    def is_served(self) -> bool:
        return self.fate == "served"


@dataclass(frozen=True, kw_only=True, slots=True)
class Replay:
    """One side: the answer, its candidates best first, and the stages with their counts."""

    answer: RecallAnswer
    candidates: Sequence[Candidate]
    n_more: int

    @property
    def stages(self) -> dict[str, int]:
        return {
            "found": sum(leg.found for leg in self.answer.legs.values()),
            "ranked": len(self.answer.ranked),
            "left_out": sum(self.answer.excluded_counts.values()),
            "served": len(self.answer.served),
            "tokens": self.answer.tokens,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """A line that was told by the log, by the replay of then or by now: at which place each, 0 for not at all."""

    text: str
    kind: str
    logged: int
    then: int
    now: int

    @property
    def is_same(self) -> bool:
        return self.then == self.now

    @property
    def is_new(self) -> bool:
        return not self.then and bool(self.now)

    @property
    def is_gone(self) -> bool:
        return bool(self.then) and not self.now


def replay(*, owner: Owner, row: Recall, as_then: bool, user_id: int) -> Replay:
    """Ask it again; no trace is kept. Raises what `recall` raises."""
    answer = recall(
        workspace_id=owner.workspace_id,
        owner_id=owner.id,
        request=request_of(row, as_then=as_then),
        caller=Caller(user_id=user_id),
    )
    return replay_of(owner, answer)


def replay_of(owner: Owner, answer: RecallAnswer) -> Replay:
    """The answer with the candidates in one list: those that were ranked, then those a hard filter kept out."""
    rules = {entry.target_id: entry for entry in answer.excluded}
    lines = {target: line for line in answer.served for target in line.ids}
    ranked = [
        _ranked(entry, rank, lines.get(entry.target_id), rules.get(entry.target_id))
        for rank, entry in enumerate(answer.ranked, start=1)
    ]
    known = {candidate.target_id for candidate in ranked}
    unranked = [entry for entry in answer.excluded if entry.target_id not in known]
    words = _words_of(owner, [entry.target_id for entry in unranked])
    candidates = ranked[:MOST_CANDIDATES] + [
        Candidate(
            kind=entry.kind,
            target_id=entry.target_id,
            owner_id=owner.id,
            text=words.get(entry.target_id, ""),
            fate=entry.rule,
        )
        for entry in unranked
    ]
    return Replay(answer=answer, candidates=candidates, n_more=max(len(ranked) - MOST_CANDIDATES, 0))


def _ranked(entry: Ranked, rank: int, line: Served | None, excluded: Excluded | None) -> Candidate:
    return Candidate(
        kind=entry.kind,
        target_id=entry.target_id,
        owner_id=entry.owner_id,
        text=entry.text,
        fate="served" if line else excluded.rule if excluded else "",
        rank=rank,
        score=entry.score,
        parts=entry.parts,
        legs=entry.legs,
        section=line.section if line else "",
        tokens=line.tokens if line else None,
        event_id=entry.event_ids[0] if entry.event_ids else None,
        certainty=entry.certainty,
        occurred_at=entry.occurred_at,
    )


def _words_of(owner: Owner, ids: Sequence[UUID]) -> dict[UUID, str]:
    """The words of what a hard filter kept out before it was ranked: events, sentences, values. Three statements."""
    with of(owner):
        words = dict(Event.objects.of(owner.id).filter(id__in=ids).values_list("id", "content"))
        words |= dict(MemoryItem.objects.of(owner.id).filter(id__in=ids).values_list("id", "content"))
        values = FieldVersion.objects.of(owner.id).filter(id__in=ids).select_related("field")
        return words | {row.id: f"{label_of(row.field)}: {shown(row.value)}" for row in values}


def compare(row: Recall, then: Replay, now: Replay) -> list[Compared]:
    """Every line of either side: in the order of then, then what only now tells."""
    logged: Mapping[str, int] = _places_logged(row.served)
    places = {name: _places(side.answer) for name, side in (("then", then), ("now", now))}
    lines: dict[tuple[UUID, str], Served] = {}
    for side in (then, now):
        for line in side.answer.served:
            lines.setdefault((line.target_id, line.section), line)
    return [
        Compared(
            text=line.text,
            kind=line.kind,
            logged=logged.get(str(key[0]), 0),
            then=places["then"].get(key, 0),
            now=places["now"].get(key, 0),
        )
        for key, line in lines.items()
    ]


def _places_logged(served: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, line in enumerate(served, start=1):
        places.setdefault(str(line["id"]), place)
    return places


def _places(answer: RecallAnswer) -> dict[tuple[UUID, str], int]:
    return {(line.target_id, line.section): place for place, line in enumerate(answer.served, start=1)}


def stages_of(row: Recall, sides: Sequence[Replay]) -> list[tuple[str, int | None, list[int]]]:
    """Each stage with the count of the log (None where it keeps none) and of the sides."""
    counts: dict[str, int] = row.excluded_counts
    legs: dict[str, dict[str, Any]] = row.legs
    logged: dict[str, int | None] = {
        "found": sum(int(leg.get("found", 0)) for leg in legs.values()),
        "ranked": None,
        "left_out": sum(counts.values()),
        "served": len(row.served),
        "tokens": row.tokens,
    }
    return [(name, number, [side.stages[name] for side in sides]) for name, number in logged.items()]
