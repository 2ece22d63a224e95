"""The fence around an assembled recall block, and how a block that comes back to us is recognised.

A block opens with a line ``<<<memoryhub:NONCE`` and closes with a line ``memoryhub:NONCE>>>``; the nonce is random per answer,
and the lines between are JSON-escaped, so no content can close the fence. What stands between the two was served by us and must
never be learned again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class RecallFence(NamedTuple):
    """How a fence is spelt: the parts before and after the nonce, and the pattern that finds an opening."""

    open: str
    close: str
    opening: re.Pattern[str]

    def opens_with(self, nonce: str) -> str:
        return f"{self.open}{nonce}"

    def closes_with(self, nonce: str) -> str:
        return f"memoryhub:{nonce}{self.close}"


RECALL_FENCE = RecallFence("<<<memoryhub:", ">>>", re.compile(r"<<<memoryhub:([A-Za-z0-9_-]{6,64})"))


def recalled_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of every recall block in `text`; one that is never closed reaches to the end of the text.

    Each opening costs one substring search, so the time stays near-linear for hostile input too.
    """
    position = 0
    while opening := RECALL_FENCE.opening.search(text, position):
        closing = RECALL_FENCE.closes_with(opening[1])
        found = text.find(closing, opening.end())
        end = len(text) if found < 0 else found + len(closing)
        yield opening.start(), end
        position = end


def strip_recalled_blocks(text: str) -> str:
    """Return `text` without the recall blocks in it."""
    kept, position = [], 0
    for start, end in recalled_spans(text):
        kept.append(text[position:start])
        position = end
    kept.append(text[position:])
    return "".join(kept)


def blank_recalled_blocks(text: str) -> str:
    """Return `text` with recall blocks replaced by blanks of the same length, so that offsets still point into the event."""
    kept, position = [], 0
    for start, end in recalled_spans(text):
        kept.append(text[position:start])
        kept.append("\n" + " " * (end - start - 1))
        position = end
    kept.append(text[position:])
    return "".join(kept)
