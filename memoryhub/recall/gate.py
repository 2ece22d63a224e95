"""The hard entity gate: a question about one order is not answered with another one. Pure.

What the question names binds; of a kind it does not name, what the open context of the session is about. Kept out is what is
bound only to others of such a kind and does not speak of any thing that is asked for. Rules and safety values pass.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memoryhub.language.names import name_key
from memoryhub.recall.answers import Excluded, Kind, Leg
from memoryhub.recall.asking import mentions
from memoryhub.recall.events import EventRow
from memoryhub.recall.forms import FormRow
from memoryhub.recall.items import ItemRow
from memoryhub.recall.naming import GATED_KINDS, KIND_OF_FORM, Names, frozen, is_same, names_in_text
from memoryhub.sessions.contexts import kind_of, name_of

RULE = "other_entity"
LEG = "gate"

_ASKS_FOR_OTHERS = re.compile(
    r"其他|其它|别的|別的|另外|另一|所有|全部|哪些|哪几|哪幾|各个|各個|都有|一共|总共|對比|对比|比较|比較"
    r"|\b(?:other|others|another|all|every|each|which|list|compare|any)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Bound:
    """What a memory is about: names by kind, and the words it is told in."""

    names: Names
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The names that bind, by kind, and those of them that the session gave."""

    names: Names = field(default_factory=dict)
    of_session: frozenset[str] = frozenset()

    def keeps_out(self, bound: Bound) -> str:
        """The kind by which a memory is kept out, or ''."""
        if not self.names or _speaks_of(bound, self.names):
            return ""
        return next((kind for kind in self.names if bound.names.get(kind)), "")


def asked_names(
    text: str,
    *,
    contexts: Iterable[str] = (),
    subjects: Iterable[tuple[str, str]] = (),
    pointed: Iterable[tuple[str, str]] = (),
    loose: Collection[str] = (),
    same: Mapping[str, frozenset[str]] | None = None,
) -> Asked:
    """What a question asks about. `contexts` are those of the session that matter for it; `subjects` (kind, name) are things
    that are known by name, which count when the question mentions them; `pointed` are those that a pointer was taken for. Kinds
    in `loose` tell nothing apart; `same` has the other names of a thing."""
    folded = text.casefold()
    named = names_in_text(text)
    for kind, name in subjects:
        if mentions(folded, name):
            named.setdefault(kind, set()).add(name_key(name))
    by_pointer: dict[str, set[str]] = {}
    for kind, name in pointed:
        by_pointer.setdefault(kind, set()).add(name_key(name))
    named = {**by_pointer, **named}
    of_session: dict[str, set[str]] = {}
    if not _ASKS_FOR_OTHERS.search(text):
        for context in contexts:
            if kind_of(context) in GATED_KINDS and kind_of(context) not in named:
                of_session.setdefault(kind_of(context), set()).add(name_key(name_of(context)))
    every = {**of_session, **named}
    for own in every.values():
        own.update(*((same or {}).get(name, ()) for name in list(own)))
    both = frozen({kind: own for kind, own in every.items() if kind not in loose})
    return Asked(names=both, of_session=frozenset(both.keys() & of_session.keys()))


def _speaks_of(bound: Bound, asked: Names) -> bool:
    """Whether a memory is about, or mentions, any thing that is asked for."""
    own = ((kind, name) for kind, names in bound.names.items() for name in names)
    if any(is_same(name, other) for kind, name in own for other in asked.get(kind, ())):
        return True
    folded = bound.text.casefold()
    return any(mentions(folded, name) for names in asked.values() for name in names)


def form_subject(row: FormRow) -> tuple[str, str] | None:
    """What a form is about, as kind and name; None for a form without a subject or of no gated kind."""
    kind = row.form_type if row.form_type in GATED_KINDS else KIND_OF_FORM.get(row.form_type, "")
    return (kind, row.subject) if kind and row.subject else None


def bound_form(row: FormRow) -> Bound:
    subject = form_subject(row)
    names: dict[str, frozenset[str]] = {}
    if subject is not None and not (row.safety or row.is_rule):
        names = {subject[0]: frozenset({name_key(subject[1])})}
    return Bound(names=names, text=f"{row.subject} {row.value}")


def bound_event(row: EventRow, known: Mapping[str, str]) -> Bound:
    kind = row.form_type if row.form_type in GATED_KINDS else KIND_OF_FORM.get(row.form_type, "")
    given = [(kind, row.form_subject)] if kind and row.form_subject else []
    text = " ".join((row.content, row.subject, row.form_subject, row.actor, *row.entities))
    return _bound(text, [*given, *_known([row.subject], known), *_spoken_of(row.content, known)])


def bound_item(row: ItemRow, known: Mapping[str, str]) -> Bound:
    names = [row.subject_entity, *row.entities]
    text = " ".join((row.content, *names))
    return _bound(text, [*_known(names, known), *_spoken_of(row.content, known)])


def _known(names: Sequence[str], known: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(known[key], name) for name in names if (key := name_key(name)) in known]


def _spoken_of(text: str, known: Mapping[str, str]) -> list[tuple[str, str]]:
    """Known things that a memory mentions. Persons are not: who is greeted in a sentence is not what it is about."""
    folded = text.casefold()
    return [
        (kind, key)
        for key, kind in known.items()
        if kind != "person" and key in folded and mentions(folded, key)
    ]


def _bound(text: str, given: Iterable[tuple[str, str]]) -> Bound:
    names = names_in_text(text)
    for kind, name in given:
        names.setdefault(kind, set()).add(name_key(name))
    return Bound(names=frozen(names), text=text)


@dataclass(frozen=True, kw_only=True, slots=True)
class Passed:
    """What may be told of the rows, and what may not."""

    forms: list[FormRow]
    events: list[EventRow]
    items: list[ItemRow]
    excluded: tuple[Excluded, ...]
    leg: Leg


def subjects_of(forms: Iterable[FormRow]) -> dict[str, str]:
    """The kind of each thing that some form is about, by the key of its name."""
    subjects = (subject for row in forms if (subject := form_subject(row)))
    return {name_key(name): kind for kind, name in subjects}


def let_pass(
    asked: Asked,
    *,
    forms: Sequence[FormRow],
    events: Sequence[EventRow],
    items: Sequence[ItemRow],
    known: Mapping[str, str],
) -> Passed:
    """The rows that are not about something else. `known` gives the kind of a thing by its key."""
    if not asked.names:
        leg = Leg(state="skipped", note="nothing named")
        return Passed(forms=list(forms), events=list(events), items=list(items), excluded=(), leg=leg)
    out: list[Excluded] = []
    kept_forms = [row for row in forms if _passes("form", row, bound_form(row), asked, out, told=row.holds)]
    kept_events = [row for row in events if _passes("event", row, bound_event(row, known), asked, out)]
    kept_items = [row for row in items if _passes("item", row, bound_item(row, known), asked, out)]
    leg = Leg(state="ok", found=len(out), note=_note(asked))
    return Passed(forms=kept_forms, events=kept_events, items=kept_items, excluded=tuple(out), leg=leg)


def _passes(
    kind: Kind,
    row: FormRow | EventRow | ItemRow,
    bound: Bound,
    asked: Asked,
    out: list[Excluded],
    *,
    told: bool = True,
) -> bool:
    if not asked.keeps_out(bound):
        return True
    if told:
        out.append(Excluded(kind=kind, target_id=row.id, rule=RULE))
    return False


def _note(asked: Asked) -> str:
    """Kinds only: what a person said stays out of traces."""
    parts = [
        f"{kind} of the session" if kind in asked.of_session else f"{kind} named in the question"
        for kind in sorted(asked.names)
    ]
    return ", ".join(parts)
