"""Something the agent asks its user: opened by a conflict, an uncertain value or a reviewer; settled by the answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.utils import timezone

from memoryhub import audit, idempotency
from memoryhub.changes.asking import question_about
from memoryhub.changes.tombstones import bury_change
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound, WrongMove
from memoryhub.models import Change, Event, Owner, Question, Review
from memoryhub.policies import current_policy
from memoryhub.sessions.excepting import keep_for_the_session
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission
from memoryhub.writing.approving import apply_approved, move_change
from memoryhub.writing.proposing import from_json
from memoryhub.writing.source import Source
from memoryhub.writing.structured import queue_vectors

type Answer = Literal["new", "keep", "exception"]
ANSWERS: tuple[Answer, ...] = ("new", "keep", "exception")
"""The new value holds; the old one holds; the new one was meant for this once."""


def open_question(*, change: Change, act: Act, kind: str, asked_by_id: int | None = None) -> Question:
    """Ask about a proposed change; the open question about it is kept when there is one already. In the caller's scope."""
    open_one = (
        Question.objects.of(change.owner_id).filter(change_id=change.id, state=Question.State.OPEN).first()
    )
    if open_one is not None:
        return open_one
    question = question_about(
        change,
        kind=kind,
        language=act.owner.language,
        policy=act.policy,
        now=act.now,
        asked_by_id=asked_by_id,
    )
    question.save(force_insert=True)
    return question


def answer_question(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    question_id: UUID,
    answer: str,
    source: Source,
    event_id: UUID | None = None,
) -> Question:
    """Settle what was asked. `new` applies the change on the owner's word, `keep` and `exception` reject it; an exception holds on
    in the session it was said in, and goes with it.

    The answer is itself evidence: `event_id` is the event in which the owner gave it. Raises NotFound, WrongMove when the
    question is not open any more, InvalidInput for an answer that was not offered.
    """
    if answer not in ANSWERS:
        raise InvalidInput("answer is one of " + ", ".join(ANSWERS), field="answer", code="not_a_choice")
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="answer", write=True):
        idempotency.take_claim()
        question = Question.objects.of(owner_id).select_for_update(no_key=True).filter(id=question_id).first()
        if question is None:
            raise NotFound("no such question")
        if question.state != Question.State.OPEN:
            raise WrongMove(f"the question is {question.state}")
        event = Event.objects.of(owner_id).filter(id=event_id).first() if event_id else None
        if event_id is not None and event is None:
            raise NotFound("no such event of this owner", field="event")
        act = Act(
            owner=Owner.objects.select_related("workspace").get(id=owner_id),
            source=source,
            name="answer",
            now=timezone.now(),
            policy=current_policy(workspace_id=workspace_id).policy,
            event=event,
        )
        _settle(question, answer, act)
        act.finish()
        queue_vectors(act)
        _close(question, Question.State.ANSWERED, act.now, answer={"choice": answer}, event_id=event_id)
        idempotency.keep_answer({"question": str(question.id)})
    return question


def expire_questions(*, workspace_id: UUID, owner_id: UUID, now: datetime) -> int:
    """End questions nobody answered in time; their reviews go back to the queue. Answers how many."""
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="answer", write=True):
        due = Question.objects.of(owner_id).filter(state=Question.State.OPEN, expires_at__lte=now)
        questions = list(due.select_for_update(no_key=True))
        for question in questions:
            _close(question, Question.State.EXPIRED, now)
        Review.objects.of(owner_id).filter(
            change_id__in=[question.change_id for question in questions], state=Review.State.WAITING_OWNER
        ).update(state=Review.State.OPEN)
    return len(questions)


def _settle(question: Question, answer: str, act: Act) -> None:
    assert question.change_id is not None
    change = Change.objects.of(question.owner_id).select_for_update(no_key=True).get(id=question.change_id)
    if change.state != Change.State.PROPOSED:
        raise WrongMove(f"the change is {change.state} already")
    review = (
        Review.objects.of(change.owner_id)
        .filter(change_id=change.id)
        .exclude(state=Review.State.DECIDED)
        .first()
    )
    is_heard = act.source.trust_tier > act.policy.untrusted_up_to_tier
    if not is_heard:
        # Whoever brings the answer is not trusted to speak for the owner: a person decides.
        Review.objects.of(change.owner_id).filter(change_id=change.id).exclude(
            state=Review.State.DECIDED
        ).update(state=Review.State.OPEN)
        return
    act.source = replace(act.source, trust_tier=max(3, act.source.trust_tier))
    if answer == "new" and review is not None and review.is_top_class:
        # The owner's answer is evidence for the two people, not a way around them.
        Review.objects.of(change.owner_id).filter(id=review.id).update(state=Review.State.OPEN)
        return
    if answer == "new":
        assert change.candidate is not None
        admission = Admission(
            verdict="admit",
            importance=change.importance,
            confidence=change.confidence,
            value_norm=(change.after or {}).get("norm", ""),
        )
        apply_approved(candidate=from_json(change.candidate), admission=admission, approved=change, act=act)
    else:
        code = "owner_kept" if answer == "keep" else "exception"
        move_change(change, Change.State.REJECTED, act=act, user_id=None, reason_code=code)
        if answer == "keep":
            bury_change(change, reason_code=code)
        else:
            keep_for_the_session(change, act=act)
    Review.objects.of(change.owner_id).filter(change_id=change.id).exclude(state=Review.State.DECIDED).update(
        state=Review.State.DECIDED,
        outcome=Review.Outcome.APPROVED if answer == "new" else Review.Outcome.REJECTED,
        decided_at=act.now,
    )


def _close(
    question: Question,
    state: str,
    now: datetime,
    *,
    answer: dict[str, Any] | None = None,
    event_id: UUID | None = None,
) -> None:
    question.state, question.answer, question.answer_event_id = state, answer, event_id
    question.answered_at = now if answer is not None else None
    question.save(update_fields=["state", "answer", "answer_event_id", "answered_at"])
    audit.record(
        audit.entry(
            action=f"question.{state}",
            workspace_id=question.workspace_id,
            owner_id=question.owner_id,
            object_kind="question",
            object_id=question.id,
            details={"answer": (answer or {}).get("choice", "")},
        )
    )
