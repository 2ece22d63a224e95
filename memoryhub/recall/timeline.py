"""What changed, in order: 'A → B (budget) → A (cost; B and C were weighed)', decisions, promises."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memoryhub.policies import Policy
from memoryhub.recall import wording
from memoryhub.recall.answers import Certainty, Kind
from memoryhub.recall.asking import Question
from memoryhub.recall.events import EventRow, heat_of
from memoryhub.recall.forms import FormRow, is_decision, paths
from memoryhub.recall.looking import Moment


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One line of the timeline. `heat` as computed now; `is_asked`: the question is about it, so heat does not hide it."""

    kind: Kind
    target_id: UUID
    owner_id: UUID
    ids: tuple[UUID, ...]
    event_ids: tuple[UUID, ...]
    text: str
    occurred_at: datetime
    is_change: bool
    is_asked: bool
    heat: float
    certainty: Certainty
    source: str
    trust_tier: int
    taken: tuple[datetime, ...] = ()
    """Of a path: when each of its steps was taken."""


def timeline(
    forms: Sequence[FormRow],
    events: Sequence[EventRow],
    *,
    owner_id: UUID,
    question: Question | None,
    moment: Moment,
    policy: Policy,
    language: str,
) -> list[Step]:
    """All steps, oldest first: one per decided field with its whole path, one per other key event. Pure.

    A question for what happened in a time gets the steps taken in it, faded ones too, and no others.
    A value that just moved on (a favourite, an address) has a path only when no question is asked, or one for its history.
    """
    steps = _steps(
        forms, events, owner_id=owner_id, question=question, moment=moment, policy=policy, language=language
    )
    if question is not None and question.asks_for_a_time:
        steps = [replace(step, is_asked=True) for step in steps if _is_within(step, question)]
    return sorted(steps, key=lambda step: (step.occurred_at, str(step.target_id)))


def _is_within(step: Step, question: Question) -> bool:
    """Whether the step, or any step of the path, was taken in a time that is asked about."""
    taken = step.taken or (step.occurred_at,)
    return any(time.start <= when < time.end for time in question.times for when in taken)


def _steps(
    forms: Sequence[FormRow],
    events: Sequence[EventRow],
    *,
    owner_id: UUID,
    question: Question | None,
    moment: Moment,
    policy: Policy,
    language: str,
) -> list[Step]:
    asks_for_history = question is None or "history" in question.intents
    steps = [
        _path(chain, question, moment, policy, language)
        for chain in paths(forms)
        if asks_for_history or is_decision(chain)
    ]
    told = {event_id for step in steps for event_id in step.event_ids}
    return steps + [
        _event(event, owner_id, moment, policy, language)
        for event in events
        if event.is_key and event.id not in told and event.standing not in {"refused", "pending"}
    ]


def _path(
    chain: list[FormRow], question: Question | None, moment: Moment, policy: Policy, language: str
) -> Step:
    last = chain[-1]
    return Step(
        kind="form",
        target_id=last.id,
        owner_id=last.owner_id,
        ids=tuple(row.id for row in chain),
        event_ids=tuple(row.event_id for row in chain if row.event_id),
        taken=tuple(row.valid_from for row in chain),
        text=wording.path_text(chain, language),
        occurred_at=last.valid_from,
        is_change=True,
        is_asked=question is not None and (last.field_id in question.fields or "history" in question.intents),
        heat=math.exp(-policy.decision_decay_per_day * moment.days_since(last.valid_from)),
        certainty=wording.certainty_of(basis=last.basis, is_rule=last.is_rule),
        source=last.role or last.basis,
        trust_tier=last.trust_tier,
    )


def _event(event: EventRow, owner_id: UUID, moment: Moment, policy: Policy, language: str) -> Step:
    return Step(
        kind="event",
        target_id=event.id,
        owner_id=owner_id,
        ids=(event.id,),
        event_ids=(event.id,),
        text=wording.decision_text(event, language),
        occurred_at=event.occurred_at,
        is_change=event.is_change_of_mind,
        is_asked="time" in event.whys,
        heat=heat_of(event, moment=moment, policy=policy),
        certainty="said_by_agent" if event.role == "assistant" else "fact",
        source=event.role,
        trust_tier=event.trust_tier,
    )
