"""Everything a person does with a review short of deciding it: later, somebody else, ask the owner, the same as another, not now."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from memoryhub.changes import claims
from memoryhub.changes.deciding import Decider, Decision, add_step, close_review, move_review, open_review
from memoryhub.changes.questions import open_question
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.models import Change, Review
from memoryhub.writing.approving import move_change

LONGEST_DEFERRAL = timedelta(days=30)


def defer(*, decider: Decider, until: datetime) -> Decision:
    """Look at it again at `until` (within 30 days). It comes back by itself, and sooner when somebody opens it."""
    now = timezone.now()
    if not now < until <= now + LONGEST_DEFERRAL:
        raise InvalidInput("a time within the next 30 days", field="until", code="out_of_range")
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = open_review(decider, act_name="defer")
        move_review(under, Review.State.DEFERRED, deferred_until=until)
        add_step(under, "defer", decider, until=until)
    return Decision(review=under.review)


def escalate(*, decider: Decider) -> Decision:
    """Hand it to a second person: whoever escalates does not decide it himself."""
    if not decider.note.strip():
        raise InvalidInput("say what the second person should look at", field="note", code="blank")
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = open_review(decider, act_name="escalate")
        move_review(under, Review.State.SECOND_REVIEW)
        add_step(under, "escalate", decider)
    return Decision(review=under.review, needs_second=True)


def ask_owner(*, decider: Decider) -> Decision:
    """Open a question that the agent puts to its user; the review waits for the answer or for the question's end."""
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = open_review(decider, act_name="ask")
        open_question(change=under.change, act=under.act, kind="review", asked_by_id=decider.user_id)
        move_review(under, Review.State.WAITING_OWNER)
        add_step(under, "ask_owner", decider)
        under.act.finish()
    return Decision(review=under.review)


def merge(*, decider: Decider, into_change_id: UUID) -> Decision:
    """The proposal says the same as another change of the owner: it is closed as merged into that one."""
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = open_review(decider, act_name="merge")
        other = (
            Change.objects.of(decider.owner_id).filter(id=into_change_id).exclude(id=under.change.id).first()
        )
        if other is None:
            raise NotFound("no such change of this owner", field="into")
        move_change(
            under.change, Change.State.MERGED, act=under.act, user_id=decider.user_id, reason_code="duplicate"
        )
        close_review(under, Review.Outcome.MERGED, decider.user_id)
        add_step(under, "merge", decider, reason_code="duplicate", change_set_id=other.change_set_id)
        under.act.finish()
    return Decision(review=under.review)


def skip(*, decider: Decider) -> Decision:
    """Leave it for somebody else: it is not offered to this person again today. The highest class cannot be skipped."""
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = open_review(decider, act_name="skip")
        if under.review.is_top_class:
            raise InvalidInput("this one cannot be skipped", field="action", code="not_skippable")
        claims.release(owner_id=decider.owner_id, review_id=decider.review_id, user_id=decider.user_id)
        add_step(under, "skip", decider)
    return Decision(review=under.review)


def wake_deferred(*, workspace_id: UUID, now: datetime) -> int:
    """Bring deferred reviews back whose time has come; answers how many. Call inside a workspace scope."""
    return Review.objects.filter(
        workspace_id=workspace_id, state=Review.State.DEFERRED, deferred_until__lte=now
    ).update(state=Review.State.OPEN, deferred_until=None)
