"""Whether an answer of `/context/` shows what a checkpoint asks for. Pure.

A value counts as shown when it holds as data *and* its line stands in the block that a model reads. Spellings compare without
regard to case, width and spaces; one of two characters or more may be part of the value ('grey' in 'grey wool'), a shorter one is
the whole of it. A stale value is one that the path has left behind, or that was refused or never decided.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memoryhub.evaluation.decisions import Check, PathStep
from memoryhub.language.values import normalise_value
from memoryhub.recall.context import ContextAnswer, Decision
from memoryhub.recall.forms import FormRow

CURRENT_SECTIONS = frozenset({"rules", "session", "forms"})
"""Sections of the block whose lines say what holds now."""

_SHORTEST_PART = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """`path` is None where the check asks for none; `stale`: something outdated is shown as holding now."""

    current: bool
    path: bool | None
    stale: bool
    faults: tuple[str, ...] = ()


def judge(check: Check, answer: ContextAnswer) -> Verdict:
    """The verdict on one checkpoint; `faults` say in words what is not as it should be."""
    holding = [row for row in (*answer.forms, *answer.rules) if row.owner_id == answer.owner_id]
    told = [entry.text for entry in answer.served if entry.section in CURRENT_SECTIONS]
    current = list(_current_faults(check, answer, holding, told))
    path = list(_path_faults(check, answer)) if len(check.path) > 1 else []
    stale = list(_stale_faults(check, holding, told, answer.decisions))
    return Verdict(
        current=not current,
        path=not path if len(check.path) > 1 else None,
        stale=bool(stale),
        faults=(*current, *path, *stale),
    )


def _current_faults(
    check: Check, answer: ContextAnswer, holding: Sequence[FormRow], told: Sequence[str]
) -> Iterable[str]:
    if check.now:
        rows = [row for row in holding if _is_about(row, check)]
        fitting = [row for row in rows if fits(row.value, check.now, row.value_type)]
        if not fitting:
            yield f"current: {check.now[0]} expected, {[row.value for row in rows]} held"
        elif not _is_told(fitting, answer):
            yield f"current: {check.now[0]} holds, but no line of the block says so"
    yield from (f"kept: nothing says {text}" for text in check.keeps if not _says(told, text))
    yield from (
        f"shown: {text} is not in the block" for text in check.shows if not _says([answer.text], text)
    )
    yield from (f"hidden: {text} is in the block" for text in check.hides if _says([answer.text], text))
    yield from (
        f"refused: nothing tells of {text}" for text in check.refused if not _says([answer.text], text)
    )


def _is_told(rows: Sequence[FormRow], answer: ContextAnswer) -> bool:
    """Whether a line of what holds stands for one of the rows; the conversation's own line may say it in its place."""
    ids = {row.id for row in rows}
    lines = [entry for entry in answer.served if entry.section in CURRENT_SECTIONS]
    return any(
        ids & set(entry.ids) or (entry.kind == "slot" and _says([entry.text], str(row.value)))
        for entry in lines
        for row in rows
    )


def _path_faults(check: Check, answer: ContextAnswer) -> Iterable[str]:
    about = [
        decision
        for decision in answer.decisions
        if decision.current.owner_id == answer.owner_id and _is_about(decision.current, check)
    ]
    if any(_is_the_path(decision, check.path, answer) for decision in about):
        return
    yield f"path: {' → '.join(map(_step_text, check.path))} expected, {[each.text for each in about]} told"


def _is_the_path(decision: Decision, path: Sequence[PathStep], answer: ContextAnswer) -> bool:
    """Exactly these values in this order, each with its reason, and the whole of it in the block."""
    return (
        len(decision.steps) == len(path)
        and all(
            fits(row.value, step.value, row.value_type) and _says([row.reason], step.reason)
            for row, step in zip(decision.steps, path, strict=True)
        )
        and any(
            entry.section == "timeline" and entry.target_id == decision.current.id for entry in answer.served
        )
    )


def _stale_faults(
    check: Check, holding: Sequence[FormRow], told: Sequence[str], decisions: Sequence[Decision]
) -> Iterable[str]:
    """Values, lines and ends of paths that show as current what does not hold."""
    stale = _stale_values(check)
    ends = [decision.steps[-1] for decision in decisions]
    for row in (*holding, *ends):
        if not _is_about(row, check) or (check.now and fits(row.value, check.now, row.value_type)):
            continue
        yield from (
            f"stale: {row.value} is held" for value in stale if fits(row.value, value, row.value_type)
        )
    yield from (f"stale: {text} is still told" for text in check.ended if _says(told, text))


def _stale_values(check: Check) -> list[tuple[str, ...]]:
    left = [step.value for step in check.path[:-1] if not set(step.value) & set(check.now)]
    return [*left, *((text,) for text in (*check.never, *check.refused))]


def _is_about(row: FormRow, check: Check) -> bool:
    return f"{row.form_type}.{row.field}" in check.fields and _says([row.subject], check.subject)


def fits(value: object, spellings: Sequence[str], value_type: str) -> bool:
    """Whether a stored value is one of the spellings."""
    key = _folded(normalise_value(value, value_type).split(" ")[0] if value_type == "money" else str(value))
    return any(
        key == (wanted := _folded(spelling))
        or (value_type == "text" and len(wanted) >= _SHORTEST_PART and wanted in key)
        for spelling in spellings
    )


def _says(texts: Iterable[str], part: str) -> bool:
    return any(_folded(part) in _folded(text) for text in texts)


def _step_text(step: PathStep) -> str:
    return f"{step.value[0]} ({step.reason})" if step.reason else step.value[0]


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
