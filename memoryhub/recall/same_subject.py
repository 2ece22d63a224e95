"""Whether two questions of one owner are about the same subject. Pure.

Decided in this order: another code, number or named thing makes them two subjects; the same whitelisted field makes them one, and
another field two; then the words that are left without question words and pronouns; then the meaning. It rather misses a
rewording than joins two questions: with the bundled model it finds half of them (16 of 32 pairs the numbers were set on, 5 of 12
others, zh and en) and joins 3 of 44 pairs that ask two things.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np

from memoryhub.language.embedders import Vectors
from memoryhub.language.text import clean
from memoryhub.language.tokens import query_tokens
from memoryhub.recall.asking import fields_named
from memoryhub.recall.knowing import Field
from memoryhub.recall.misses import terms_of
from memoryhub.recall.naming import names_in_text

type Sign = Literal["same_words", "same_field", "same_names", "meaning"]

SAME_WORDS = 0.6
"""Share of common words (Jaccard) from which two questions are one."""
SOME_WORDS, LIKE_MEANING = 0.35, 0.7
"""So many common words do beside a cosine like that."""
NAMED_WORDS = 0.25
"""So many do beside a common name or code."""
SAME_MEANING, A_WORD = 0.87, 0.2
"""A cosine from which hardly a common word is needed. Lower ones are reached by questions about two things of one kind, and pairs
without any common word stay at 0.74 and below though they are one subject: asking for their meaning is not worth the time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """What a question is about: its words, its codes and numbers, the fields and things it names."""

    words: frozenset[str]
    codes: frozenset[str]
    fields: frozenset[str]
    names: dict[str, frozenset[str]]

    @property
    def is_empty(self) -> bool:
        return not (self.words or self.codes or self.fields or self.names)


def subject_of(question: str, *, entities: Collection[str] = (), fields: tuple[Field, ...] = ()) -> Subject:
    """The subject of a question; `entities` are names that the caller gave with it."""
    tokens = query_tokens(question)
    named = {kind: frozenset(found) for kind, found in names_in_text(question).items() if found}
    if entities:
        named["given"] = frozenset(clean(name).casefold() for name in entities)
    return Subject(
        words=_content(question),
        codes=frozenset(token for token in tokens if any(c.isdigit() for c in token)),
        fields=frozenset(str(field_id) for field_id in fields_named(clean(question).casefold(), fields)),
        names=named,
    )


def _content(question: str) -> frozenset[str]:
    """The words that may name something; of Chinese, pairs of characters."""
    found = {token for term in terms_of(question) for token in query_tokens(term)}
    return frozenset(token for token in found if len(token) > 1)


def same_subject(
    earlier: Subject, later: Subject, *, vectors: tuple[Vectors, Vectors] | None = None
) -> tuple[Sign, float] | None:
    """By what the two are one subject and how like they are (0 to 1), or None. `vectors` are the questions' own, of unit length."""
    found = _by_words(earlier, later)
    if not isinstance(found, float):
        return found
    if vectors is None or found < A_WORD:
        return None
    cosine = float(np.clip(vectors[0] @ vectors[1], 0.0, 1.0))
    is_meant = cosine >= SAME_MEANING or (found >= SOME_WORDS and cosine >= LIKE_MEANING)
    return ("meaning", cosine) if is_meant else None


def is_for_meaning(earlier: Subject, later: Subject) -> bool:
    """Whether only the meaning of the two questions can tell."""
    found = _by_words(earlier, later)
    return isinstance(found, float) and found >= A_WORD


def _by_words(earlier: Subject, later: Subject) -> tuple[Sign, float] | float | None:
    """One subject, or two (None), or undecided: then the share of common words."""
    if earlier.is_empty or later.is_empty or _are_apart(earlier, later):
        return None
    likeness = _jaccard(earlier.words, later.words)
    if earlier.fields and later.fields:
        return ("same_field", max(likeness, SAME_WORDS)) if earlier.fields == later.fields else None
    if likeness >= SAME_WORDS:
        return "same_words", likeness
    common = any(
        earlier.names[kind] & later.names[kind] for kind in earlier.names.keys() & later.names.keys()
    )
    if (common or earlier.codes & later.codes) and likeness >= NAMED_WORDS:
        return "same_names", likeness
    return likeness


def _are_apart(earlier: Subject, later: Subject) -> bool:
    """Both name codes, or things of one kind, and not the same ones."""
    if earlier.codes and later.codes and earlier.codes != later.codes:
        return True
    return any(
        not earlier.names[kind] & later.names[kind] for kind in earlier.names.keys() & later.names.keys()
    )


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    together = one | other
    return len(one & other) / len(together) if together else 0.0
