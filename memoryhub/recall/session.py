"""The session leg: what the conversation itself holds comes before what is known about the user, and that before policies.

Of its contexts only the one or two that the question is about are told (sessions.relevance). A question that asks for something
the conversation does not hold is a miss, and the other legs answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memoryhub.recall import wording
from memoryhub.recall.answers import Excluded, Leg
from memoryhub.recall.asking import Question
from memoryhub.recall.forms import FormRow
from memoryhub.recall.knowing import Known
from memoryhub.recall.looking import Moment
from memoryhub.recall.ranking import Candidate
from memoryhub.recall.slots import SlotRow
from memoryhub.sessions.contexts import kind_of, name_of
from memoryhub.sessions.looking import topic_of
from memoryhub.sessions.names import SLOT_NAMES, label_of, names_in
from memoryhub.sessions.relevance import choose

LEG = "session"
ABOUT = "number"
"""The slot that says which order or ticket a context is; told only when nothing else of the context is."""
_ASKED, _OTHER = 1.0, 0.8
_NOTES = {
    "named": "the contexts that were named",
    "slot": "the contexts that hold what was asked for",
    "kind": "the contexts of the kind that was asked about",
    "latest": "the context spoken of last",
    "another_named": "something was named that the conversation is not about",
    "none": "the conversation as a whole",
}
_KINDS_ZH = {"order": "订单", "ticket": "工单", "parcel": "快递", "task": "任务", "project": "项目"}


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionLook:
    """`hit`: whether the conversation had an answer; None when there was nothing to ask it."""

    rows: tuple[SlotRow, ...] = ()
    left_out: tuple[SlotRow, ...] = ()
    answering: frozenset[str] = frozenset()
    hit: bool | None = None
    leg: Leg

    def over(self, forms: Iterable[FormRow]) -> list[FormRow]:
        """The form values that the conversation does not say itself."""
        return [row for row in forms if not self._beats(row)]

    def excluded(self, forms: Iterable[FormRow]) -> list[Excluded]:
        """The conversation's other contexts, and values of these forms that it says itself."""
        return [
            *(Excluded(kind="slot", target_id=row.id, rule="other_context") for row in self.left_out),
            *(
                Excluded(kind="form", target_id=row.id, rule="session_beats_user")
                for row in forms
                if row.holds and self._beats(row)
            ),
        ]

    def _beats(self, row: FormRow) -> bool:
        """Safety values and rules are told whatever the conversation says."""
        place = (row.form_type, row.subject, row.field)
        return not (row.safety or row.is_rule) and any(slot.place == place for slot in self.rows)


def look_into_session(
    known: Known, *, question: Question, moment: Moment, session_ref: str, wanted: bool = True
) -> SessionLook:
    """What to tell of the session; no statement, the slots came with what is known about the owner."""
    if not session_ref:
        return SessionLook(leg=Leg(state="skipped", note="no session named"))
    if not moment.is_present or not wanted:
        note = "not asked for" if moment.is_present else "asked about another time"
        return SessionLook(leg=Leg(state="skipped", note=note))
    if not known.slots:
        return SessionLook(leg=Leg(state="ok", note="nothing stands in the session"))
    by_context: dict[str, list[SlotRow]] = {}
    for row in known.slots:
        by_context.setdefault(row.context, []).append(row)
    topics = [
        topic_of(context, rows, max(row.touched_at for row in rows)) for context, rows in by_context.items()
    ]
    chosen = choose(topics, question.text)
    rows = tuple(row for context in chosen.contexts for row in _told(by_context[context]))
    answering = _answering(rows, question, known)
    asks_for_one = bool(_asked_names(question) or question.fields)
    return SessionLook(
        rows=rows,
        left_out=tuple(row for context in chosen.left_out for row in by_context[context]),
        answering=answering,
        hit=bool(answering) if asks_for_one else bool(rows),
        leg=Leg(state="ok", found=len(rows), note=_NOTES[chosen.rule]),
    )


def _told(rows: Sequence[SlotRow]) -> Iterable[SlotRow]:
    return [row for row in rows if row.name != ABOUT] or rows


def _asked_names(question: Question) -> set[str]:
    return names_in(question.text, SLOT_NAMES.keys() - {ABOUT})


def _answering(rows: Sequence[SlotRow], question: Question, known: Known) -> frozenset[str]:
    """The names of the slots that hold what was asked for: by their own name, or as the field that the question names."""
    names = _asked_names(question) | names_in(question.text, {row.name for row in rows} - {ABOUT})
    aliases = set(question.fields.values())
    asked = {(field.form_type, field.name) for field in known.fields if field.id in question.asked_fields}
    return frozenset(
        row.name
        for row in rows
        if row.name in names
        or (row.form_type, row.field) in asked
        or (row.name != ABOUT and aliases & {label_of(row.name, "en").casefold(), row.name})
    )


def session_candidates(look: SessionLook, *, known: Known) -> list[Candidate]:
    return [_candidate(row, look, known) for row in look.rows]


def _candidate(row: SlotRow, look: SessionLook, known: Known) -> Candidate:
    return Candidate(
        kind="slot",
        target_id=row.id,
        owner_id=known.owner_id,
        text=slot_text(row, known),
        occurred_at=row.set_at,
        confirmed_at=row.set_at,
        importance=_ASKED if row.name in look.answering else _OTHER,
        certainty="fact",
        source=row.said_by,
        trust_tier=row.trust_tier,
        event_ids=(row.event_id,) if row.event_id else (),
        legs=(LEG,),
        is_exact=True,
        confidence=known.policy.confidence_session,
    )


def slot_text(row: SlotRow, known: Known) -> str:
    """'Address (order A): 12 Main Street', '地址（订单A）: 浦东'."""
    language = known.language
    kind, name = kind_of(row.context), name_of(row.context)
    spoken = _KINDS_ZH.get(kind, "") + name if language == "zh" else f"{kind.replace('_', ' ')} {name}"
    if row.name == ABOUT and row.context:
        return f"正在谈{spoken}" if language == "zh" else f"The conversation is about {spoken}"
    label = _label(row, known)
    value = wording.value_text(row.value, language)
    if not row.context:
        return f"{label}: {value}"
    return f"{label}（{spoken}）: {value}" if language == "zh" else f"{label} ({spoken}): {value}"


def _label(row: SlotRow, known: Known) -> str:
    if row.name in SLOT_NAMES:
        return label_of(row.name, known.language)
    named = (field for field in known.fields if (field.form_type, field.name) == (row.form_type, row.field))
    field = next(named, None)
    return field.label(known.language) if field else label_of(row.name, known.language)
