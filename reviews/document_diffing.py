"""What differs between two long texts: line by line first, then word by word in the lines that moved. Pure."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import NamedTuple

from reviews.diffing import DiffPiece, diff

MOST_LINES = 3_000
AROUND = 3
"""Unchanged lines told before and after each change."""


class Hunk(NamedTuple):
    """Pieces in reading order; `skipped` unchanged lines before them are not told."""

    pieces: list[DiffPiece]
    skipped: int


def document_diff(before: str, after: str) -> list[Hunk]:
    """The changes from one text to the other with a little around each; [] when nothing differs.

    Texts of more than MOST_LINES lines are not compared but told one after the other.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if old == new:
        return []
    if max(len(old), len(new)) > MOST_LINES:
        return [Hunk([DiffPiece(before, "gone"), DiffPiece(after, "new")], 0)]
    hunks: list[Hunk] = []
    told = 0
    for group in SequenceMatcher(None, old, new).get_grouped_opcodes(AROUND):
        pieces: list[DiffPiece] = []
        for tag, old_from, old_to, new_from, new_to in group:
            gone, fresh = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
            pieces += [DiffPiece(fresh, "same")] if tag == "equal" else diff(gone, fresh)
        hunks.append(Hunk(pieces, group[0][1] - told))
        told = group[-1][2]
    return hunks
