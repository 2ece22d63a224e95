"""The structure of a text: blocks under their headings, each made of units that are never cut.

Only the block structure of Markdown is parsed. What stands inside a line is left as it is, which also keeps the parser linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

type BlockKind = Literal["prose", "table", "list", "code"]

LONGEST_HEADING = 300
_SENTENCE_END = re.compile(r"(?:[。！？；]+[”’」』）]*|[.!?]+[\"'”’)\]]*(?=\s|$)|\n)\s*")
_BLANK = re.compile(r"\n\s*\n")
_MARKUP = re.compile(r"[*_`]+|\s+#+\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """`head` is repeated before the units of every passage (the head of a table); units join with `glue` to the text."""

    kind: BlockKind
    path: tuple[str, ...]
    units: tuple[str, ...]
    head: str = ""
    glue: str = "\n"


def markdown_blocks(text: str) -> Iterator[Block]:
    """The blocks of a Markdown text in order. A heading opens a path; what it says goes into the path, not into a block."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    lines = text.split("\n")
    path: list[tuple[int, str]] = []
    tokens = parser.parse(text)
    for index, token in enumerate(tokens):
        if token.level or token.map is None or token.nesting < 0:
            continue
        if token.type == "heading_open":
            depth = int(token.tag[1:])
            heading = _MARKUP.sub(" ", tokens[index + 1].content).strip()[:LONGEST_HEADING]
            path = [*(entry for entry in path if entry[0] < depth), (depth, heading)]
            continue
        headings = tuple(heading for _, heading in path if heading)
        if block := _block(token, tokens[index:], lines, headings):
            yield block


def plain_blocks(text: str, path: Sequence[str] = ()) -> Iterator[Block]:
    """The paragraphs of a text without markup."""
    for paragraph in _BLANK.split(text):
        if paragraph.strip():
            yield Block("prose", tuple(path), sentences(paragraph.strip()), glue="")


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of Chinese and English prose; they join to the text."""
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    return tuple(text[start:end] for start, end in pairwise(ends) if end > start)


def _block(token: Token, rest: list[Token], lines: list[str], path: tuple[str, ...]) -> Block | None:
    assert token.map is not None
    own = lines[token.map[0] : token.map[1]]
    while own and not own[-1].strip():
        own.pop()
    if not own or token.type == "hr":
        return None
    match token.type:
        case "table_open":
            return Block("table", path, tuple(own[2:]) or ("",), head="\n".join(own[:2]))
        case "bullet_list_open" | "ordered_list_open":
            return Block("list", path, _items(token, rest, own))
        case "fence" | "code_block":
            return Block("code", path, tuple(own))
    return Block("prose", path, sentences("\n".join(own)), glue="")


def _items(token: Token, rest: list[Token], own: list[str]) -> tuple[str, ...]:
    """The lines of each entry of a list, with all that is nested in it."""
    assert token.map is not None
    first = token.map[0]
    starts: list[int] = []
    for inner in rest[1:]:
        if inner.level == 0:
            break
        if inner.type == "list_item_open" and inner.level == 1 and inner.map:
            starts.append(inner.map[0] - first)
    ends = [*starts[1:], len(own)]
    items = ("\n".join(own[start:end]).rstrip() for start, end in zip(starts, ends, strict=True))
    return tuple(item for item in items if item.strip())
