"""Text as it comes in: faults to refuse, cleaning, its language, where a quote stands, splitting."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from memoryhub.language.values import differs_in_detail, normalise_value

__all__ = [
    "MAX_DEPTH",
    "MAX_EVENT_CHARACTERS",
    "TextFault",
    "clean",
    "differs_in_detail",
    "find_text_fault",
    "language_of",
    "locate_quote",
    "normalise_value",
    "split_text",
]

MAX_EVENT_CHARACTERS = 16_000
MAX_DEPTH = 20
MAX_MEMBERS = 10_000

type Language = Literal["zh", "en"]
type FaultCode = Literal[
    "nul_character", "lone_surrogate", "text_too_long", "too_deep", "too_many_members", "number_not_finite"
]

_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SENTENCE_END = re.compile(r"(?:[.!?]+[\"'”’)\]]*(?=\s)|[。！？；…]+[”’」』）]*|\n+)\s*")


@dataclass(frozen=True, slots=True)
class TextFault:
    """Why a value cannot be stored. `field` is the path to it, such as `metadata.tags[2]`."""

    field: str
    code: FaultCode
    limit: int | None = None


def find_text_fault(
    value: Any,
    *,
    field: str = "",
    max_length: int = MAX_EVENT_CHARACTERS,
    max_depth: int = MAX_DEPTH,
    max_members: int = MAX_MEMBERS,
) -> TextFault | None:
    """The first thing in a JSON value that PostgreSQL cannot hold or that is over a limit, else None.

    Looks at keys and values of nested objects and lists. Nothing is changed: NUL and lone surrogates are
    refused, not dropped, so that what is stored is what was sent.
    """
    pending: list[tuple[Any, str, int]] = [(value, field, 0)]
    members = 0
    while pending:
        part, path, depth = pending.pop()
        fault = _fault_of_scalar(part, path, max_length)
        if fault:
            return fault
        children = list(_children(part, path))
        members += len(children)
        if members > max_members:
            return TextFault(path, "too_many_members", max_members)
        if children and depth >= max_depth:
            return TextFault(path, "too_deep", max_depth)
        if isinstance(part, dict):
            for key in part:
                if key_fault := _fault_of_scalar(key, _joined(path, clean(str(key))), max_length):
                    return key_fault
        pending.extend((child, child_path, depth + 1) for child, child_path in reversed(children))
    return None


def _fault_of_scalar(value: Any, path: str, max_length: int) -> TextFault | None:
    if isinstance(value, float) and not math.isfinite(value):
        return TextFault(path, "number_not_finite")
    if not isinstance(value, str):
        return None
    if len(value) > max_length:
        return TextFault(path, "text_too_long", max_length)
    if "\0" in value:
        return TextFault(path, "nul_character")
    return TextFault(path, "lone_surrogate") if _SURROGATE.search(value) else None


def _children(value: Any, path: str) -> Iterator[tuple[Any, str]]:
    if isinstance(value, dict):
        yield from ((child, _joined(path, clean(str(key))[:100])) for key, child in value.items())
    elif isinstance(value, list | tuple):
        yield from ((child, f"{path}[{index}]") for index, child in enumerate(value))


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def clean(text: str) -> str:
    """NFKC, NUL as a space, lone surrogates as U+FFFD. Applied before any native code reads a text.

    NFKC is a safety rule: U+FDFA expands beyond a fixed buffer inside the bundled embedder otherwise.
    """
    normal = unicodedata.normalize("NFKC", text).replace("\0", " ")
    return _SURROGATE.sub("\ufffd", normal)


def language_of(text: str) -> Language:
    """'zh' when more than 15 % of the characters are Chinese, else 'en'."""
    return "zh" if len(_CJK.findall(text)) > 0.15 * len(text) else "en"


def locate_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, as offsets into the text as given; None when it does not occur.

    Both are compared after NFKC with runs of white space as one space; case must agree. A match never
    begins or ends inside a character (half of a ligature, a base without its accents).
    """
    wanted = _normalised(quote.strip())[0].strip()
    normal, starts, ends = _normalised(text)
    if not wanted:
        return None
    at = normal.find(wanted)
    while at != -1:
        last = at + len(wanted) - 1
        begins_whole = at == 0 or starts[at] != starts[at - 1]
        ends_whole = last + 1 == len(normal) or ends[last] != ends[last + 1]
        if begins_whole and ends_whole:
            return starts[at], ends[last]
        at = normal.find(wanted, at + 1)
    return None


def _normalised(text: str) -> tuple[str, list[int], list[int]]:
    """The normalised text, and per normalised character where the original cluster starts and ends."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        piece = unicodedata.normalize("NFKC", text[start:end])
        piece = " " if piece.isspace() else piece
        if piece == " " and pieces and pieces[-1] == " ":
            ends[-1] = end
            continue
        pieces.append(piece)
        starts.extend([start] * len(piece))
        ends.extend([end] * len(piece))
    return "".join(pieces), starts, ends


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Spans that normalise independently: a base with its combining marks, or Hangul letters in a row."""
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or not (
            unicodedata.combining(text[index]) or "\u1160" <= text[index] <= "\u11ff"
        ):
            yield start, index
            start = index


def split_text(text: str, limit: int = MAX_EVENT_CHARACTERS) -> list[str]:
    """Pieces of at most `limit` characters that join to the text; cut after a sentence, else a space."""
    pieces = []
    rest = text
    while len(rest) > limit:
        cut = _cut_before(rest, limit)
        pieces.append(rest[:cut])
        rest = rest[cut:]
    return [*pieces, rest] if rest else pieces


def _cut_before(text: str, limit: int) -> int:
    head = text[:limit]
    sentence_ends = [match.end() for match in _SENTENCE_END.finditer(head)]
    if sentence_ends and sentence_ends[-1] > limit // 4:
        return sentence_ends[-1]
    space = head.rfind(" ")
    return space + 1 if space > limit // 4 else limit
