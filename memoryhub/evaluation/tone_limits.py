"""From which weight a text is flagged: chosen on lines whose family or kind no weight had seen.

The unit of a stored weight is what one rule that fires adds, and zero is the weight that is flagged without any rule.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryhub.evaluation.tone_training import Lesson, Model
from memoryhub.writing.instructions import ENOUGH_RULES
from memoryhub.writing.order_tone import LANGUAGES, Language

MOST_FALSE_ALARMS: dict[Language, float] = {"en": 0.009, "zh": 0.007}
"""Together under the 1 % of the target, though whole kinds of talk were left out; more for English, of which more must be flagged."""
LIKE_THE_WORLD = ("develop_fourth", "develop_ninth")
"""The files whose harmless lines were written by others and are everyday talk by half or more; the rest hold near misses above all."""
WORTH_OF_A_RULE = 3.5
"""In log odds of the tone. What is flagged of left-out families hardly changes between 2.5 and 4."""
SECOND_RULE = 0.12
"""What a second family of rules adds, in rules."""
BARE_ORDER = 0.05
"""By how much less than that an order of a few words may sound like one, so that the barest are flagged."""
LIMITS = {
    "alone": 0.0,
    "one_rule": -1.0 - BARE_ORDER,
    "two_rules": -1.0 - SECOND_RULE - BARE_ORDER,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """From which learned weight a text of a language is flagged without any rule."""

    least: float

    def weight_of(self, learned: float) -> float:
        """The weight as it is stored."""
        return (learned - self.least) / WORTH_OF_A_RULE

    def with_rules(self, learned: float, rules: int) -> float:
        """0 or more is flagged."""
        if rules >= ENOUGH_RULES:
            return math.inf
        return self.weight_of(learned) + (0.0, 1.0, 1.0 + SECOND_RULE)[rules]


type Judgements = dict[Language, Judgement]


def judge(
    taught: Sequence[Lesson],
    weighed: Sequence[tuple[Language, float]],
    *,
    sources: Sequence[str] = LIKE_THE_WORLD,
) -> Judgements:
    """Per language the lowest limit that keeps false alarms rare. `weighed`: language and left-out weight of each line."""
    return {
        language: _judge(
            language,
            [
                (weight, lesson.rules)
                for lesson, (of, weight) in zip(taught, weighed, strict=True)
                if of == language and lesson.source in sources and not lesson.is_attack
            ],
        )
        for language in LANGUAGES
    }


def _judge(language: Language, harmless: Sequence[tuple[float, int]]) -> Judgement:
    anywhere = Judgement(least=0.0)
    totals = sorted((anywhere.with_rules(weight, rules) for weight, rules in harmless), reverse=True)
    return Judgement(least=(totals[int(MOST_FALSE_ALARMS[language] * len(totals))] + 0.01) * WORTH_OF_A_RULE)


def calibrated(model: Model, judgements: Judgements) -> Model:
    """The model with its weights in the units of the limits."""
    return {
        language: replace(
            learned,
            weights=learned.weights / WORTH_OF_A_RULE,
            start=judgements[language].weight_of(learned.start),
        )
        for language, learned in model.items()
    }
