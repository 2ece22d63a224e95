"""A person decides a review: yes, yes with an edit, or no. Each takes effect in the transaction of the decision.

The decision names the version and carries the token that were shown with the page; if the review, its text, its evidence or the
standing value has moved since, nothing happens and the person is told who did what. In the highest class two people say yes,
and the value is written only when the undo time is over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone

from memoryhub import audit
from memoryhub.changes.evidence import approval_token, evidence_stands, moved_since, standing_of
from memoryhub.changes.tombstones import bury_change
from memoryhub.database.scope import scope
from memoryhub.exceptions import (
    DecisionVersionMissing,
    EvidenceMismatch,
    InvalidInput,
    NotFound,
    OwnProposal,
    ReviewMoved,
)
from memoryhub.models import Change, Event, FieldDefinition, Owner, RejectReason, Review, ReviewStep
from memoryhub.policies import current_policy
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission
from memoryhub.writing.applying import lock_form
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.approving import apply_approved, edited_item, move_change
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.proposing import from_json
from memoryhub.writing.source import Source
from memoryhub.writing.structured import queue_vectors
from memoryhub.writing.whitelist import check_value, load_whitelist, spec_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Decider:
    """The person, and what he was shown."""

    workspace_id: UUID
    owner_id: UUID
    review_id: UUID
    user_id: int
    version: int | None
    token: str | None
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """What came of it. `takes_effect_at` is set while an approval of the highest class waits for its undo time."""

    review: Review
    verdict: Verdict | None = None
    needs_second: bool = False
    takes_effect_at: datetime | None = None


@dataclass(kw_only=True, slots=True)
class UnderReview:
    """The review and its change, locked, with what the decision needs."""

    review: Review
    change: Change
    act: Act
    now: datetime


def approve(*, decider: Decider, edited: Any = None) -> Decision:
    """Say yes. With `edited` the value or text that was proposed is replaced by the person's own.

    Raises DecisionVersionMissing (422), ReviewMoved and EvidenceMismatch (409), OwnProposal (403), InvalidInput for an edit
    that is not a value of the field, NotFound.
    """
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = open_review(decider, act_name="approve", locks_slot=True)
        _check_evidence(under)
        refuse_escalator(under, decider)
        if under.review.is_top_class:
            return _approve_top_class(under, decider, edited)
        verdict = write_approved(under, edited=edited, user_id=decider.user_id)
        _close_as_approved(under, decider, edited)
        queue_vectors(under.act)
    return Decision(review=under.review, verdict=verdict)


def _approve_top_class(under: UnderReview, decider: Decider, edited: Any) -> Decision:
    """The first of two yeses, or the second, after which the value waits for the undo time to pass.

    The second person agrees to the text the first one left. Whoever edits it gives a first yes to the new text.
    """
    review = under.review
    _prepared(under, edited)
    if review.first_user_id is None or edited is not None:
        move_review(under, Review.State.SECOND_REVIEW, first_user_id=decider.user_id)
        add_step(under, "approve_first", decider, edited=edited)
        return Decision(review=review, needs_second=True)
    if review.first_user_id == decider.user_id and review.four_eyes:
        raise OwnProposal("a second person has to say yes")
    first = _last_step(review, "approve_first")
    review.takes_effect_at = under.now + timedelta(seconds=under.act.policy.undo_seconds)
    _close_as_approved(under, decider, first.edited if first else None)
    return Decision(review=review, takes_effect_at=review.takes_effect_at)


def _close_as_approved(under: UnderReview, decider: Decider, edited: Any) -> None:
    is_edit = edited is not None
    close_review(under, Review.Outcome.EDITED if is_edit else Review.Outcome.APPROVED, decider.user_id)
    under.act.finish()
    add_step(
        under,
        "approve_with_edit" if is_edit else "approve",
        decider,
        edited=edited,
        change_set_id=under.act.written_set_id,
    )


def refuse_escalator(under: UnderReview, decider: Decider) -> None:
    """Whoever handed a review to a second person does not decide it himself. Raises OwnProposal."""
    if under.review.state != Review.State.SECOND_REVIEW or not under.review.four_eyes:
        return
    step = _last_step(under.review, "escalate")
    if step is not None and step.user_id == decider.user_id:
        raise OwnProposal("you handed it to a second person")


def _last_step(review: Review, action: str) -> ReviewStep | None:
    steps = ReviewStep.objects.of(review.owner_id).filter(review_id=review.id, action=action)
    return steps.order_by("-at", "-id").first()


def reject(*, decider: Decider, reason_code: str) -> Decision:
    """Say no, with a coded reason that goes back to the agent; the value is buried, so that it does not come back.

    `other` needs a note. Raises as `approve`, but evidence that moved does not hinder a rejection.
    """
    if reason_code not in RejectReason.values:
        raise InvalidInput("unknown reason", field="reason", code="unknown_reason")
    if reason_code == RejectReason.OTHER and not decider.note.strip():
        raise InvalidInput("'other' needs a note", field="note", code="blank")
    with scope(workspace_id=decider.workspace_id, owners=[decider.owner_id], purpose="decide", write=True):
        under = open_review(decider, act_name="reject")
        refuse_escalator(under, decider)
        move_change(
            under.change,
            Change.State.REJECTED,
            act=under.act,
            user_id=decider.user_id,
            reason_code=reason_code,
        )
        bury_change(under.change, reason_code=reason_code)
        close_review(under, Review.Outcome.REJECTED, decider.user_id)
        add_step(under, "reject", decider, reason_code=reason_code)
        under.act.finish()
    return Decision(review=under.review)


def apply_due_approvals(*, workspace_id: UUID, owner_id: UUID, now: datetime) -> int:
    """Write the approvals of the highest class whose undo time is over; answers how many. Safe to run at any time.

    Where something was written or closed meanwhile, nobody has agreed to what would stand now: the review waits again.
    """
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="decide", write=True):
        due = (
            Review.objects.of(owner_id)
            .select_for_update(no_key=True)
            .filter(state=Review.State.DECIDED, takes_effect_at__lte=now, change__state=Change.State.PROPOSED)
            .filter(outcome__in=[Review.Outcome.APPROVED, Review.Outcome.EDITED])
        )
        return sum(_take_effect(review, now) for review in list(due))


def _take_effect(review: Review, now: datetime) -> bool:
    assert review.decided_by_id is not None
    assert review.decided_at is not None
    under = _under(review, user_id=review.decided_by_id, name="approve", now=now)
    _lock_slot(under)
    if moved_since(under.change, review.decided_at):
        _wait_afresh(under)
        return False
    steps = ReviewStep.objects.of(review.owner_id).filter(
        review_id=review.id, action__in=["approve", "approve_with_edit"]
    )
    step = steps.order_by("-at", "-id").first()
    write_approved(under, edited=step.edited if step else None, user_id=review.decided_by_id)
    under.act.finish()
    queue_vectors(under.act)
    return True


def _wait_afresh(under: UnderReview) -> None:
    undecided = {"outcome": "", "decided_by_id": None, "decided_at": None}
    move_review(under, Review.State.OPEN, first_user_id=None, takes_effect_at=None, **undecided)
    ReviewStep.objects.create(
        **under.act.key(), review_id=under.review.id, action="wait_afresh", version=under.review.version
    )


def open_review(decider: Decider, *, act_name: str, locks_slot: bool = False) -> UnderReview:
    """Lock the review for a decision and refuse what must not be decided: unknown, moved, decided, or one's own.

    With `locks_slot` the place it would write to is locked before it is compared with what was shown: of two people who
    approve two proposals for one memory in the same moment, the second finds that it has moved.
    """
    under = lock_review(decider, act_name=act_name)
    review = under.review
    if locks_slot:
        _lock_slot(under)
    if decider.version is None or not decider.token:
        raise DecisionVersionMissing("the version and the token that were shown are needed", field="version")
    if review.state == Review.State.DECIDED or decider.version != review.version:
        raise moved(review)
    if decider.token != approval_token(review, under.change, standing_of(under.change)):
        raise moved(review)
    if review.four_eyes and review.responsible_user_id == decider.user_id:
        raise OwnProposal("whoever answers for a change does not decide it")
    return under


def _lock_slot(under: UnderReview) -> None:
    change = under.change
    if change.target_kind != Change.Target.FIELD_VERSION:
        lock_items(act=under.act)
        return
    fields = FieldDefinition.objects.filter(
        form_type__workspace_id=change.workspace_id, form_type__name=change.form_type, name=change.field_name
    )
    # A field that is not on the whitelist any more is refused when the candidate is prepared.
    if field := fields.select_related("form_type").first():
        lock_form(act=under.act, field=spec_of(field), subject=change.form_subject)


def lock_review(decider: Decider, *, act_name: str) -> UnderReview:
    """The review and its change, locked until the transaction ends. Raises NotFound."""
    review = (
        Review.objects.of(decider.owner_id)
        .select_for_update(no_key=True)
        .filter(id=decider.review_id)
        .first()
    )
    if review is None or review.workspace_id != decider.workspace_id:
        raise NotFound("no such review")
    return _under(review, user_id=decider.user_id, name=act_name, now=timezone.now())


def moved(review: Review) -> ReviewMoved:
    """Who did what to the review since it was shown."""
    step = ReviewStep.objects.of(review.owner_id).filter(review_id=review.id).order_by("-at", "-id").first()
    details: dict[str, Any] = {"state": review.state, "outcome": review.outcome, "version": review.version}
    if step is not None:
        person = User.objects.filter(id=step.user_id or 0).first()
        details |= {
            "by": person.username if person else "",
            "at": step.at.isoformat(),
            "did": step.action,
            "reason": step.reason_code,
        }
    return ReviewMoved("the review has moved since it was shown", details=details)


def move_review(under: UnderReview, state: str, **columns: Any) -> None:
    """Move the review's state and version and give its lease back. From a waiting state the way leads over `open`."""
    review = under.review
    if state != review.state and state not in Review.MOVES[review.state]:
        Review.objects.of(review.owner_id).filter(id=review.id).update(state=Review.State.OPEN)
    review.state, review.version = state, review.version + 1
    review.claimed_by_id, review.claim_expires_at = None, None
    for name, value in columns.items():
        setattr(review, name, value)
    always = ["state", "version", "claimed_by_id", "claim_expires_at", "first_user_id", "takes_effect_at"]
    review.save(update_fields=[*always, *columns])


def close_review(under: UnderReview, outcome: str, user_id: int | None) -> None:
    move_review(under, Review.State.DECIDED, outcome=outcome, decided_by_id=user_id, decided_at=under.now)


def add_step(under: UnderReview, action: str, decider: Decider, **columns: Any) -> None:
    """Append what the person did, and audit it."""
    review = under.review
    ReviewStep.objects.create(
        **under.act.key(),
        review_id=review.id,
        action=action,
        user_id=decider.user_id,
        note=decider.note,
        version=review.version,
        **columns,
    )
    audit.record(
        audit.entry(
            action=f"review.{action}",
            workspace_id=review.workspace_id,
            owner_id=review.owner_id,
            object_kind="review",
            object_id=review.id,
            details={"change": str(review.change_id), "reason": columns.get("reason_code", "")},
        )
    )


def write_approved(under: UnderReview, *, edited: Any, user_id: int) -> Verdict:
    """Write the approved (or edited) candidate through the one door."""
    candidate, admission = _prepared(under, edited)
    approved: Change | None = under.change
    edits = edited_item(under.change)
    if edited is not None:
        # The person's own version is a change of its own; the proposal is merged into it.
        move_change(under.change, Change.State.MERGED, act=under.act, user_id=user_id, reason_code="edited")
        candidate, approved = replace(candidate, basis="staff"), None
    return apply_approved(
        candidate=candidate, admission=admission, approved=approved, act=under.act, edits=edits
    )


def _prepared(under: UnderReview, edited: Any) -> tuple[Any, Admission]:
    """The candidate to write and its admission; checks an edit like any other value."""
    change = under.change
    assert change.candidate is not None
    candidate: Any = from_json(change.candidate)
    norm = (change.after or {}).get("norm", "")
    if change.target_kind == Change.Target.FIELD_VERSION:
        field = load_whitelist(workspace_id=change.workspace_id).get((change.form_type, change.field_name))
        if field is None:
            raise InvalidInput(
                "the field is not on the whitelist any more", field="field", code="field_not_allowed"
            )
        if edited is not None:
            candidate = replace(candidate, value=edited)
        if edited is not None or candidate.operation == "set":
            # Also as it was proposed: the field may have become another one since.
            checked = check_value(candidate.value, field=field)
            if checked.fault:
                raise InvalidInput("the value does not fit the field", field="value", code=checked.fault)
            norm = checked.norm
    elif edited is not None and change.target_kind == Change.Target.RELATION:
        raise InvalidInput(
            "a relation is approved as it is or not at all", field="content", code="not_editable"
        )
    elif edited is not None and candidate.procedure is not None:
        raise InvalidInput("a procedure is edited by its parts", field="content", code="is_a_procedure")
    elif edited is not None:
        if not str(edited).strip():
            raise InvalidInput("the text must not be blank", field="content", code="blank")
        candidate = replace(candidate, content=str(edited))
    return candidate, Admission(
        verdict="admit", importance=change.importance, confidence=change.confidence, value_norm=norm
    )


def _check_evidence(under: UnderReview) -> None:
    if not evidence_stands(under.change, under.act.event):
        raise EvidenceMismatch("the quote does not stand in its event any more")


def _under(review: Review, *, user_id: int, name: str, now: datetime) -> UnderReview:
    change = Change.objects.of(review.owner_id).select_for_update(no_key=True).get(id=review.change_id)
    event = Event.objects.of(review.owner_id).filter(id=change.event_id).first() if change.event_id else None
    act = Act(
        owner=Owner.objects.select_related("workspace").get(id=review.owner_id),
        source=Source(
            workspace_id=review.workspace_id,
            # A person's yes makes it trusted, but no more than the owner's own word, which must be able to correct it.
            trust_tier=max(3, change.trust_tier),
            transport="desk",
            agent_id=change.agent_id,
            user_id=user_id,
            responsible_user_id=user_id,
        ),
        name=name,
        now=now,
        policy=current_policy(workspace_id=review.workspace_id).policy,
        event=event,
    )
    return UnderReview(review=review, change=change, act=act, now=now)
