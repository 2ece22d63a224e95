"""What a recall did with each thing: told it, left it out by a rule, ranked it somewhere, or never came upon it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memoryhub.diagnosing.answers import Place
from memoryhub.recall.answers import RecallAnswer


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """`served` maps everything a line told to the section of that line; `last` is the last of the ranking that was served."""

    served: Mapping[UUID, str]
    rules: Mapping[UUID, str]
    places: Mapping[UUID, Place]
    last: Place | None
    tokens: Mapping[UUID, int]
    valid_at: datetime
    known_at: datetime
    kinds: tuple[str, ...] = ()


def told_by(
    answer: RecallAnswer,
    *,
    valid_at: datetime,
    known_at: datetime,
    kinds: tuple[str, ...] = (),
    traced: tuple[list[dict[str, Any]], list[dict[str, Any]]] | None = None,
) -> Told:
    """From an answer with its ranking; `traced` are the served and the excluded lines that the log kept of it, which win."""
    places = {
        entry.target_id: Place(target_id=entry.target_id, rank=rank, score=entry.score, parts=entry.parts)
        for rank, entry in enumerate(answer.ranked, start=1)
    }
    served = {target: line.section for line in answer.served for target in line.ids}
    rules = {entry.target_id: entry.rule for entry in answer.excluded}
    if traced is not None:
        served = {UUID(target): line["section"] for line in traced[0] for target in line["ids"]}
        kept = {UUID(line["id"]): line["rule"] for line in traced[1]}
        rules = {target: rule for target, rule in (rules | kept).items() if target not in served}
    # A rule or a named form is told whatever its score; what a fragment has to beat is the weakest fragment.
    weakest = [places[one] for one, section in served.items() if section == "fragments" and one in places]
    any_served = [places[one] for one in served if one in places]
    return Told(
        served=served,
        rules=rules,
        places=places,
        last=max(weakest or any_served, key=lambda place: place.rank, default=None),
        tokens={target: line.tokens for line in answer.served for target in line.ids},
        valid_at=valid_at,
        known_at=known_at,
        kinds=kinds,
    )
