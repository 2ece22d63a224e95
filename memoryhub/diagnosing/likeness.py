"""Whether a text says what was expected: the same words, most of its words, or its meaning. Pure."""

from __future__ import annotations

import re

from memoryhub.diagnosing.answers import How
from memoryhub.language.simplified import simplified
from memoryhub.language.text import clean
from memoryhub.language.tokens import query_tokens
from memoryhub.recall.asking import mentions

LEAST_SHARE = 0.6
"""So much of the expected words must be in a text that has no more in common with it than words."""
LEAST_COSINE = 0.5
"""Paraphrases reach 0.48 to 0.77 with the bundled model, unrelated texts 0.15 (LANGUAGE.md)."""
WHOLE = 1.5
"""A turn up to so much longer than what is expected says nothing else: all that came of it is meant."""

_BETWEEN = re.compile(r"[\s\W_]+")
_DIGITS = re.compile(r"\d+")


def folded(text: str) -> str:
    """Without case, width, script variant and punctuation; words stand one space apart."""
    return _BETWEEN.sub(" ", simplified(clean(text).casefold())).strip()


def likeness(expected: str, text: str, *, cosine: float | None = None) -> How | None:
    """How `text` says what is `expected`, or None. Numbers that are expected must be in it, whatever else is near."""
    wanted, said = folded(expected), folded(text)
    if not wanted or not said:
        return None
    if mentions(said, wanted) or (mentions(wanted, said) and 2 * len(said) >= len(wanted)):
        return "exact"
    if not set(_DIGITS.findall(wanted)) <= set(_DIGITS.findall(said)):
        return None
    if _share(wanted, said) >= LEAST_SHARE:
        return "words"
    return "meaning" if cosine is not None and cosine >= LEAST_COSINE else None


def _share(wanted: str, said: str) -> float:
    tokens = set(query_tokens(wanted))
    return len(tokens & set(query_tokens(said))) / len(tokens) if tokens else 0.0


def is_related(expected: str, turn: str, *texts: str) -> bool:
    """Whether something that came of a turn (its value, its quote) is about what is expected of the turn."""
    wanted = folded(expected)
    if len(folded(turn)) <= WHOLE * len(wanted):
        return True
    told = [text for text in map(folded, texts) if text]
    return any(
        mentions(wanted, text) or mentions(text, wanted) or _share(wanted, text) >= LEAST_SHARE
        for text in told
    )
