"""Take back a decision within the undo time (60 seconds by policy); later it is a rollback like any other.

A rejection leaves no trace in memory, so its proposal simply waits again. An approval of the highest class has not been written
yet. Every other approval is rolled back, and what was proposed is proposed anew, for a fresh decision.
"""

from __future__ import annotations

from datetime import timedelta

from memoryhub.changes.deciding import Decider, Decision, UnderReview, add_step, lock_review, move_review
from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.changes.tombstones import change_names, lift, lift_values
from memoryhub.database.scope import scope
from memoryhub.exceptions import OwnProposal, TooLateToUndo
from memoryhub.models import Change, Review, ReviewStep
from memoryhub.writing.approving import move_change
from memoryhub.writing.proposing import propose_again

DECISIVE = ("approve", "approve_with_edit", "reject")


def undo(*, decider: Decider) -> Decision:
    """Take the person's own last decision on the review back.

    Raises TooLateToUndo (409) when the time is over, the review is not decided, or something was built on the value since;
    OwnProposal (403) for somebody else's decision; NotFound.
    """
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = lock_review(decider, act_name="undo")
        step = _last_decision(under)
        _check(under, step, decider)
        if under.change.state == Change.State.REJECTED:
            _wait_again(under, decider)
            return Decision(review=under.review)
        if under.change.state == Change.State.PROPOSED:
            _reopen(under, decider)
            return Decision(review=under.review)
        written = _written_by(under, step)
    _roll_back(written, decider)
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = lock_review(decider, act_name="undo")
        names = [*change_names(under.change), *change_names(written)]
        lift_values(owner_id=decider.owner_id, names=names, user_id=decider.user_id)
        change = propose_again(under.change, act=under.act)
        add_step(under, "undo", decider)
        under.act.finish()
        fresh = Review.objects.of(decider.owner_id).get(change_id=change.id)
    return Decision(review=fresh)


def _last_decision(under: UnderReview) -> ReviewStep | None:
    steps = ReviewStep.objects.of(under.review.owner_id).filter(review_id=under.review.id)
    return steps.order_by("-at", "-id").first()


def _check(under: UnderReview, step: ReviewStep | None, decider: Decider) -> None:
    if under.review.state != Review.State.DECIDED or step is None or step.action not in DECISIVE:
        raise TooLateToUndo("there is no decision to undo")
    if step.user_id != decider.user_id:
        raise OwnProposal("only who decided takes it back")
    if under.now - step.at > timedelta(seconds=under.act.policy.undo_seconds):
        raise TooLateToUndo("the undo time is over; roll the change back instead")


def _wait_again(under: UnderReview, decider: Decider) -> None:
    move_change(
        under.change, Change.State.PROPOSED, act=under.act, user_id=decider.user_id, reason_code="undo"
    )
    lift(owner_id=decider.owner_id, change_ids=[under.change.id], user_id=decider.user_id)
    _reopen(under, decider)


def _reopen(under: UnderReview, decider: Decider) -> None:
    move_review(
        under,
        Review.State.OPEN,
        outcome="",
        decided_by_id=None,
        decided_at=None,
        first_user_id=None,
        takes_effect_at=None,
    )
    add_step(under, "undo", decider)


def _written_by(under: UnderReview, step: ReviewStep | None) -> Change:
    """The change the approval wrote: the proposal itself, or the edit in its place."""
    if under.change.state == Change.State.MERGED and step is not None and step.change_set_id is not None:
        edits = Change.objects.of(under.review.owner_id).filter(change_set_id=step.change_set_id)
        return edits.get(basis="staff")
    return under.change


def _roll_back(change: Change, decider: Decider) -> None:
    wanted = RollbackScope(change_ids=(change.id,), owner_ids=(change.owner_id,))
    plan = plan_rollback(workspace_id=decider.workspace_id, scope=wanted)
    if plan.conflicts:
        raise TooLateToUndo("something was built on the value since; see what a rollback would do")
    execute_rollback(
        workspace_id=decider.workspace_id,
        scope=plan.scope,
        digest=plan.digest,
        user_id=decider.user_id,
        reason="undo",
    )
