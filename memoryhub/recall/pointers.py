"""Words of a question that point at something without naming it, and what they are taken for. Pure.

'what I just said' is a turn of the session, 'the usual' a usual request or the preferences, 'how is that issue going' the
newest incident that is open. One that fits several things tells them all as choices.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from memoryhub.language.patterns import lazy_pattern
from memoryhub.language.text import clean
from memoryhub.language.tokens import query_tokens
from memoryhub.recall.answers import Leg, PointedAt, PointerAnswer
from memoryhub.recall.asking import Question, mentions
from memoryhub.recall.pointed import Pointed, PointedValue, Pointing, Turn
from memoryhub.recall.slots import SlotRow
from memoryhub.sessions.contexts import kind_of, kinds_in, name_of, named_in

type PointerKind = Literal["just_said", "usual", "issue"]

LEG = "pointers"
USUAL_TYPE, USUAL_FIELD, ISSUE_TYPE = "preferences", "usual_request", "incident"
SETTLED = frozenset({"solved", "resolved", "closed", "done", "cancelled", "rejected"})
MOST_CHOICES = 8
_STATUS = "status"

_ISSUE_ZH = r"(?:问题|問題|故障|报修|報修|投诉|投訴|工单|工單|毛病|事故)"
_PATTERNS: tuple[tuple[PointerKind, re.Pattern[str]], ...] = (
    (
        "just_said",
        lazy_pattern(
            r"(?P<agent_zh>你)?(?:刚才|刚刚|剛才|剛剛|方才|刚|剛)我?(?:已经|已經)?(?:说|說|讲|講|提|告诉你|告訴你|聊)(?:到|过|過)?(?:的|了)?(?:那个|那個|那些|这个|這個)?"
            r"|(?:刚才|刚刚|剛才|剛剛)(?:的|那个|那個)|(?:上面|前面)(?:说|說|提|讲|講)(?:到|过|過)?的"
            r"|\bwhat\s+(?:i|we)(?:'ve|\s+have)?\s+just\s+(?:said|told\s+you|mentioned|talked\s+about|discussed)\b"
            r"|\b(?:i|we)(?:'ve|\s+have)?\s+just\s+(?:said|told\s+you|mentioned|talked\s+about|discussed)\b"
            r"|\b(?P<agent_en>you)(?:'ve|\s+have)?\s+just\s+(?:said|told\s+me|mentioned)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "usual",
        lazy_pattern(
            r"老规矩|老規矩|老样子|老樣子|照旧|照舊|跟(?:平时|往常)一样|和(?:平时|往常)一样"
            r"|\b(?:the|my)\s+usual\b(?!\s+(?:suspects|way))|\bas\s+usual\b|\bsame\s+as\s+(?:always|usual)\b|\blike\s+always\b",
            re.IGNORECASE,
        ),
    ),
    (
        "issue",
        lazy_pattern(
            rf"(?:那个|那個|那|这个|這個|上次(?:那个|那個|的)?|之前(?:那个|那個|的)?|我的){_ISSUE_ZH}(?=.{{0,12}}(?:怎么样|怎麼樣|怎样|如何|解决|解決|处理|處理|修好|好了|进展|進展|进度|進度|结果|結果|状态|狀態|到哪))"
            r"|\b(?:how|what|any|is|has|did|where)\b[^.?!\n]{0,40}\b(?:that|the|this|my)\s+(?:last\s+|latest\s+|open\s+)?"
            r"(?:issue|problem|incident|ticket|complaint|fault|case)\b(?!\s+(?:of|with|number|no\b|#|[A-Z]*-?\d))",
            re.IGNORECASE,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """One pointer, the words that are it, and whether it points at what the agent said."""

    kind: PointerKind
    words: str
    by_agent: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolved:
    """What a pointer was taken for. `searched` joins what is looked for; `names` are (kind, name) that are thereby named."""

    answer: PointerAnswer
    searched: str = ""
    names: tuple[tuple[str, str], ...] = ()
    evidence: frozenset[UUID] = frozenset()

    @property
    def ids(self) -> frozenset[UUID]:
        """What to tell: the thing it was taken for with the events that tell of it, or every choice where none was."""
        return frozenset(target.id for target in self.answer.taken or self.answer.choices) | self.evidence


def pointers_in(text: str) -> tuple[Pointer, ...]:
    """The pointers of a question, one of a kind, in the order just said, usual, issue."""
    cleaned = clean(text)
    found = ((kind, pattern.search(cleaned)) for kind, pattern in _PATTERNS)
    return tuple(
        Pointer(
            kind,
            match[0].strip(),
            by_agent=bool({"agent_zh", "agent_en"} & {k for k, v in match.groupdict().items() if v}),
        )
        for kind, match in found
        if match
    )


def pointing(
    pointers: Sequence[Pointer], *, valid_at: datetime | None, known_at: datetime | None
) -> Pointing:
    """What has to be read to resolve them."""
    types = {"usual": USUAL_TYPE, "issue": ISSUE_TYPE}
    return Pointing(
        turns=any(pointer.kind == "just_said" for pointer in pointers),
        types=tuple(types[pointer.kind] for pointer in pointers if pointer.kind in types),
        troubles=any(pointer.kind == "issue" for pointer in pointers),
        valid_at=valid_at,
        known_at=known_at,
    )


def resolve(
    pointers: Sequence[Pointer], *, question: Question, pointed: Pointed, slots: Sequence[SlotRow]
) -> tuple[Resolved, ...]:
    """What each pointer is taken for."""
    return tuple(_resolved(pointer, question, pointed, slots) for pointer in pointers)


def _resolved(pointer: Pointer, question: Question, pointed: Pointed, slots: Sequence[SlotRow]) -> Resolved:
    match pointer.kind:
        case "just_said":
            return _just_said(pointer, question, pointed.turns, slots)
        case "usual":
            return _usual(pointer, question, [v for v in pointed.values if v.form_type == USUAL_TYPE])
        case "issue":
            return _issue(pointer, _troubles(pointed), slots)


def _answer(
    pointer: Pointer, taken: Sequence[PointedAt] = (), choices: Sequence[PointedAt] = ()
) -> PointerAnswer:
    state: Literal["resolved", "ambiguous", "unresolved"] = (
        "ambiguous" if choices else "resolved" if taken else "unresolved"
    )
    return PointerAnswer(
        pointer=pointer.kind,
        words=pointer.words,
        state=state,
        taken=tuple(taken),
        choices=tuple(choices[:MOST_CHOICES]),
    )


# --- what was just said ---------------------------------------------------------------------------------------------


def _just_said(
    pointer: Pointer, question: Question, turns: Sequence[Turn], slots: Sequence[SlotRow]
) -> Resolved:
    """The newest turn that shares a word with the rest of the question, else the newest; of several contexts of the kind
    that was asked about, the choices."""
    if contexts := _rival_contexts(question, slots):
        return Resolved(answer=_answer(pointer, choices=[_context(context, slots) for context in contexts]))
    role = "assistant" if pointer.by_agent else "user"
    said = [turn for turn in turns if turn.role == role and clean(turn.content).casefold() != question.folded]
    if not said:
        return Resolved(answer=_answer(pointer))
    rest = frozenset(query_tokens(question.text.replace(pointer.words, " ")))
    shared = {turn.id: len(rest & frozenset(query_tokens(turn.content))) for turn in said}
    best = max(said, key=lambda turn: shared[turn.id])  # of equal ones the first, which is the newest
    target = PointedAt(kind="event", id=best.id, text=best.content)
    return Resolved(answer=_answer(pointer, [target]), searched=best.content)


def _rival_contexts(question: Question, slots: Sequence[SlotRow]) -> list[str]:
    """The contexts between which the question does not choose: of a kind it speaks of without naming one, two or more."""
    if named_in(question.text):
        return []
    kinds = kinds_in(question.text)
    latest: dict[str, SlotRow] = {}
    for slot in slots:
        if (
            slot.context
            and kind_of(slot.context) in kinds
            and not mentions(question.folded, name_of(slot.context))
        ):
            latest.setdefault(slot.context, slot)
    return (
        sorted(latest, key=lambda context: latest[context].touched_at, reverse=True)
        if len(latest) > 1
        else []
    )


def _context(context: str, slots: Sequence[SlotRow]) -> PointedAt:
    first = next(slot for slot in slots if slot.context == context)
    return PointedAt(kind="slot", id=first.id, text=f"{kind_of(context)} {name_of(context)}")


# --- the usual ------------------------------------------------------------------------------------------------------


def _usual(pointer: Pointer, question: Question, values: Sequence[PointedValue]) -> Resolved:
    """The usual request; of several the one whose topic the question mentions; without any, the preferences."""
    requests = [value for value in values if value.field == USUAL_FIELD]
    about = [value for value in requests if value.subject and mentions(question.folded, value.subject)]
    fitting = about or [value for value in requests if not value.subject] or requests
    if len(fitting) > 1:
        return Resolved(answer=_answer(pointer, choices=[_form(value) for value in fitting]))
    told = (
        fitting
        or [value for value in values if not value.subject or mentions(question.folded, value.subject)]
        or values[:MOST_CHOICES]
    )
    return Resolved(
        answer=_answer(pointer, [_form(value) for value in told[:MOST_CHOICES]]),
        searched=" ".join(_words(value) for value in fitting),
    )


# --- that issue -----------------------------------------------------------------------------------------------------


def _issue(pointer: Pointer, values: Sequence[PointedValue], slots: Sequence[SlotRow]) -> Resolved:
    """The ticket the session is about; else the newest open incident with its status, the other open ones as choices; when
    none is open, the newest that was."""
    in_session = list(dict.fromkeys(slot.context for slot in slots if kind_of(slot.context) == "ticket"))
    if len(in_session) == 1:
        return _of_session(pointer, in_session[0], values, slots)
    incidents: dict[tuple[str, str], list[PointedValue]] = {}
    for value in values:  # newest first
        own_key = str(value.id) if value.form_type == "event" else value.subject
        incidents.setdefault((value.form_type, own_key), []).append(value)
    open_ones = [own for own in incidents.values() if not _is_settled(own)]
    taken = next(iter(open_ones or incidents.values()), [])
    choices = [_incident(own) for own in open_ones] if len(open_ones) > 1 else []
    told = (own[0] for own in (open_ones or [taken]) if own)
    subjects = (first.subject for first in told if first.form_type == ISSUE_TYPE)
    return Resolved(
        answer=_answer(pointer, [_form(value) for value in taken], choices),
        searched=" ".join(_words(value) for value in taken),
        evidence=frozenset(
            value.event_id for value in taken if value.event_id and value.form_type != ISSUE_TYPE
        ),
        names=tuple(("ticket", subject) for subject in subjects if subject),
    )


def _of_session(
    pointer: Pointer, context: str, values: Sequence[PointedValue], slots: Sequence[SlotRow]
) -> Resolved:
    name = name_of(context)
    own = [value for value in values if value.subject.casefold() == name.casefold()]
    taken = [_context(context, slots), *(_form(value) for value in own)]
    return Resolved(answer=_answer(pointer, taken), searched=name, names=(("ticket", name),))


def _is_settled(incident: Sequence[PointedValue]) -> bool:
    return any(value.field == _STATUS and str(value.value).casefold() in SETTLED for value in incident)


def _incident(own: Sequence[PointedValue]) -> PointedAt:
    """An incident as one choice: by its status when it has one."""
    first = next((value for value in own if value.field == _STATUS), own[0])
    said = [str(value.value) for value in own if value.field in {"subject", "device"}]
    return PointedAt(
        kind=_KINDS.get(first.form_type, "form"),
        id=first.id,
        text=" ".join([*filter(None, [first.subject]), *said, str(first.value)]),
    )


def _troubles(pointed: Pointed) -> list[PointedValue]:
    """Incidents, open relations and complaints, newest first; what an incident was learned from is not another trouble."""
    incidents = [value for value in pointed.values if value.form_type == ISSUE_TYPE]
    told = {value.event_id for value in incidents}
    others: list[PointedValue] = []
    for value in sorted(pointed.troubles, key=lambda value: value.form_type == "event"):
        if value.event_id is None or value.event_id not in told:
            others.append(value)
            told.add(value.event_id)
    return sorted([*incidents, *others], key=lambda value: value.at, reverse=True)


_KINDS: dict[str, Literal["event", "relation"]] = {"event": "event", "relation": "relation"}


def _form(value: PointedValue) -> PointedAt:
    return PointedAt(
        kind=_KINDS.get(value.form_type, "form"),
        id=value.id,
        text=": ".join(filter(None, [value.subject, str(value.value)])),
    )


def _words(value: PointedValue) -> str:
    return f"{value.subject} {value.value}".strip()


# --- into the question ----------------------------------------------------------------------------------------------


def pointed_question(question: Question, resolved: Sequence[Resolved]) -> Question:
    """The question as it is searched: with the words, names and ids of what its pointers were taken for."""
    if not resolved:
        return question
    searched = " ".join(filter(None, (each.searched for each in resolved)))
    settled = {each.answer.pointer for each in resolved if each.answer.state != "unresolved"}
    return replace(
        question,
        searched=searched,
        tokens=tuple(dict.fromkeys([*question.tokens, *query_tokens(searched)])),
        names=tuple(dict.fromkeys([*question.names, *(name for each in resolved for _, name in each.names)])),
        pointed=frozenset(target for each in resolved for target in each.ids),
        # 'what I just said' is that turn, not everything of late
        intents=question.intents - ({"recent"} if "just_said" in settled else set()),
    )


def report(resolved: Sequence[Resolved]) -> Leg:
    """What the pointers were taken for, by kinds and ids: what people said stays out of traces."""
    if not resolved:
        return Leg(state="skipped", note="no pointer")
    return Leg(
        state="ok",
        found=sum(len(each.ids) for each in resolved),
        note="; ".join(_told(each.answer) for each in resolved),
    )


def _told(answer: PointerAnswer) -> str:
    targets = answer.taken or answer.choices
    ids = ", ".join(f"{target.kind} {target.id}" for target in targets)
    return f"{answer.pointer}: {answer.state}{f' ({ids})' if ids else ''}"
