"""What an answer is taken for, and what it does to the change that waited for it. In the transaction of the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from memoryhub.changes.tombstones import bury_change
from memoryhub.changes.understanding import understand
from memoryhub.exceptions import InvalidInput
from memoryhub.language.masking import masked
from memoryhub.language.text import find_text_fault
from memoryhub.models import Change, Question, Review, new_id
from memoryhub.sessions.excepting import keep_for_the_session
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission
from memoryhub.writing.approving import apply_approved, move_change
from memoryhub.writing.candidates import FormCandidate, Turn, Verdict
from memoryhub.writing.extraction import extract
from memoryhub.writing.proposing import from_json
from memoryhub.writing.screening import screen, screened_text
from memoryhub.writing.settling import Settling, settle
from memoryhub.writing.whitelist import check_value, load_whitelist

ANSWERS = ("new", "keep", "exception")
"""The new value holds; the old one holds; the new one was meant for this once."""
MOST_WORDS = 4_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """An answer as it came in: one of ANSWERS, or a third `value`, or words (`text`) alone, which are read.

    Once read, `answer` may also be 'value' or 'words' (words that nobody can be sure of).
    """

    answer: str = ""
    value: Any = None
    text: str = ""

    def check(self) -> None:
        """Raise InvalidInput for an answer that is none, two at once, or unusable text."""
        if self.answer and self.answer not in ANSWERS:
            raise InvalidInput("answer is one of " + ", ".join(ANSWERS), field="answer", code="not_a_choice")
        if self.answer and self.value is not None:
            raise InvalidInput("an answer or a value of its own, not both", field="value", code="two_answers")
        if not (self.answer or self.value is not None or self.text.strip()):
            raise InvalidInput("an answer, a value or the owner's words", field="answer", code="blank")
        for name, given in (("value", self.value), ("text", self.text)):
            if fault := find_text_fault(given, field=name, max_length=MOST_WORDS):
                raise InvalidInput(fault.code.replace("_", " "), field=fault.field or name, code=fault.code)

    def as_json(self) -> dict[str, Any]:
        """What the question keeps of it."""
        return {"choice": self.answer} | ({"value": masked(self.value)} if self.answer == "value" else {})


def read_reply(reply: Reply, *, question: Question, change: Change | None, act: Act) -> Reply:
    """The reply with what it is taken for. Raises InvalidInput for an answer that was not offered and a value that does not fit."""
    offered = [str(choice["code"]) for choice in question.choices]
    if reply.answer:
        if offered and reply.answer not in offered:
            raise InvalidInput(
                "was not offered", field="answer", code="not_a_choice", details={"offered": offered}
            )
        return reply
    if reply.value is not None:
        return _with_value(reply, question, change, act)
    if understood := understand(reply.text, kind=question.kind, choices=question.choices):
        return replace(reply, answer=understood)
    value = _value_in(reply.text, question, act)
    if value is not None:
        return _with_value(replace(reply, value=value), question, change, act)
    return replace(reply, answer="words")


def _with_value(reply: Reply, question: Question, change: Change | None, act: Act) -> Reply:
    """A value that is one of the two asked about is that answer; any other stands for itself."""
    if change is None or change.target_kind != Change.Target.FIELD_VERSION:
        raise InvalidInput("this question is not about a field", field="value", code="no_field")
    field = load_whitelist(workspace_id=act.source.workspace_id).get(
        (question.form_type, question.field_name)
    )
    if field is None:
        raise InvalidInput("the field is not in use any more", field="value", code="field_not_allowed")
    checked = check_value(reply.value, field=field)
    if checked.fault:
        raise InvalidInput("the value does not fit the field", field="value", code=checked.fault)
    for choice in question.choices:
        known = choice.get("value")
        if known is not None and check_value(known, field=field).norm == checked.norm:
            return replace(reply, answer=str(choice["code"]), value=None)
    return replace(reply, answer="value")


def _value_in(text: str, question: Question, act: Act) -> Any:
    """The value that the rules of the write path read in the words for the field that was asked about, if one."""
    fields = load_whitelist(workspace_id=act.source.workspace_id)
    turn = Turn(event_id=new_id(), text=text, role="user", occurred_at=act.now, zone=act.owner.zone)
    found = [
        candidate.value
        for candidate in extract(turn, fields=fields).candidates
        if isinstance(candidate, FormCandidate)
        and (candidate.form_type, candidate.field) == (question.form_type, question.field_name)
        and candidate.operation == "set"
    ]
    return found[0] if len(found) == 1 else None


def settle_reply(read: Reply, *, question: Question, change: Change | None, act: Act) -> list[Verdict]:
    """Do what the answer says; who brings it must be trusted to speak for the owner, else a person decides."""
    if change is None:
        return []
    open_reviews = (
        Review.objects.of(change.owner_id).filter(change_id=change.id).exclude(state=Review.State.DECIDED)
    )
    review = open_reviews.first()
    is_heard = act.source.trust_tier > act.policy.untrusted_up_to_tier
    is_for_two = review is not None and review.is_top_class and read.answer in ("new", "value")
    if not is_heard or is_for_two or read.answer == "words":
        # The owner's answer is evidence for the people who decide, not a way around them.
        open_reviews.update(state=Review.State.OPEN)
        return []
    act.source = replace(act.source, trust_tier=max(3, act.source.trust_tier))
    verdicts: list[Verdict] = []
    match read.answer:
        case "new":
            verdicts.append(_apply(change, act))
        case "value":
            move_change(change, Change.State.REJECTED, act=act, user_id=None, reason_code="another_value")
            verdicts.append(_write(read, change, act))
        case _:
            code = "owner_kept" if read.answer == "keep" else "exception"
            move_change(change, Change.State.REJECTED, act=act, user_id=None, reason_code=code)
            if read.answer == "keep":
                bury_change(change, reason_code=code)
            else:
                keep_for_the_session(change, act=act)
    open_reviews.update(
        state=Review.State.DECIDED,
        outcome=Review.Outcome.APPROVED if read.answer == "new" else Review.Outcome.REJECTED,
        decided_at=act.now,
    )
    return verdicts


def _apply(change: Change, act: Act) -> Verdict:
    assert change.candidate is not None
    admission = Admission(
        verdict="admit",
        importance=change.importance,
        confidence=change.confidence,
        value_norm=(change.after or {}).get("norm", ""),
    )
    return apply_approved(
        candidate=from_json(change.candidate), admission=admission, approved=change, act=act
    )


def _write(read: Reply, change: Change, act: Act) -> Verdict:
    """The third value walks the ordinary way, on the owner's word. Raises InvalidInput when it is refused there."""
    assert act.event is not None
    candidate = FormCandidate(
        form_type=change.form_type,
        field=change.field_name,
        subject=change.form_subject,
        value=read.value,
        quote=read.text if read.text and read.text in act.event.content else act.event.content,
        basis="corrected",
        explicit_correction=True,
    )
    settling = Settling(
        act=act,
        whitelist=load_whitelist(workspace_id=act.source.workspace_id),
        flags=frozenset(screen(screened_text(read.value, read.text), role="user").flags),
    )
    verdict = settle(candidate, settling=settling)
    if verdict.outcome == "refused":
        raise InvalidInput("the value is not accepted", field="value", code=verdict.code)
    return verdict
