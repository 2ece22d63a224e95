"""What is about to be said or done, compared with what is stored. Pure: claims and rows come in, nothing is looked up.

A claim conflicts with a stored value of the same field and subject that means something else; a value of a field that takes
several conflicts only when the claim takes it away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from memoryhub.language.names import name_key
from memoryhub.recall.asking import mentions
from memoryhub.recall.state_rows import OpenQuestion, StateRows, StoredValue
from memoryhub.recall.wording import value_text

type ClaimSource = Literal["claim", "text", "session"]

_ASKED = {
    "zh": {
        "differs": "之前（{date}）记录的“{label}”是“{stored}”，现在提到的是“{claimed}”。要更新吗，还是只是这一次的例外？",
        "ends": "之前（{date}）记录的“{label}”是“{stored}”，现在听起来不再如此。要移除吗？",
    },
    "en": {
        "differs": "On {date} “{label}” was recorded as “{stored}”; now it is “{claimed}”. Shall I update it, or is this an exception?",
        "ends": "On {date} “{label}” was recorded as “{stored}”; now it sounds as if that is over. Shall I remove it?",
    },
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One value that is taken for granted. `norm` is normalised by the field's type; `place` in the input is `index`.

    `removes`: it is said not to hold any more. `is_correction`: the owner says outright that it changed.
    """

    form_type: str
    field: str
    subject: str
    label_en: str
    label_zh: str
    value: Any
    norm: str
    source: ClaimSource
    quote: str = ""
    index: int | None = None
    slot_id: UUID | None = None
    removes: bool = False
    is_correction: bool = False

    @property
    def place(self) -> tuple[str, str, str]:
        return self.form_type, name_key(self.subject), self.field


@dataclass(frozen=True, kw_only=True, slots=True)
class Conflict:
    """A claim and the stored value it contradicts. `asked` is the open question about it, when there is one already."""

    claim: Claim
    stored: StoredValue
    question: str
    asked: OpenQuestion | None = None


def find_conflicts(
    claims: Sequence[Claim],
    rows: StateRows,
    *,
    owner_id: UUID,
    language: str,
    zone: ZoneInfo,
    is_close: Callable[[Claim, StoredValue], bool] = lambda claim, stored: False,
) -> list[Conflict]:
    """Every claim against the owner's standing values. `is_close` says that two values differ by no more than the field allows."""
    standing: dict[tuple[str, str, str], list[StoredValue]] = {}
    for value in rows.holding:
        if value.owner_id == owner_id:
            standing.setdefault((value.form_type, name_key(value.subject), value.field), []).append(value)
    found = []
    for claim in claims:
        if claim.slot_id in rows.exceptions and claim.slot_id is not None:
            continue
        for stored in _contradicted(claim, standing.get(claim.place, ()), is_close):
            asked = next((question for question in rows.questions if _is_about(question, claim)), None)
            question = asked.text if asked else question_of(claim, stored, language=language, zone=zone)
            found.append(Conflict(claim=claim, stored=stored, question=question, asked=asked))
    return found


def _contradicted(
    claim: Claim, standing: Sequence[StoredValue], is_close: Callable[[Claim, StoredValue], bool]
) -> list[StoredValue]:
    if claim.removes:
        return [stored for stored in standing if not claim.norm or stored.value_norm == claim.norm]
    if any(stored.multi_valued or stored.value_norm == claim.norm for stored in standing):
        return []
    return [stored for stored in standing if not is_close(claim, stored)]


def question_of(claim: Claim, stored: StoredValue, *, language: str, zone: ZoneInfo) -> str:
    """The sentence that is ready to be asked, in the owner's language."""
    label = claim.label_zh if language == "zh" else claim.label_en
    if claim.subject:
        label = f"{label}（{claim.subject}）" if language == "zh" else f"{label} ({claim.subject})"
    return _ASKED[language]["ends" if claim.removes else "differs"].format(
        date=f"{stored.valid_from.astimezone(zone):%Y-%m-%d}",
        label=label,
        stored=value_text(stored.value, language),
        claimed=value_text(claim.value, language),
    )


def touched_questions(
    rows: StateRows, claims: Sequence[Claim], *, spoken: str, named_fields: frozenset[tuple[str, str]]
) -> list[OpenQuestion]:
    """The open questions about what is claimed, and about fields or subjects that are spoken of. `spoken` is folded."""
    return [
        question
        for question in rows.questions
        if any(_is_about(question, claim) for claim in claims)
        or _is_spoken_of(question, spoken, named_fields)
    ]


def _is_about(question: OpenQuestion, claim: Claim) -> bool:
    return (question.form_type, name_key(question.subject), question.field) == claim.place


def _is_spoken_of(question: OpenQuestion, spoken: str, named: frozenset[tuple[str, str]]) -> bool:
    if question.subject and mentions(spoken, question.subject):
        return True
    if not question.subject and (question.form_type, question.field) in named:
        return True
    values = [str(choice.get("value") or "") for choice in question.choices]
    return any(len(value) > 1 and mentions(spoken, value) for value in values)
