"""A person decides about a value that is live already: a re-check of its evidence, or a sample of what was applied by itself.

Yes leaves everything as it is and says so; no takes the value back by a rollback and buries it, as a rejection would have.
"""

from __future__ import annotations

from memoryhub.changes.deciding import (
    Decider,
    Decision,
    UnderReview,
    add_step,
    close_review,
    lock_review,
    moved,
    open_review,
)
from memoryhub.changes.evidence import evidence_stands
from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.changes.tombstones import bury_change
from memoryhub.database.scope import scope
from memoryhub.exceptions import EvidenceMismatch, InvalidInput, WrongMove
from memoryhub.models import Change, RejectReason, Review


def reaffirm(*, decider: Decider) -> Decision:
    """The live value stands. Raises as `deciding.approve`."""
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = _open(decider, act_name="reaffirm")
        if not evidence_stands(under.change, under.act.event):
            raise EvidenceMismatch("the quote does not stand in its event any more")
        close_review(under, Review.Outcome.REAFFIRMED, decider.user_id)
        add_step(under, "reaffirm", decider)
    return Decision(review=under.review)


def retract(*, decider: Decider, reason_code: str) -> Decision:
    """Take the live value back: its change is rolled back and the value does not come back by another path.

    Raises as `deciding.reject`, and WrongMove when something was built on the value: then the rollback page shows what.
    """
    if reason_code not in RejectReason.values:
        raise InvalidInput("unknown reason", field="reason", code="unknown_reason")
    if reason_code == RejectReason.OTHER and not decider.note.strip():
        raise InvalidInput("'other' needs a note", field="note", code="blank")
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = _open(decider, act_name="retract")
        version = under.review.version
    _roll_back(under.change, decider)
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = lock_review(decider, act_name="retract")
        if under.review.state == Review.State.DECIDED or under.review.version != version:
            raise moved(under.review)
        bury_change(under.change, reason_code=reason_code)
        close_review(under, Review.Outcome.RETRACTED, decider.user_id)
        add_step(under, "retract", decider, reason_code=reason_code)
    return Decision(review=under.review)


def _open(decider: Decider, *, act_name: str) -> UnderReview:
    under = open_review(decider, act_name=act_name)
    if under.review.kind == Review.Kind.PROPOSAL:
        raise WrongMove("a proposal is approved or rejected")
    return under


def _roll_back(change: Change, decider: Decider) -> None:
    if change.state != Change.State.APPLIED:
        return
    wanted = RollbackScope(change_ids=(change.id,), owner_ids=(change.owner_id,))
    plan = plan_rollback(workspace_id=decider.workspace_id, scope=wanted)
    if plan.conflicts:
        raise WrongMove("something was built on the value since; see what a rollback would do")
    execute_rollback(
        workspace_id=decider.workspace_id,
        scope=plan.scope,
        digest=plan.digest,
        user_id=decider.user_id,
        reason="retracted at review",
        review_id=decider.review_id,
    )
