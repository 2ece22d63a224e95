"""Where a quote lies in a text, and the text cut at it. Pure; escaping is the template's business."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

type Quote = tuple[str, int | None]
"""The quoted words and where they begin, if that is known."""

CONTEXT = 70


class Piece(NamedTuple):
    text: str
    is_quote: bool


def find_quote(text: str, quote: Quote) -> tuple[int, int] | None:
    """(start, end) of the quote: at its stated place, else at its first occurrence; None when the text does not hold it."""
    words, start = quote
    if not words:
        return None
    if start is not None and text[start : start + len(words)] == words:
        return start, start + len(words)
    found = text.find(words)
    return (found, found + len(words)) if found >= 0 else None


def cut(text: str, quotes: Iterable[Quote]) -> list[Piece]:
    """The whole text in pieces, quoted or not; overlapping quotes become one."""
    spans = sorted(span for quote in quotes if (span := find_quote(text, quote)))
    pieces: list[Piece] = []
    at = 0
    for start, end in spans:
        if end <= at:
            continue
        start = max(start, at)
        if start > at:
            pieces.append(Piece(text[at:start], False))
        if pieces and pieces[-1].is_quote:
            pieces[-1] = Piece(pieces[-1].text + text[start:end], True)
        else:
            pieces.append(Piece(text[start:end], True))
        at = end
    if at < len(text):
        pieces.append(Piece(text[at:], False))
    return pieces


def excerpt(text: str, quote: Quote, *, context: int = CONTEXT) -> list[Piece] | None:
    """The quote with `context` characters on both sides, ellipses where the text goes on; None when it is not there."""
    span = find_quote(text, quote)
    if span is None:
        return None
    start, end = span
    before, after = text[max(0, start - context) : start], text[end : end + context]
    before = "…" + before.lstrip() if start > context else before
    after = after.rstrip() + "…" if end + context < len(text) else after
    return [
        piece
        for piece in (Piece(before, False), Piece(text[start:end], True), Piece(after, False))
        if piece.text
    ]
