"""How much a passage sounds like an order to a machine: learned weights of its word and letter groups, added up.

The rules know tricks; this knows the tone. The weights are those of a logistic regression over the develop lines of the evaluation
(`manage.py train_screening` writes them); a text weighs what its weightiest passage weighs, so chatter around an order hides nothing.
Units are log odds: 0 is even odds that a passage like this is an attack.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from memoryhub.language.text import language_of

WEIGHTS = Path(__file__).parent / "data" / "order_tone.json"
PASSAGE = 240
"""Characters of one passage: about two sentences."""
LEAST_SENTENCE = {"en": 20, "zh": 8}
"""Characters that a sentence must have to be weighed by itself."""
DAMPING = 150.0
"""Added to the squared length of a passage's grams: a few words alone say little."""
SCALE = 100
"""The file holds hundredths."""

type Language = Literal["zh", "en"]
type Grams = tuple[frozenset[str], ...]

LANGUAGES: tuple[Language, ...] = ("en", "zh")
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？\n]")
_LINK = re.compile(r"https?://\S+")
_ADDRESS = re.compile(r"[\w.+-]{1,60}@[\w.-]{1,60}")
_NUMBER = re.compile(r"\d+")
_BLANKS = re.compile(r"\s+")
_TOKEN = re.compile(r"[a-z']+|0|[^\w\s]")


type Known = dict[str, tuple[int, int]]
"""What a gram adds and how rare it is, in hundredths: whole numbers, whose sum does not depend on their order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tone:
    """The learned weights of a language, a table per kind of gram, and what every passage starts with."""

    start: int
    grams: tuple[Known, ...]

    def weight_of(self, grams: Grams) -> float:
        """The sum of the known grams, each kind scaled to length 1, so that length adds nothing."""
        total = sum(_scaled(known, found) for known, found in zip(self.grams, grams, strict=True))
        return self.start / SCALE + total


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """From which weight a text is flagged: alone, when one family of rules fires, when two do."""

    alone: float
    one_rule: float
    two_rules: float


def _scaled(known: Known, found: frozenset[str]) -> float:
    total = square = 0
    for gram in found & known.keys():
        weight, rarity = known[gram]
        total += weight
        square += rarity * rarity
    return total / math.sqrt(DAMPING * SCALE * SCALE + square)


@cache
def _stored() -> tuple[dict[Language, Tone], Limits]:
    values = json.loads(WEIGHTS.read_text("utf-8"))
    tones = {
        language: Tone(
            start=values[language]["start"],
            grams=tuple(
                {gram: (weight, rarity) for gram, (weight, rarity) in kind.items()}
                for kind in values[language]["grams"]
            ),
        )
        for language in LANGUAGES
    }
    return tones, Limits(**{name: value / SCALE for name, value in values["limits"].items()})


def limits() -> Limits:
    """The limits that were chosen on lines which no weight had seen."""
    return _stored()[1]


def weight_of(*readings: str) -> float:
    """The weight of the weightiest passage of any reading of a text; minus infinity for an empty one."""
    distinct = dict.fromkeys(passage for reading in readings for passage in passages(reading))
    return max(map(_weight_of, distinct), default=-math.inf)


def telling_phrases(text: str, *, most: int = 5) -> tuple[str, ...]:
    """The groups of words (Chinese: characters) that make the weightiest passage sound like an order, weightiest first."""
    passage = max(passages(text), key=_weight_of, default="")
    language = language_of(passage)
    known = _stored()[0][language].grams[0]
    telling = sorted((-known[gram][0], gram) for gram in grams_of(passage, language)[0] & known.keys())
    chosen: list[str] = []
    for weight, gram in telling:
        if weight < 0 and not any(gram in other or other in gram for other in chosen):
            chosen.append(gram)
    return tuple(chosen[:most])


def _weight_of(passage: str) -> float:
    language = language_of(passage)
    return _stored()[0][language].weight_of(grams_of(passage, language))


def passages(text: str) -> Iterator[str]:
    """The text in pieces of whole sentences of about PASSAGE characters, and the sentences of longer pieces each by itself."""
    piece: list[str] = []
    length = 0
    for sentence in _sentences(text):
        if piece and length + len(sentence) > PASSAGE:
            yield from _piece(piece)
            piece, length = [], 0
        piece.append(sentence)
        length += len(sentence)
    yield from _piece(piece)


def _piece(sentences: list[str]) -> Iterator[str]:
    together = "".join(sentences)
    if together.strip():
        yield together
    if len(sentences) > 1:
        for sentence in sentences:
            if len(sentence.strip()) >= LEAST_SENTENCE[language_of(sentence)]:
                yield sentence


def _sentences(text: str) -> Iterator[str]:
    """Sentences with what ends them; longer ones in pieces that overlap by half."""
    begin = 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        sentence, begin = text[begin:end], end
        if len(sentence) <= 2 * PASSAGE:
            yield sentence
        else:
            for start in range(0, len(sentence) - PASSAGE // 2, PASSAGE // 2):
                yield sentence[start : start + PASSAGE]


def grams_of(passage: str, language: Language) -> Grams:
    """English: words and pairs of them; 3 and 4 letters of a word. Chinese: 1 to 3 characters. Numbers, links, addresses are alike."""
    plain = _NUMBER.sub("0", _ADDRESS.sub(" mailx ", _LINK.sub(" urlx ", passage.lower())))
    if language == "zh":
        signs = _BLANKS.sub("", plain)
        return (
            frozenset(signs[at : at + size] for size in (1, 2, 3) for at in range(len(signs) - size + 1)),
        )
    words = _TOKEN.findall(plain)
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    once = frozenset(words)
    return once.union(pairs), frozenset[str]().union(*map(_letters_of, once))


@lru_cache(maxsize=20_000)
def _letters_of(word: str) -> tuple[str, ...]:
    edged = f" {word} "
    return tuple(edged[at : at + size] for size in (3, 4) for at in range(max(len(edged) - size + 1, 1)))
