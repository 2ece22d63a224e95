"""What an agent should know before it says anything: no question asked, the current state with how it came about."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal
from uuid import UUID

from django.db.backends.utils import CursorWrapper

from memoryhub.database.prepared import prepared_cursor
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput
from memoryhub.recall import gathering, wording
from memoryhub.recall.answers import Caller, Leg, RecallRequest, Served
from memoryhub.recall.asking import Question, ask
from memoryhub.recall.assembling import Block, assemble, with_excluded
from memoryhub.recall.block import new_nonce
from memoryhub.recall.events import EventRow, event_rows, events_read, heat_of
from memoryhub.recall.forms import FormRow, form_rows, forms_read, paths
from memoryhub.recall.fusing import Fused, fuse
from memoryhub.recall.items import ItemRow, item_rows, refused_read
from memoryhub.recall.knowing import Known, look_up
from memoryhub.recall.looking import Moment, budget_of, moment_of
from memoryhub.recall.meaning import Near
from memoryhub.recall.procedures import LEG as PROCEDURES
from memoryhub.recall.procedures import (
    Called,
    called_by,
    over_budget,
    procedure_candidates,
    procedures_read,
)
from memoryhub.recall.proposals import Proposal, load_proposals
from memoryhub.recall.ranking import rank
from memoryhub.recall.session import LEG, SessionLook, look_into_session, session_candidates
from memoryhub.recall.shared import labelled, layers_in
from memoryhub.recall.timeline import timeline
from memoryhub.recall.together import read_together
from memoryhub.recall.tracing import make_durable, trace


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """A value that changed: what holds now, its steps in the order they were true, and the path as one sentence."""

    current: FormRow
    steps: tuple[FormRow, ...]
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextAnswer:
    """`text` is the fenced block; the other parts are the same things as data. `decisions` are newest first."""

    recall_id: UUID | None
    owner_id: UUID
    state: Literal["ok", "owner_frozen"] = "ok"
    text: str = ""
    tokens: int = 0
    budget_tokens: int = 0
    rules: tuple[FormRow, ...] = ()
    forms: tuple[FormRow, ...] = ()
    decisions: tuple[Decision, ...] = ()
    key_events: tuple[EventRow, ...] = ()
    refused: tuple[ItemRow, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    served: tuple[Served, ...] = ()
    excluded_counts: dict[str, int] | None = None
    valid_at: datetime | None = None
    known_at: datetime | None = None
    milliseconds: float = 0.0


def context(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    caller: Caller,
    budget_tokens: int | None = None,
    session_ref: str = "",
    valid_at: datetime | None = None,
    known_at: datetime | None = None,
) -> ContextAnswer:
    """The owner's current forms and rules, decisions with their path and reasons, what was refused, recent key events and open
    proposals.

    Raises UnknownOwner, OwnerErasing, and InvalidInput for a budget below 0.
    """
    started = time.perf_counter()
    if budget_tokens is not None and budget_tokens < 0:
        raise InvalidInput("a budget is 0 or more tokens", field="budget_tokens", code="out_of_range")
    known = look_up(workspace_id=workspace_id, owner_id=owner_id, session_ref=session_ref)
    if known.is_frozen:
        return ContextAnswer(recall_id=None, owner_id=owner_id, state="owner_frozen")
    moment = moment_of(known, valid_at=valid_at, known_at=known_at)
    budget = budget_of(known, budget_tokens)
    with (
        scope(workspace_id=workspace_id, owners=known.owner_ids, purpose="recall"),
        prepared_cursor() as cursor,
    ):
        make_durable(cursor, durability=known.policy.recall_durability)
        read = _read(cursor, known, moment)
        proposals = load_proposals(cursor, owner_id=owner_id, moment=moment)
        question = _every_field(known, moment)
        session = look_into_session(known, question=question, moment=moment, session_ref=session_ref)
        block = with_excluded(
            _assemble(known, moment, read, budget, question=question, session=session), read.fused.excluded
        )
        request = RecallRequest(
            query="",
            session_ref=session_ref,
            valid_at=valid_at,
            known_at=known_at,
            budget_tokens=budget_tokens,
        )
        recall_id = trace(
            cursor,
            known=known,
            request=request,
            caller=caller,
            block=block,
            legs={LEG: session.leg, **read.legs()},
            milliseconds=(time.perf_counter() - started) * 1000,
        )
    parts = _parts(known, moment, read.fused.forms, read.events)
    return replace(
        parts,
        recall_id=recall_id,
        text=block.text,
        tokens=block.tokens,
        budget_tokens=budget,
        refused=tuple(read.refused),
        proposals=tuple(proposals),
        served=block.served,
        excluded_counts=block.excluded_counts,
        milliseconds=(time.perf_counter() - started) * 1000,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Read:
    """What holds and how it came about, key events, what was refused, and the procedures that the session's task calls for."""

    fused: Fused
    events: list[EventRow]
    refused: list[ItemRow]
    called: list[Called]

    def legs(self) -> dict[str, Leg]:
        return {
            "context": Leg(state="ok", found=len(self.fused.forms) + len(self.events)),
            PROCEDURES: Leg(state="ok", found=len(self.called)),
        }


def _read(cursor: CursorWrapper, known: Known, moment: Moment) -> _Read:
    """One statement."""
    owner_id = known.owner_id
    read = read_together(
        cursor,
        {
            "forms": forms_read(known=known, moment=moment, fields=[], ids=[], everything=True),
            "events": events_read(owner_id=owner_id, moment=moment, ids=[], times=[], recent=False),
            "refused": refused_read(owner_id=owner_id, moment=moment),
            PROCEDURES: procedures_read(known=known, moment=moment),
        },
    )
    fused = fuse(form_rows(read["forms"], known=known), owner_id=owner_id, layers=layers_in(known))
    return _Read(
        fused=fused,
        events=event_rows(read["events"]),
        refused=item_rows(read["refused"], known=known),
        called=called_by(read[PROCEDURES], text="", slots=known.slots if moment.is_now else ()),
    )


def _parts(
    known: Known, moment: Moment, forms: Sequence[FormRow], events: Sequence[EventRow]
) -> ContextAnswer:
    """What holds, as data; the block comes on top."""
    holding = [row for row in forms if row.holds]
    return ContextAnswer(
        recall_id=None,
        owner_id=known.owner_id,
        rules=tuple(row for row in holding if row.is_rule or row.safety),
        forms=tuple(row for row in holding if not (row.is_rule or row.safety)),
        decisions=_decisions(forms, known.language),
        key_events=_key_events(events, known, moment),
        valid_at=moment.valid_at,
        known_at=moment.known_at,
    )


def _decisions(forms: Sequence[FormRow], language: str) -> tuple[Decision, ...]:
    chains = [chain for chain in paths(forms) if chain[-1].holds]
    chains.sort(key=lambda chain: chain[-1].valid_from, reverse=True)
    return tuple(
        Decision(current=chain[-1], steps=tuple(chain), text=wording.path_text(chain, language))
        for chain in chains
    )


def _key_events(events: Sequence[EventRow], known: Known, moment: Moment) -> tuple[EventRow, ...]:
    """Oldest first, without those that have faded."""
    least = known.policy.least_recalled_heat
    alive = [
        event
        for event in events
        if event.is_key and heat_of(event, moment=moment, policy=known.policy) >= least
    ]
    return tuple(sorted(alive, key=lambda event: (event.occurred_at, event.id)))


def _assemble(
    known: Known, moment: Moment, read: _Read, budget: int, *, question: Question, session: SessionLook
) -> Block:
    forms = read.fused.forms
    candidates = gathering.form_candidates(
        session.over(forms), question=question, near=Near(), known=known, wanted=True
    )
    candidates += [
        replace(candidate, legs=("forms",))  # told among what holds: not to be offered again
        for candidate in gathering.item_candidates(read.refused, near=Near(), known=known)
    ]
    candidates += session_candidates(session, known=known)
    candidates += procedure_candidates(read.called, known=known)
    ranked = labelled(
        rank(candidates, question=question, asked=(), moment=moment, policy=known.policy), known=known
    )
    steps = timeline(
        forms,
        read.events,
        owner_id=known.owner_id,
        question=None,
        moment=moment,
        policy=known.policy,
        language=known.language,
    )
    fill = partial(
        assemble,
        ranked,
        steps,
        moment=moment,
        policy=known.policy,
        language=known.language,
        zone=known.zone,
        budget=budget,
        top_k=0,
        nonce=new_nonce(),
    )
    block = fill()
    if untold := over_budget(read.called, block.excluded, language=known.language, budget=budget):
        block = fill(notes=untold)
    return with_excluded(block, session.excluded(forms))


def _every_field(known: Known, moment: Moment) -> Question:
    """The question that names all fields and nothing else."""
    blank = ask(text="", entities=(), fields=(), now=moment.clock, zone=known.zone)
    return Question(
        text="",
        folded="",
        tokens=(),
        fields={field.id: field.name for field in known.fields},
        times=blank.times,
        names=(),
        intents=frozenset(),
    )
