"""Something the agent asks its user: opened by a conflict, an uncertain value, a report or a reviewer; settled by the answer."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from memoryhub import audit, idempotency
from memoryhub.changes.answering import ANSWERS, Reply, read_reply, settle_reply
from memoryhub.changes.asking import labels_of, question_about
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound, WrongMove
from memoryhub.models import Change, Event, Owner, Question, Review
from memoryhub.policies import current_policy
from memoryhub.writing.acts import Act
from memoryhub.writing.noting import note_event, settle_noted
from memoryhub.writing.recording import NewEvent
from memoryhub.writing.source import Source
from memoryhub.writing.structured import queue_vectors

__all__ = ["ANSWERS", "Reply", "answer_question", "close_question", "expire_questions", "open_question"]

UNANSWERED = "unanswered"
CLOSE_CODES = ("declined", "unreachable", "not_needed", "other")
"""Why an agent ends a question that was not answered."""


def open_question(*, change: Change, act: Act, kind: str, asked_by_id: int | None = None) -> Question:
    """Ask about a proposed change; the open question about it is kept when there is one already. In the caller's scope."""
    open_one = (
        Question.objects.of(change.owner_id).filter(change_id=change.id, state=Question.State.OPEN).first()
    )
    if open_one is not None:
        return open_one
    language = act.owner.language
    question = question_about(
        change,
        kind=kind,
        language=language,
        policy=act.policy,
        now=act.now,
        labels=labels_of([change], language=language),
        asked_by_id=asked_by_id,
    )
    question.save(force_insert=True)
    return question


def answer_question(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    question_id: UUID,
    source: Source,
    answer: str = "",
    reply: Reply | None = None,
    event_id: UUID | None = None,
) -> Question:
    """Settle what was asked. `new` applies the change on the owner's word, `keep` and `exception` reject it; an exception holds on
    in the session it was said in, and goes with it. A third value is written in the change's place by the ordinary way; words
    that nobody can be sure of leave the decision to a person.

    The answer is itself evidence: `event_id` is the event in which the owner gave it, and without one an event is recorded.
    Raises NotFound, WrongMove (with the state) when the question is not open any more, InvalidInput for an answer that was
    not offered or a value that does not fit.
    """
    reply = reply or Reply(answer=answer)
    reply.check()
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="answer", write=True):
        idempotency.take_claim()
        question = _take_open(owner_id, question_id)
        act = _act(owner_id, source, name="answer", event_id=event_id)
        change = _change_of(question)
        read = read_reply(reply, question=question, change=change, act=act)
        noted = None
        if act.event is None:
            noted = act.event = note_event(_said(question, change, read), act=act)
        verdicts = settle_reply(read, question=question, change=change, act=act)
        act.finish()
        queue_vectors(act)
        if noted is not None:
            settle_noted(noted, verdicts)
        _close(question, Question.State.ANSWERED, act.now, answer=read.as_json(), event_id=act.event_id)
        idempotency.keep_answer({"question": str(question.id)})
    return question


def close_question(
    *, workspace_id: UUID, owner_id: UUID, question_id: UUID, code: str, source: Source
) -> Question:
    """End an open question that the owner did not answer, for the reason given; its review goes back to the people.

    Raises InvalidInput for an unknown reason, NotFound, and WrongMove (with the state) when it is not open any more.
    """
    if code not in CLOSE_CODES:
        raise InvalidInput("reason is one of " + ", ".join(CLOSE_CODES), field="reason", code="not_a_choice")
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="answer", write=True):
        idempotency.take_claim()
        question = _take_open(owner_id, question_id)
        _close(question, Question.State.EXPIRED, timezone.now(), close_code=code)
        _give_back(owner_id, [question])
        idempotency.keep_answer({"question": str(question.id)})
    return question


def expire_questions(*, workspace_id: UUID, owner_id: UUID, now: datetime) -> int:
    """End questions nobody answered in time; their reviews go back to the queue. Answers how many."""
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="answer", write=True):
        due = Question.objects.of(owner_id).filter(state=Question.State.OPEN, expires_at__lte=now)
        questions = list(due.select_for_update(no_key=True))
        for question in questions:
            _close(question, Question.State.EXPIRED, now, close_code=UNANSWERED)
        _give_back(owner_id, questions)
    return len(questions)


def _take_open(owner_id: UUID, question_id: UUID) -> Question:
    question: Question | None = (
        Question.objects.of(owner_id).select_for_update(no_key=True).filter(id=question_id).first()
    )
    if question is None:
        raise NotFound("no such question")
    if question.state != Question.State.OPEN:
        details = {"state": question.state, "answer": (question.answer or {}).get("choice", "")}
        raise WrongMove(f"the question is {question.state}", details=details)
    return question


def _act(owner_id: UUID, source: Source, *, name: str, event_id: UUID | None) -> Act:
    event = Event.objects.of(owner_id).filter(id=event_id).first() if event_id else None
    if event_id is not None and event is None:
        raise NotFound("no such event of this owner", field="event")
    return Act(
        owner=Owner.objects.select_related("workspace").get(id=owner_id),
        source=source,
        name=name,
        now=timezone.now(),
        policy=current_policy(workspace_id=source.workspace_id).policy,
        event=event,
    )


def _change_of(question: Question) -> Change | None:
    """The change the question is about, locked. Raises WrongMove when it is decided already."""
    if question.change_id is None:
        return None
    change: Change = (
        Change.objects.of(question.owner_id).select_for_update(no_key=True).get(id=question.change_id)
    )
    if change.state != Change.State.PROPOSED:
        raise WrongMove(f"the change is {change.state} already", details={"change": change.state})
    return change


def _said(question: Question, change: Change | None, read: Reply) -> NewEvent:
    """The answer as an event in the owner's role, as far as the key that brings it is trusted."""
    before = (change.before or {}).get("value") if change else None
    kept = {"keep": before, "exception": before, "value": read.value}
    offered = {choice["code"]: choice.get("value") for choice in question.choices}
    return NewEvent(
        role="user",
        action="answer",
        content=read.text or (str(read.value) if read.answer == "value" else ""),
        subject=question.field_name,
        before=before,
        after=kept.get(read.answer, offered.get("new")) if read.answer != "words" else None,
        reason=read.answer,
        caused_by_id=change.event_id if change else None,
        form_type=question.form_type,
        form_subject=question.form_subject,
        field_name=question.field_name,
        metadata={"question": str(question.id), "answer": read.answer},
    )


def _give_back(owner_id: UUID, questions: list[Question]) -> None:
    Review.objects.of(owner_id).filter(
        change_id__in=[question.change_id for question in questions], state=Review.State.WAITING_OWNER
    ).update(state=Review.State.OPEN)


def _close(
    question: Question,
    state: str,
    now: datetime,
    *,
    answer: dict[str, Any] | None = None,
    event_id: UUID | None = None,
    close_code: str = "",
) -> None:
    question.state, question.answer, question.answer_event_id = state, answer, event_id
    question.answered_at = now if answer is not None else None
    question.close_code = close_code
    question.save(update_fields=["state", "answer", "answer_event_id", "answered_at", "close_code"])
    audit.record(
        audit.entry(
            action=f"question.{state}",
            workspace_id=question.workspace_id,
            owner_id=question.owner_id,
            object_kind="question",
            object_id=question.id,
            details={"answer": (answer or {}).get("choice", ""), "reason": close_code},
        )
    )
