"""The desk's words for what a person does with a review, each mapped to the one service that does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from memoryhub.changes.deciding import Decider, Decision, approve, reject
from memoryhub.changes.postponing import ask_owner, defer, escalate, merge, skip
from memoryhub.changes.rechecking import reaffirm, retract
from memoryhub.exceptions import InvalidInput, WrongMove
from memoryhub.models import Review

DEFERRALS: Mapping[str, timedelta] = {
    "hour": timedelta(hours=1),
    "workday": timedelta(hours=8),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
}
LEADS_TO: Mapping[str, str] = {
    "defer": Review.State.DEFERRED,
    "escalate": Review.State.SECOND_REVIEW,
    "ask": Review.State.WAITING_OWNER,
}
UNDOABLE = ("approve", "approve_with_edit", "reject")


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """What came with the decision; each action takes what it needs of it."""

    reason: str = ""
    edited: Any = None
    until: str = ""
    """A code of DEFERRALS, or `at` for the time in `until_at`."""
    until_at: datetime | None = None
    into: UUID | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """`step` is the word of the log for what was done."""

    decision: Decision
    step: str

    @property
    def can_be_undone(self) -> bool:
        return self.step in UNDOABLE and not self.decision.needs_second


def can_move(review: Review, action: str) -> bool:
    """Whether the table of states lets the review go where the action leads."""
    leads_to = LEADS_TO.get(action, Review.State.DECIDED)
    is_first_yes = action == "edit" or (action == "approve" and review.first_user_id is None)
    if review.is_top_class and is_first_yes:
        leads_to = Review.State.SECOND_REVIEW
    if leads_to == review.state:
        # Put off once more, or a first yes after somebody has asked for a second look, or to another text.
        return action in ("defer", "approve", "edit")
    return action == "skip" or leads_to in Review.MOVES[review.state]


def decide(*, action: str, review: Review, decider: Decider, given: Given, now: datetime) -> Done:
    """Do it. On a value that is live already a yes reaffirms and a no takes it back.

    Raises what the services raise; InvalidInput for an action there is not, WrongMove where the state does not allow it.
    """
    is_proposal = review.kind == Review.Kind.PROPOSAL
    if review.state != Review.State.DECIDED and not can_move(review, action):
        raise WrongMove(f"a review that is {review.state} does not take this")
    match action:
        case "approve":
            decision = approve(decider=decider) if is_proposal else reaffirm(decider=decider)
            step = "approve_first" if decision.needs_second else "approve" if is_proposal else "reaffirm"
            return Done(decision=decision, step=step)
        case "edit":
            return _edit(is_proposal, decider, given)
        case "reject" if is_proposal:
            return Done(decision=reject(decider=decider, reason_code=given.reason), step="reject")
        case "reject":
            return Done(decision=retract(decider=decider, reason_code=given.reason), step="retract")
        case "defer":
            return Done(decision=defer(decider=decider, until=_until(given, now)), step="defer")
        case "escalate":
            return Done(decision=escalate(decider=decider), step="escalate")
        case "ask" if is_proposal:
            return Done(decision=ask_owner(decider=decider), step="ask_owner")
        case "merge" if is_proposal:
            if given.into is None:
                raise InvalidInput("choose the other change", field="into", code="blank")
            return Done(decision=merge(decider=decider, into_change_id=given.into), step="merge")
        case "skip":
            return Done(decision=skip(decider=decider), step="skip")
    raise InvalidInput("no such action", field="action", code="unknown_action")


def _until(given: Given, now: datetime) -> datetime:
    until = given.until_at if given.until == "at" else None
    if given.until in DEFERRALS:
        until = now + DEFERRALS[given.until]
    if until is None:
        raise InvalidInput("choose how long", field="until", code="out_of_range")
    return until


def _edit(is_proposal: bool, decider: Decider, given: Given) -> Done:
    if not is_proposal:
        raise InvalidInput("only a proposal can be edited", field="action", code="not_editable")
    decision = approve(decider=decider, edited="" if given.edited is None else given.edited)
    return Done(decision=decision, step="approve_first" if decision.needs_second else "approve_with_edit")
