"""The same figures on random halves of the questions: how far one figure may lie from another by chance alone.

A weight that was fitted to noise is better on the half it was fitted to and not on the other; a difference between two settings
that is smaller than the spread of the halves says nothing.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from memoryhub.evaluation.metrics import Answer, quality_of
from memoryhub.evaluation.reporting import ADVERSARIAL

SPLITS = 20
CUT = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """Mean and standard deviation over the halves, and the largest difference between the two halves of one split."""

    mean: float
    deviation: float
    widest: float

    def as_json(self) -> dict[str, float]:
        return {
            "mean": round(self.mean, 4),
            "deviation": round(self.deviation, 4),
            "widest": round(self.widest, 4),
        }


def spread_over_halves[Id: Hashable](
    answers: Sequence[Answer[Id]], *, seed: int, splits: int = SPLITS
) -> dict[str, Spread]:
    """Recall@10 of all questions but the adversarial, and of the multi-hop ones, on both halves of `splits` random splits."""
    asked = [answer for answer in answers if answer.category != ADVERSARIAL]
    groups = {
        "all but adversarial": asked,
        "multi-hop": [answer for answer in asked if answer.category == "multi-hop"],
    }
    return {
        name: _spread(group, seed=seed, splits=splits) for name, group in groups.items() if len(group) > 1
    }


def _spread[Id: Hashable](answers: Sequence[Answer[Id]], *, seed: int, splits: int) -> Spread:
    shuffled = random.Random(seed)  # noqa: S311
    figures, differences = [], []
    for _ in range(splits):
        order = shuffled.sample(list(answers), len(answers))
        halves = [
            quality_of(half).recall[CUT] for half in (order[: len(order) // 2], order[len(order) // 2 :])
        ]
        figures += halves
        differences.append(abs(halves[0] - halves[1]))
    return Spread(mean=fmean(figures), deviation=stdev(figures), widest=max(differences))
