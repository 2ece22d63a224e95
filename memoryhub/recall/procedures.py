"""The procedures leg: those that the question or the task at hand calls for, each whole, right after the rules.

Read in the statement of the other rows. A procedure is told with all its steps or not at all; one that does not fit the budget
is named, with what it would take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import orjson

from memoryhub.language.counting import count_tokens
from memoryhub.language.masking import masked
from memoryhub.models import as_of_sql
from memoryhub.procedures import Procedure, procedure_from
from memoryhub.recall.answers import Excluded, Leg, Ranked
from memoryhub.recall.knowing import Known
from memoryhub.recall.looking import Asked, Moment
from memoryhub.recall.ranking import Candidate
from memoryhub.recall.slots import SlotRow
from memoryhub.recall.together import Read
from memoryhub.sessions.contexts import kind_of, name_of

LEG: Literal["procedures"] = "procedures"
KIND = "procedural"
OVER_BUDGET = "procedure_over_budget"
MOST_PROCEDURES = 200
MOST_TOLD = 3
"""More than so many are not called for at once: the nearest trigger counts, the longest first."""
_TASK = "task"
_NOTES = {
    "zh": "流程“{title}”适用，但放不进 {budget} 个词元的预算（需要约 {needed} 个），未列出；请用更大的预算再查。",
    "en": "The procedure “{title}” applies but does not fit the budget of {budget} tokens (it takes about {needed}); it is left out: ask again with a larger one.",
}

_LOAD = f"""
SELECT i.owner_id, i.id, i.procedure::text, i.importance, i.basis, i.trust_tier, i.valid_from, i.event_id,
  EXISTS (SELECT FROM memoryhub_change c WHERE c.owner_id = i.owner_id AND c.state = 'proposed' AND c.before_id = i.id)
FROM memoryhub_memoryitem i
WHERE i.owner_id = ANY(%(procedure_owners)s) AND i.procedure IS NOT NULL
  AND i.status NOT IN ('forgotten', 'expired') AND {as_of_sql("i")}
ORDER BY i.importance DESC, i.seq DESC LIMIT {MOST_PROCEDURES}
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Called:
    """A procedure that is called for, and the words that called."""

    owner_id: UUID
    id: UUID
    procedure: Procedure
    trigger: str
    importance: float
    basis: str
    trust_tier: int
    valid_from: datetime
    event_id: UUID | None
    being_confirmed: bool


def procedures_read(*, known: Known, moment: Moment) -> Read:
    """The procedures of the owner, and those that a link lets through."""
    owners = [
        known.owner_id,
        *(link.owner_id for link in known.links if link.lets_through(KIND)),
    ]
    return Read(
        _LOAD,
        {"procedure_owners": owners, "valid_at": moment.valid_at, "known_at": moment.known_at},
    )


def called(rows: Iterable[tuple[Any, ...]], asked: Asked) -> list[Called]:
    """Those whose trigger stands in the question or is a task of the session; at most three."""
    if not asked.wants(KIND):
        return []
    return called_by(rows, text=asked.question.text, slots=asked.known.slots if asked.moment.is_now else ())


def called_by(rows: Iterable[tuple[Any, ...]], *, text: str, slots: Sequence[SlotRow]) -> list[Called]:
    """As `called`; the one that is called by most words comes first."""
    tasks = tasks_of(slots)
    found = []
    for row in rows:
        owner_id, item_id, stored, importance, basis, tier, valid_from, event_id, being_confirmed = row
        procedure = procedure_from(masked(orjson.loads(stored)))
        if trigger := procedure.called_for(text, tasks):
            found.append(
                Called(
                    owner_id=owner_id,
                    id=item_id,
                    procedure=procedure,
                    trigger=trigger,
                    importance=importance,
                    basis=basis,
                    trust_tier=tier,
                    valid_from=valid_from,
                    event_id=event_id,
                    being_confirmed=being_confirmed,
                )
            )
    found.sort(key=lambda each: (-len(each.trigger), -each.importance, str(each.id)))
    return found[:MOST_TOLD]


def tasks_of(slots: Sequence[SlotRow]) -> list[str]:
    """The tasks the session is at: contexts of that kind, and values called so."""
    named = [name_of(slot.context) for slot in slots if kind_of(slot.context) == _TASK]
    return list(dict.fromkeys([*named, *(str(slot.value) for slot in slots if slot.name == _TASK)]))


def procedure_candidates(found: Sequence[Called], *, known: Known) -> list[Candidate]:
    return [_candidate(each, known) for each in found]


def _candidate(each: Called, known: Known) -> Candidate:
    return Candidate(
        kind="item",
        target_id=each.id,
        owner_id=each.owner_id,
        text=each.procedure.told(known.language),
        occurred_at=each.valid_from,
        confirmed_at=each.valid_from,
        importance=each.importance,
        certainty="policy",
        source=each.basis,
        trust_tier=each.trust_tier,
        item_kind=KIND,
        event_ids=(each.event_id,) if each.event_id else (),
        legs=(LEG,),
        is_exact=True,
        being_confirmed=each.being_confirmed,
    )


def asked_for(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The procedures of the ranking, in its order."""
    return [entry for entry in ranked if LEG in entry.legs]


def over_budget(
    found: Sequence[Called], excluded: Sequence[Excluded], *, language: str, budget: int
) -> tuple[str, ...]:
    """One sentence per procedure that was called for and did not fit, for the agent."""
    out = {entry.target_id for entry in excluded if entry.rule == OVER_BUDGET}
    return tuple(
        _NOTES[language].format(
            title=each.procedure.title, budget=budget, needed=count_tokens(each.procedure.told(language)) + 40
        )
        for each in found
        if each.id in out
    )


def report(found: Sequence[Called], asked: Asked, milliseconds: float) -> Leg:
    """What the leg did: which words called."""
    if not asked.wants(KIND):
        return Leg(state="skipped", note="not asked for")
    return Leg(state="ok", found=len(found), milliseconds=milliseconds)
