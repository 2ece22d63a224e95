"""From blocks to passages: as much as fits under one heading, cut between units only. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memoryhub.knowledge.blocks import Block
from memoryhub.knowledge.limits import MOST_PASSAGES, MOST_UNIT_TOKENS, PASSAGE_TOKENS, FileRefused
from memoryhub.language.counting import count_tokens, cut_to_tokens

_NESTED = re.compile(r"(?m)^(?=[ \t]+(?:[-*+]|\d{1,9}[.)])[ \t])")


@dataclass(frozen=True, slots=True)
class Passage:
    """`path` are the headings above it, outermost first; `tokens` those of the text alone."""

    path: tuple[str, ...]
    text: str
    tokens: int


@dataclass(slots=True)
class _Open:
    """The passage that is being filled."""

    path: tuple[str, ...] = ()
    parts: list[str] = field(default_factory=list)
    tokens: int = 0

    def closed(self) -> Iterator[Passage]:
        text = "\n\n".join(self.parts).strip()
        self.parts, self.tokens = [], 0
        if text:
            yield Passage(self.path, text, count_tokens(text))


def cut_passages(blocks: Iterable[Block], *, most_tokens: int = PASSAGE_TOKENS) -> list[Passage]:
    """Passages of at most `most_tokens`, but for a single row, entry or line of code that is longer.

    Raises FileRefused for a row or entry over MOST_UNIT_TOKENS (`unit_too_long`) and more than MOST_PASSAGES passages.
    """
    passages: list[Passage] = []
    for passage in _passages(blocks, most_tokens):
        passages.append(passage)
        if len(passages) > MOST_PASSAGES:
            raise FileRefused(
                "too_many_passages", f"a document has at most {MOST_PASSAGES:,} passages", is_too_large=True
            )
    return passages


def _passages(blocks: Iterable[Block], most: int) -> Iterator[Passage]:
    opened = _Open()
    for block in blocks:
        if block.path != opened.path:
            yield from opened.closed()
            opened.path = block.path
        for part in _parts(block, most):
            tokens = count_tokens(part)
            if opened.parts and opened.tokens + tokens > most:
                yield from opened.closed()
            opened.parts.append(part)
            opened.tokens += tokens
    yield from opened.closed()


def _parts(block: Block, most: int) -> Iterator[str]:
    """The block whole where it fits, else in pieces of whole units, each under the block's head."""
    head_tokens = count_tokens(block.head) if block.head else 0
    room = max(most - head_tokens, most // 4)
    piece: list[str] = []
    spent = 0
    for unit in _units(block, room):
        tokens = count_tokens(unit) + 1
        if piece and spent + tokens > room:
            yield _joined(block, piece)
            piece, spent = [], 0
        piece.append(unit)
        spent += tokens
    if piece:
        yield _joined(block, piece)


def _joined(block: Block, piece: list[str]) -> str:
    text = block.glue.join(piece).rstrip()
    return f"{block.head}\n{text}" if block.head else text


def _units(block: Block, room: int) -> Iterator[str]:
    for unit in block.units:
        if block.kind == "prose":
            yield from _pieces(unit, room)
        elif block.kind == "list" and count_tokens(unit) > room:
            yield from _entries(unit)
        else:
            yield _checked(unit)


def _entries(unit: str) -> Iterator[str]:
    """An entry that is too long is taken apart into itself and those nested in it."""
    for entry in _NESTED.split(unit):
        if entry.strip():
            yield _checked(entry.rstrip("\n"))


def _checked(unit: str) -> str:
    if len(unit) > MOST_UNIT_TOKENS and count_tokens(unit) > MOST_UNIT_TOKENS:
        raise FileRefused(
            "unit_too_long",
            f"a row, entry or line has at most {MOST_UNIT_TOKENS:,} tokens",
            is_too_large=True,
        )
    return unit


def _pieces(sentence: str, room: int) -> Iterator[str]:
    """A sentence without an end in sight is cut between characters."""
    rest = sentence
    while rest and len(rest) > room and count_tokens(rest[: 8 * room]) > room:
        piece = cut_to_tokens(rest[: 8 * room], room) or rest[:1]
        yield piece
        rest = rest[len(piece) :]
    if rest:
        yield rest
