"""An agent reports that a stored value is outdated: a change event, and the new value by the ordinary way, or a question.

Until the question is answered the old value is served marked 'being confirmed'; it stays in the history whatever comes of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memoryhub import idempotency
from memoryhub.changes.asking import REPORTED_OUTDATED
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.language.values import normalise_value
from memoryhub.models import Event, FieldVersion, Question
from memoryhub.writing.admission import Admission
from memoryhub.writing.aligning import known_subject
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.arbitration import Settlement
from memoryhub.writing.candidates import FormCandidate, Verdict
from memoryhub.writing.noting import note_event, settle_noted
from memoryhub.writing.proposing import propose_field
from memoryhub.writing.recording import NewEvent
from memoryhub.writing.screening import screened_text
from memoryhub.writing.settling import Settling, settle
from memoryhub.writing.source import Source
from memoryhub.writing.structured import check_text, close_act, expect_version, open_act
from memoryhub.writing.verdicts import as_json


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """Which value is outdated and why it is thought so. `value` names the one of several; `new_value` None: not known."""

    form_type: str
    field: str
    subject: str = ""
    value: Any = None
    new_value: Any = None
    event_id: UUID | None = None
    quote: str = ""
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reported:
    """`event_id` is the change event; `question_id` what the owner is asked, None when nothing has to be asked."""

    verdict: Verdict
    event_id: UUID
    question_id: UUID | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            **as_json([self.verdict])[0],
            "event": str(self.event_id),
            "question": str(self.question_id) if self.question_id else None,
        }


@run_again_when_busy
def report_outdated(*, owner_id: UUID, report: Report, expected_version: int, source: Source) -> Reported:
    """Report it. With a new value that is written as any other (trust, gates and conflict policy hold), without one the owner is asked.

    The same report again points at the open question. Raises InvalidInput without any evidence, NotFound when no value stands
    or the evidence is no event of this owner, VersionMoved, QuotaExceeded, and the owner errors.
    """
    _check(report)
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        idempotency.take_claim()
        settling = open_act(
            owner_id,
            source,
            name="report_outdated",
            evidence_event_id=report.event_id,
            text=screened_text(report.subject, report.new_value, report.quote, report.reason),
        )
        act = settling.act
        lock_items(act=act)
        subject = known_subject(owner_id=owner_id, form_type=report.form_type, subject=report.subject)
        standing = _standing(owner_id, report, subject)
        expect_version(owner_id, report.form_type, subject, report.field, expected_version)
        noted = note_event(_change_event(report, standing, act.event), act=act)
        if report.new_value is None:
            verdict = _ask(standing, subject, report, settling, noted)
        else:
            verdict = _replace(standing, subject, report, settling, noted)
        close_act(settling)
        settle_noted(noted, [verdict])
        asked = (
            Question.objects.of(owner_id)
            .filter(change_id=verdict.change_id, state=Question.State.OPEN)
            .values_list("id", flat=True)
        )
        reported = Reported(
            verdict=verdict, event_id=noted.id, question_id=asked.first() if verdict.change_id else None
        )
        idempotency.keep_answer(reported.as_json())
    return reported


def _check(report: Report) -> None:
    check_text(
        {
            "subject": report.subject,
            "value": report.value,
            "new_value": report.new_value,
            "evidence": {"quote": report.quote},
            "reason": report.reason,
        }
    )
    if report.event_id is None and not report.quote.strip():
        raise InvalidInput(
            "what shows it: an event of the owner, or words", field="evidence", code="evidence_missing"
        )


def _standing(owner_id: UUID, report: Report, subject: str) -> FieldVersion:
    """The value that is reported. Of several the report has to say which."""
    versions = FieldVersion.objects.of(owner_id).filter(
        form__form_type__name=report.form_type,
        form__subject=subject,
        field__name=report.field,
        status=FieldVersion.Status.ACTIVE,
    )
    found = list(versions.select_related("field").order_by("-version"))
    if report.value is not None:
        found = [
            each for each in found if each.value_norm == normalise_value(report.value, each.field.value_type)
        ]
    if not found:
        raise NotFound("no such value stands")
    if len(found) > 1:
        raise InvalidInput("several values stand: say which", field="value", code="which_value")
    return found[0]


def _change_event(report: Report, standing: FieldVersion, evidence: Event | None) -> NewEvent:
    return NewEvent(
        role="tool",
        action="change",
        content=report.quote,
        subject=report.field,
        session_ref=evidence.session_ref if evidence else "",
        before=standing.value,
        after=report.new_value,
        reason=report.reason,
        caused_by_id=evidence.id if evidence else None,
        form_type=report.form_type,
        form_subject=report.subject,
        field_name=report.field,
        metadata={"reported": "outdated", "version": standing.version},
    )


def _replace(
    standing: FieldVersion, subject: str, report: Report, settling: Settling, noted: Event
) -> Verdict:
    """The new value as any other write; it rests on the owner's words where they were named, else on the report."""
    act = settling.act
    by_owner = act.event is not None and act.event.role == Event.Role.USER and bool(report.quote)
    if act.event is None:
        act.event = noted
    if standing.field.multi_valued:
        settle(_removal(standing, subject, report, by_owner=by_owner), settling=settling)
    return settle(
        FormCandidate(
            form_type=report.form_type,
            field=report.field,
            subject=subject,
            value=report.new_value,
            quote=report.quote,
            basis="stated" if by_owner else "observed",
            explicit_correction=by_owner,
        ),
        settling=settling,
    )


def _ask(standing: FieldVersion, subject: str, report: Report, settling: Settling, noted: Event) -> Verdict:
    """Propose that the value ends, and put that to the owner; a source that is not trusted is put before a person first."""
    act = settling.act
    gates = [REPORTED_OUTDATED]
    if act.source.trust_tier <= act.policy.untrusted_up_to_tier:
        gates.append("low_trust")
    if "instruction_like" in settling.flags:
        gates.append("instruction_like")
    if act.event is None:
        act.event = noted
    return propose_field(
        candidate=_removal(standing, subject, report, by_owner=False),
        admission=Admission(
            verdict="review",
            gates=tuple(gates),
            importance=standing.importance,
            confidence=act.policy.default_confidence,
            value_norm=standing.value_norm if standing.field.multi_valued else "",
        ),
        settlement=Settlement(action="propose", code=REPORTED_OUTDATED),
        standing=standing,
        act=act,
    )


def _removal(standing: FieldVersion, subject: str, report: Report, *, by_owner: bool) -> FormCandidate:
    return FormCandidate(
        form_type=report.form_type,
        field=report.field,
        subject=subject,
        value=standing.value if standing.field.multi_valued else None,
        operation="remove",
        quote=report.quote,
        basis="stated" if by_owner else "observed",
        explicit_correction=by_owner,
    )
