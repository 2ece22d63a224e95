"""How many tokens a text costs a model (o200k_base), and cutting a text to a number of tokens."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from memoryhub.language.text import clean

if TYPE_CHECKING:
    from quicktok import Tokenizer

_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003134f]")
_loading = threading.Lock()

_JOINER = "\u200d"


def count_tokens(text: str) -> int:
    """Exact o200k_base tokens; where the tokeniser has no wheel, an estimate on the high side."""
    tokenizer = _tokenizer()
    cleaned = clean(text)
    return int(tokenizer.count(cleaned)) if tokenizer else estimate_tokens(cleaned)


def estimate_tokens(text: str) -> int:
    """Tokens without a tokeniser: 0.75 per East Asian character, 1 per 4.2 others, and 30 % on top."""
    wide = len(_CJK.findall(text))
    return round((wide * 0.75 + (len(text) - wide) / 4.2) * 1.3 + 0.499) if text else 0


def cut_to_tokens(text: str, limit: int) -> str:
    """The longest beginning with at most `limit` tokens that does not end inside a character or emoji."""
    if limit <= 0:
        return ""
    if count_tokens(text) <= limit:
        return text
    ends = _character_ends(text)
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(text[: ends[middle - 1]]) <= limit:
            low = middle
        else:
            high = middle - 1
    # A shorter beginning may cost a token more (the merge at its end is undone), so the last step is checked.
    while low and count_tokens(text[: ends[low - 1]]) > limit:
        low -= 1
    return text[: ends[low - 1]] if low else ""


def _character_ends(text: str) -> list[int]:
    """Offsets at which the text may be cut: after each character as a reader sees it."""
    return [index for index in range(1, len(text) + 1) if index == len(text) or not _joins(text, index)]


def _joins(text: str, index: int) -> bool:
    """Whether text[index] belongs to the same visible character as what stands before it."""
    character, before = text[index], text[index - 1]
    if character == _JOINER or before == _JOINER or (before, character) == ("\r", "\n"):
        return True
    if unicodedata.category(character).startswith("M") or "\U0001f3fb" <= character <= "\U0001f3ff":
        return True
    if "\U000e0020" <= character <= "\U000e007f":
        return True  # tags of a subdivision flag
    return _is_regional(character) and _regional_run(text, index) % 2 == 1


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _regional_run(text: str, index: int) -> int:
    """How many regional letters stand before text[index]; an odd number leaves one without its pair."""
    start = index
    while start and _is_regional(text[start - 1]):
        start -= 1
    return index - start


@lru_cache(maxsize=1)
def _load() -> Tokenizer | None:
    try:
        import quicktok
    except ImportError:
        return None
    return quicktok.get_encoding("o200k_base")


def _tokenizer() -> Tokenizer | None:
    with _loading:
        return _load()
