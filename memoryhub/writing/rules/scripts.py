"""Traditional Chinese is read as simplified, which all rules know, and told again in the characters it was said in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from memoryhub.language.simplified import simplified
from memoryhub.writing.candidates import Extraction, FormCandidate, ItemCandidate, Refusal, Turn
from memoryhub.writing.sentences import Sentence

# The words that rules put around what was said: 用户喜欢, 用户否决了, 希望以后, 最喜欢的, 的项目从 … 换到了 …
_TOLD = str.maketrans("户欢规绝决选择专换后荐惯爱讨厌们项否", "戶歡規絕決選擇專換後薦慣愛討厭們項否")


def in_simplified(turn: Turn) -> Turn:
    """The turn, and what was said before it, in simplified characters of the same length; unchanged when it has none to change."""
    if not Sentence(turn.text, 0).is_traditional:
        return turn
    return replace(
        turn,
        text=simplified(turn.text),
        earlier=tuple(simplified(text) for text in turn.earlier),
        heard=tuple(simplified(text) for text in turn.heard),
    )


def told_as_said(extraction: Extraction, *, said: Turn, read: Turn) -> Extraction:
    """What was found in `read`, in the characters of `said`: exact where it is a piece of it, else letter by letter."""
    if said is read:
        return extraction
    texts = [
        (written, plain)
        for written, plain in zip(
            (said.text, *said.heard, *said.earlier), (read.text, *read.heard, *read.earlier), strict=True
        )
    ]
    letters = {
        ord(plain): written
        for whole, simple in reversed(texts)
        for written, plain in zip(whole, simple, strict=True)
        if written != plain
    }

    def restored(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(restored(part) for part in value)
        if isinstance(value, FormCandidate | ItemCandidate | Refusal):
            return _each_text(value, restored)
        if not isinstance(value, str) or value.isascii():
            return value
        for written, plain in texts:
            if (start := plain.find(value)) >= 0:
                return written[start : start + len(value)]
        return value.translate(letters).translate(_TOLD)

    told: Extraction = _each_text(extraction, restored)
    return told


def _each_text(told: Any, restored: Callable[[Any], Any]) -> Any:
    """A copy of the dataclass `told` with every text and tuple in it restored."""
    changed = {
        part.name: restored(value)
        for part in fields(told)
        if isinstance(value := getattr(told, part.name), str | tuple)
    }
    return replace(told, **changed)
