"""What differs between two texts: word by word where words are written apart, character by character in Chinese. Pure."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

type Kind = Literal["same", "gone", "new"]

LONGEST = 4_000
"""Characters up to which texts are compared; the comparison takes quadratic time at worst."""

# A run of CJK is cut into characters; everything else into words, spaces and single signs.
_TOKENS = re.compile(
    r"[\u2e80-\u2fdf\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|[^\W_]+(?:['’][^\W_]+)*|\s+|.",
    re.DOTALL,
)
_CJK = re.compile(
    r"[\u2e80-\u2fdf\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)


class DiffPiece(NamedTuple):
    text: str
    kind: Kind


def diff(before: str, after: str) -> list[DiffPiece]:
    """The two texts as one: pieces that stay, that are gone and that are new, in reading order.

    Joining the pieces that are not new gives `before`, joining those that are not gone gives `after`. Texts over LONGEST are
    not compared but shown one after the other.
    """
    if before == after:
        return [DiffPiece(after, "same")] if after else []
    if len(before) > LONGEST or len(after) > LONGEST:
        return _whole(before, after)
    old, new = tokens(before), tokens(after)
    pieces: list[DiffPiece] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        gone, fresh = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
        if tag == "equal":
            pieces.append(DiffPiece(fresh, "same"))
        else:
            pieces += _whole(gone, fresh)
    return pieces


def tokens(text: str) -> list[str]:
    """Words, runs of space, single signs, and single characters of CJK; joined they are the text again."""
    found: list[str] = []
    for token in _TOKENS.findall(text):
        if found and _joins(found[-1], token):
            found[-1] += token
        else:
            found.extend(_characters(token))
    return found


def _characters(token: str) -> list[str]:
    """A word that mixes Latin and CJK, cut at the CJK characters."""
    if len(token) == 1 or not _CJK.search(token):
        return [token]
    return [part for part in re.split(f"({_CJK.pattern})", token) if part]


def _joins(last: str, token: str) -> bool:
    """A combining mark or a variation selector belongs to the character before it."""
    return bool(token) and (unicodedata.combining(token[0]) != 0 or token[0] in "\ufe0f\u200d")


def _whole(before: str, after: str) -> list[DiffPiece]:
    pieces: tuple[DiffPiece, ...] = (DiffPiece(before, "gone"), DiffPiece(after, "new"))
    return [piece for piece in pieces if piece.text]
