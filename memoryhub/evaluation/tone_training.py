"""Where the weights of `order_tone` come from: learned from the develop lines, tried on families and kinds that were left out.

Every passage of every reading of a harmless line is an example of harmless talk; of an attack it is the one passage that gives it
away (the weightiest, after a first round). A line is weighed by weights that have seen none of its family; the limits are chosen on
such lines alone (`tone_limits`).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from memoryhub.evaluation.logistic import Rows, Vector, fit
from memoryhub.evaluation.screening_quality import DATA, FILES, lines_of
from memoryhub.evaluation.utterances import read_utterances
from memoryhub.language.text import language_of
from memoryhub.writing.disguises import readings
from memoryhub.writing.instructions import rules_that_fire
from memoryhub.writing.order_tone import DAMPING, LANGUAGES, SCALE, Grams, Language, grams_of, passages

STRENGTH = 10.0
FOLDS = 4
LEAST_OFTEN = 2
MOST_GRAMS = 9_000
BLOCK = 60
"""Lines of one kind that are left out together where a kind is broad."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A passage that was weighed: its language and grams."""

    language: Language
    grams: Grams


@dataclass(frozen=True, kw_only=True, slots=True)
class Lesson:
    """A labelled line: where it is from, how many families of rules fire, its passages; the one that rules give away comes first."""

    source: str
    group: str
    is_attack: bool
    rules: int
    plain: tuple[Example, ...]
    examples: tuple[Example, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Learned:
    """The model of one language: columns of its grams, how rare each is, weights, start."""

    columns: tuple[dict[str, int], ...]
    rarity: Vector
    weights: Vector
    start: float

    def weight_of(self, grams: Grams) -> float:
        total = self.start
        for known, found in zip(self.columns, grams, strict=True):
            at = [known[gram] for gram in sorted(found & known.keys())]
            if at:
                total += float(self.weights[at] @ self.rarity[at]) / _length(self.rarity[at])
        return total


type Model = dict[Language, Learned]


def lessons(*, folder: Path = DATA) -> list[Lesson]:
    """All lines that may be learned from: the develop files, and what people said to be stored as further harmless talk."""
    found: list[Lesson] = []
    for kind in ("attacks", "benign"):
        for end in FILES["develop"]:
            for at, line in enumerate(lines_of(folder / f"{kind}_{end}.jsonl")):
                broad = kind == "benign" and line.family in {"near_miss", "everyday"}
                group = f"{kind}/{end}/{line.family}/{at // BLOCK if broad else ''}"
                found.append(lesson_of(line.text, end, group, is_attack=kind == "attacks"))
    for at, utterance in enumerate(read_utterances("develop")):
        group = f"utterances/{at // BLOCK}"
        found.append(lesson_of(utterance.text, "utterances", group, is_attack=False))
    return found


def lesson_of(text: str, source: str, group: str, *, is_attack: bool) -> Lesson:
    """One labelled line, read in every way. `source` is its file, `group` what is left out together with it."""
    read = readings(text)
    telling = max(read, key=lambda reading: rules_that_fire("", (reading,))[1]) if is_attack else read[0]
    plain = _examples(telling)
    others = (example for reading in read if reading != telling for example in _examples(reading))
    return Lesson(
        source=source,
        group=group,
        is_attack=is_attack,
        rules=rules_that_fire(text, read)[1],
        plain=plain,
        examples=(*plain, *others),
    )


def _examples(reading: str) -> tuple[Example, ...]:
    return tuple(
        Example(language=(language := language_of(passage)), grams=grams_of(passage, language))
        for passage in passages(reading)
    )


def learn(taught: Sequence[Lesson]) -> Model:
    """Weights from these lines: a first round with the passages that come first, a second one with the weightiest."""
    first = _learn(
        taught, lambda lesson: lesson.plain if not lesson.is_attack else lesson.examples[:1], prune=False
    )

    def weightiest(lesson: Lesson) -> tuple[Example, ...]:
        example = max(lesson.examples, key=lambda example: _weight(first, example))
        return (
            (example,)
            if lesson.is_attack
            else tuple({id(one): one for one in (*lesson.plain, example)}.values())
        )

    return _learn(taught, weightiest, prune=True)


def _learn(
    taught: Sequence[Lesson], chosen: Callable[[Lesson], tuple[Example, ...]], *, prune: bool
) -> Model:
    examples = [(example, lesson.is_attack) for lesson in taught for example in chosen(lesson)]
    return {
        language: _learned([pair for pair in examples if pair[0].language == language], prune=prune)
        for language in LANGUAGES
    }


def _learned(examples: Sequence[tuple[Example, bool]], *, prune: bool) -> Learned:
    """The grams that told most in a first fit are kept for a second one."""
    truth = np.array([is_attack for _, is_attack in examples])
    often: list[dict[str, int]] = [{} for _ in examples[0][0].grams]
    for example, _ in examples:
        for counts, found in zip(often, example.grams, strict=True):
            for gram in found:
                counts[gram] = counts.get(gram, 0) + 1
    kept = [[gram for gram in sorted(counts) if counts[gram] >= LEAST_OFTEN] for counts in often]
    model = _fitted(examples, truth, kept, often)
    if not prune or len(model.weights) <= MOST_GRAMS:
        return model
    said = np.array([often[kind][gram] for kind, grams in enumerate(kept) for gram in grams])
    importance = np.abs(model.weights) * np.sqrt(said)
    least = np.sort(importance)[-MOST_GRAMS]
    kept = [
        [gram for gram in grams if importance[columns[gram]] >= least]
        for columns, grams in zip(model.columns, kept, strict=True)
    ]
    return _fitted(examples, truth, kept, often)


def _fitted(
    examples: Sequence[tuple[Example, bool]], truth: Any, kept: list[list[str]], often: list[dict[str, int]]
) -> Learned:
    columns: list[dict[str, int]] = []
    for grams in kept:
        begin = sum(map(len, columns))
        columns.append({gram: begin + at for at, gram in enumerate(grams)})
    said = np.array([often[kind][gram] for kind, grams in enumerate(kept) for gram in grams], dtype=float)
    rarity = 1 + np.log((1 + len(examples)) / (1 + said))
    rows = _rows([example.grams for example, _ in examples], columns, rarity)
    weights, start = fit(rows, truth, strength=STRENGTH)
    return Learned(columns=tuple(columns), rarity=rarity, weights=weights, start=start)


def _rows(all_grams: Sequence[Grams], columns: Sequence[dict[str, int]], rarity: Vector) -> Rows:
    row, column, value = [], [], []
    for number, grams in enumerate(all_grams):
        for known, found in zip(columns, grams, strict=True):
            at = np.array(sorted(known[gram] for gram in found & known.keys()), dtype=np.int64)
            if len(at):
                row.append(np.full(len(at), number, dtype=np.int64))
                column.append(at)
                value.append(rarity[at] / _length(rarity[at]))
    shape = (len(all_grams), sum(map(len, columns)))
    return Rows(
        row=np.concatenate(row), column=np.concatenate(column), value=np.concatenate(value), shape=shape
    )


def _length(rarity: Vector) -> float:
    return float(np.sqrt(DAMPING + rarity @ rarity))


def _weight(model: Model, example: Example) -> float:
    return model[example.language].weight_of(example.grams)


def weighed_in(model: Model, lesson: Lesson) -> tuple[Language, float]:
    """The weight of the weightiest passage of a line, and its language."""
    weighed = ((_weight(model, example), example.language) for example in lesson.examples)
    weight, language = max(weighed, default=(-np.inf, LANGUAGES[0]))
    return language, weight


def weights_left_out(taught: Sequence[Lesson], *, folds: int = FOLDS) -> list[tuple[Language, float]]:
    """Every line as weighed by weights that have seen no line of its family, or of its kind in its file."""
    fold = [zlib.crc32(lesson.group.encode()) % folds for lesson in taught]
    models = [
        learn([lesson for lesson, of in zip(taught, fold, strict=True) if of != left_out])
        for left_out in range(folds)
    ]
    return [weighed_in(models[of], lesson) for lesson, of in zip(taught, fold, strict=True)]


def as_stored(model: Model, limits: dict[str, float]) -> str:
    """The file that `order_tone` reads: weight times rarity, and rarity, in hundredths; grams sorted."""
    values: dict[str, Any] = {"limits": {name: round(limit * SCALE) for name, limit in limits.items()}}
    for language, learned in model.items():
        values[language] = {
            "start": round(learned.start * SCALE),
            "grams": [dict(_entries(columns, learned)) for columns in learned.columns],
        }
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"


def _entries(columns: dict[str, int], learned: Learned) -> Iterator[tuple[str, tuple[int, int]]]:
    for gram, at in sorted(columns.items()):
        rarity = float(learned.rarity[at])
        yield gram, (round(float(learned.weights[at]) * rarity * SCALE), round(rarity * SCALE))
