"""From HTML to Markdown: the words a reader sees, under their headings, with tables and lists as such.

What a reader does not see (scripts, styles, hidden elements, comments) is left out: it is where instructions are planted.
Runs in the reading process (`reading_process`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup
from bs4.element import (
    CData,
    Comment,
    Declaration,
    Doctype,
    NavigableString,
    ProcessingInstruction,
    Tag,
)

from memoryhub.knowledge.limits import MOST_NESTED, FileRefused

_SKIPPED = frozenset(
    "script style template noscript head svg math canvas iframe object embed nav form".split()
)
_BLOCKS = frozenset(
    "p div section article main header footer aside figure figcaption address dl dt dd fieldset blockquote body html".split()
)
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])", re.IGNORECASE
)
_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_LOOKS_LIKE_MARKUP = re.compile(r"(?m)^(\s*)([#>|+-]|\d+[.)])(?=\s)")


def markdown_of(html: str) -> str:
    """The visible text as Markdown. Raises FileRefused (`too_deep`)."""
    soup = BeautifulSoup(html, "html.parser")
    pieces = _blocks(soup, 0)
    return "\n\n".join(piece for piece in pieces if piece.strip())


def _blocks(parent: Tag, depth: int) -> Iterator[str]:
    if depth > MOST_NESTED:
        raise FileRefused("too_deep", f"elements are nested at most {MOST_NESTED} deep", is_too_large=True)
    inline: list[str] = []
    for child in parent.children:
        if isinstance(child, Tag) and not _is_seen(child):
            continue
        if isinstance(child, Tag) and _is_block(child):
            yield _paragraph(inline)
            inline = []
            yield from _block(child, depth)
        else:
            inline.append(_words(child, depth))
    yield _paragraph(inline)


def _block(tag: Tag, depth: int) -> Iterator[str]:
    if re.fullmatch("h[1-6]", tag.name):
        yield f"{'#' * int(tag.name[1])} {_line(tag, depth)}"
    elif tag.name in ("ul", "ol"):
        yield "\n".join(_items(tag, depth, 0))
    elif tag.name == "table":
        yield "\n".join(_rows(tag, depth))
    elif tag.name == "pre":
        yield f"```\n{tag.get_text().strip(chr(10)).replace('```', '` ` `')}\n```"
    else:
        yield from _blocks(tag, depth + 1)


def _is_block(tag: Tag) -> bool:
    return (
        tag.name in _BLOCKS
        or tag.name in ("ul", "ol", "table", "pre")
        or bool(re.fullmatch("h[1-6]", tag.name))
        or (tag.find(["p", "div", "ul", "ol", "table", "pre", "h1", "h2", "h3", "h4"]) is not None)
    )


def _is_seen(tag: Tag) -> bool:
    if tag.name in _SKIPPED or tag.has_attr("hidden") or tag.get("aria-hidden") == "true":
        return False
    return not _UNSEEN.search(str(tag.get("style", "")))


def _words(node: object, depth: int) -> str:
    if depth > MOST_NESTED:
        raise FileRefused("too_deep", f"elements are nested at most {MOST_NESTED} deep", is_too_large=True)
    if isinstance(node, Comment | CData | Declaration | Doctype | ProcessingInstruction):
        return ""
    if isinstance(node, NavigableString):
        return _SPACE.sub(" ", str(node))
    if not isinstance(node, Tag) or not _is_seen(node):
        return ""
    if node.name == "br":
        return "\n"
    return "".join(_words(child, depth + 1) for child in node.children)


def _line(tag: Tag, depth: int) -> str:
    return _SPACE.sub(" ", "".join(_words(child, depth + 1) for child in tag.children)).strip()


def _paragraph(inline: list[str]) -> str:
    lines = (line.strip() for line in "".join(inline).split("\n"))
    return _LOOKS_LIKE_MARKUP.sub(r"\1\\\2", "\n".join(line for line in lines if line))


def _items(tag: Tag, depth: int, indent: int) -> Iterator[str]:
    if indent > MOST_NESTED:
        raise FileRefused("too_deep", f"elements are nested at most {MOST_NESTED} deep", is_too_large=True)
    for number, item in enumerate(tag.find_all("li", recursive=False), start=1):
        if not _is_seen(item):
            continue
        mark = f"{number}." if tag.name == "ol" else "-"
        own = [
            child for child in item.children if not (isinstance(child, Tag) and child.name in ("ul", "ol"))
        ]
        words = _SPACE.sub(" ", " ".join(_words(child, depth + 1) for child in own)).strip()
        yield f"{'  ' * indent}{mark} {words}"
        for nested in item.find_all(["ul", "ol"], recursive=False):
            yield from _items(nested, depth + 1, indent + 1)


def _rows(table: Tag, depth: int) -> Iterator[str]:
    """A row per line; the first row is the head, because a table of Markdown has one."""
    rows = [row for row in table.find_all("tr") if row.find_parent("table") is table and _is_seen(row)]
    for number, row in enumerate(rows):
        cells = row.find_all(["td", "th"], recursive=False)
        texts = [_line(cell, depth).replace("|", "\\|") for cell in cells if _is_seen(cell)]
        yield f"| {' | '.join(texts)} |"
        if number == 0:
            yield f"| {' | '.join('---' for _ in texts)} |"
