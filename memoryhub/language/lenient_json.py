"""The list of entries in what a model wrote: fences, prose around it, commas too many and a missing end are put up with.

What is put up with is form only. Nothing is guessed: an entry that is not whole is not an entry, and a list without its end says so.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

LONGEST_ANSWER = 100_000
MOST_STARTS = 20

_END_OF_THOUGHTS = ("</think>", "</thinking>")
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])', re.DOTALL)
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|["\[\]{}]', re.DOTALL)
_SPACE_OR_COMMA = re.compile(r"[\s,]*")
_decoder = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of an answer in order. A string in place of an object is one that could not be read. `is_cut`: no end was found."""

    values: tuple[Any, ...]
    is_cut: bool = False

    @property
    def has_objects(self) -> bool:
        return any(isinstance(value, dict) for value in self.values)


def read_entries(text: str) -> Entries | None:
    """The list in a model's answer, or None when there is none. Never raises.

    A single object, objects one after the other, and an object that holds one list are lists too.
    """
    answer = _without_thoughts(text[:LONGEST_ANSWER])
    second_best: Entries | None = None
    starts = [match.start() for match in re.finditer(r"[\[{]", answer)][:MOST_STARTS]
    skip_to = 0
    for start in starts:
        if start < skip_to:
            continue
        found = _list_at(answer, start) if answer[start] == "[" else _objects_at(answer, start)
        if found is None:
            continue
        if found.has_objects or found.is_cut:
            return found
        if second_best is None:
            second_best = found
        skip_to = _end_of(answer, start) or skip_to
    return second_best


def _without_thoughts(text: str) -> str:
    """A reasoning model's notes may hold drafts of the answer; only what comes after them is the answer."""
    if not text.lstrip().startswith("<think"):
        return text
    end, mark = max((text.rfind(mark), mark) for mark in _END_OF_THOUGHTS)
    return text[end + len(mark) :] if end >= 0 else ""


def _list_at(text: str, start: int) -> Entries | None:
    end = _end_of(text, start)
    if end is None:
        return _cut_list(text, start)
    values = _elements(text, start + 1, end - 1)
    is_prose = not any(_is_json(value) for value in values) and bool(values)
    return None if is_prose else Entries(tuple(value.value for value in values))


def _cut_list(text: str, start: int) -> Entries | None:
    """A list without an end is the answer when it begins like one: '[' and then an object, or nothing at all."""
    rest = text[start + 1 :].lstrip()
    if rest and rest[0] not in "{":
        return None
    values = _elements(text, start + 1, len(text))
    return Entries(tuple(value.value for value in values), is_cut=True)


def _objects_at(text: str, start: int) -> Entries | None:
    end = _end_of(text, start)
    first = _decoded(text[start:end]) if end else None
    if not isinstance(first, dict) or not first or end is None:
        return None
    lists = [value for value in first.values() if isinstance(value, list)]
    if len(first) <= 2 and len(lists) == 1 and "event" not in first:
        return Entries(tuple(lists[0]))
    objects: list[Any] = [first]
    position = _SPACE_OR_COMMA.match(text, end).end()  # type: ignore[union-attr]
    while position < len(text) and text[position] == "{":
        following_end = _end_of(text, position)
        if following_end is None:
            return Entries(tuple(objects), is_cut=True)
        objects.append(_Element.read(text[position:following_end]).value)
        position = _SPACE_OR_COMMA.match(text, following_end).end()  # type: ignore[union-attr]
    return Entries(tuple(objects))


@dataclass(frozen=True, slots=True)
class _Element:
    value: Any
    is_json: bool

    @classmethod
    def read(cls, source: str) -> _Element:
        value = _decoded(source)
        return cls(source.strip()[:200], False) if value is _UNREADABLE else cls(value, True)


_UNREADABLE = object()


def _is_json(element: _Element) -> bool:
    return element.is_json


def _elements(text: str, start: int, end: int) -> list[_Element]:
    """The whole elements between two places; one that has no end is left out."""
    found = []
    position = start
    while (position := _SPACE_OR_COMMA.match(text, position, end).end()) < end:  # type: ignore[union-attr]
        after = _end_of(text, position) if text[position] in "[{" else _end_of_scalar(text, position, end)
        if after is None or after > end:
            break
        found.append(_Element.read(text[position:after]))
        position = after
    return found


def _end_of_scalar(text: str, start: int, end: int) -> int | None:
    if text[start] == '"':
        whole = _STRING_OR_BRACKET.match(text, start, end)
        return whole.end() if whole and len(whole[0]) > 1 else None
    stop = re.compile(r"[,\]\n]").search(text, start, end)
    return max(stop.start(), start + 1) if stop else end


def _end_of(text: str, start: int) -> int | None:
    """The place after the bracket that closes the one at `start`; brackets in strings do not count."""
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text, start):
        match token[0]:
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
                if depth == 0:
                    return token.end()
            case '"':
                return None
    return None


def _decoded(source: str) -> Any:
    plain = _STRING_OR_COMMA.sub(lambda match: match[0] if match[0][0] == '"' else "", source)
    try:
        return _decoder.decode(plain.strip())
    except (ValueError, RecursionError):
        return _UNREADABLE
