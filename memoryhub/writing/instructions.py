"""Text that reads like an order to the model rather than a fact: planted instructions in English and Chinese.

A hit is only a flag for the gate and the reviewer, never a refusal. The patterns run in linear time (RE2) over every reading of the
text (`disguises`); they say what is wanted of the reader, not which words an attack happens to use.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import re2

from memoryhub.language.patterns import lazily
from memoryhub.writing import (
    instruction_exceptions_en,
    instruction_exceptions_zh,
    instruction_intents_en,
    instruction_intents_zh,
    instruction_rules_en,
    instruction_rules_zh,
)
from memoryhub.writing.disguises import readings, squashed
from memoryhub.writing.order_tone import limits, weight_of

TONE = "commanding_tone"
ENOUGH_RULES = 3
"""Families of rules that need no tone to speak for them."""
FAMILIES = (*instruction_rules_en.FAMILIES, TONE)
_CJK = re.compile(r"[\u3400-\u9fff]")
_LONG_WORD = re.compile(r"[A-Za-z]{18}")
_SENTENCE_ENDS = re.compile(r"[.。!！?？\n]")

type _Rules = dict[str, tuple[Any, Any]]


def _compiled(families: dict[str, tuple[str, ...]], exceptions: dict[str, tuple[str, ...]]) -> _Rules:
    """Per family the pattern of its rules, and the pattern of sentences it leaves alone (None: there is none)."""
    return {
        family: (_either(rules), _either(exceptions[family]) if family in exceptions else None)
        for family, rules in families.items()
    }


def _either(patterns: tuple[str, ...]) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = 64 << 20
    return lazily(lambda: re2.compile("|".join(f"(?:{pattern})" for pattern in patterns), options))


def _joined(*sets: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """All rules of each family."""
    return {family: tuple(rule for rules in sets for rule in rules.get(family, ())) for family in sets[0]}


_ENGLISH = _compiled(
    _joined(instruction_rules_en.FAMILIES, instruction_intents_en.FAMILIES), instruction_exceptions_en.EXCEPT
)
_CHINESE = _compiled(
    _joined(instruction_rules_zh.FAMILIES, instruction_intents_zh.FAMILIES), instruction_exceptions_zh.EXCEPT
)
_SQUASHED = _either((instruction_rules_en.SQUASHED,))
_RUN_TOGETHER = _either((instruction_rules_en.RUN_TOGETHER,))


def instruction_families(text: str) -> tuple[str, ...]:
    """The families of instruction-like wording in `text`, in the order of `FAMILIES`; empty when there is none.

    A rule that fires alone needs a tone that does not speak against it, two rules less of it; tone alone must be strong.
    """
    read = readings(text)
    found, rules = rules_that_fire(text, read)
    if weight_of(*read) < _least_weight(rules):
        return ()
    return tuple(family for family in FAMILIES if family in found) or (TONE,)


def _least_weight(rules: int) -> float:
    """From which tone a text is flagged in which so many rules fire."""
    chosen = limits()
    return (chosen.alone, chosen.one_rule, chosen.two_rules)[rules] if rules < ENOUGH_RULES else -math.inf


def rules_that_fire(text: str, read: Sequence[str]) -> tuple[set[str], int]:
    """The families of rules that fire in any of the readings of a text, and as how many they count.

    An order whose words are run together, so that no rule reads it otherwise, is no accident: it is enough by itself.
    """
    found: set[str] = set()
    for reading in read:
        found.update(_families_in(reading, _ENGLISH, found))
        if _CJK.search(reading):
            found.update(_families_in(reading, _CHINESE, found))
    if "override" not in found and _is_run_together(text, read):
        return {*found, "override"}, ENOUGH_RULES
    return found, len(found)


def _is_run_together(text: str, read: Sequence[str]) -> bool:
    return _SQUASHED.search(squashed(text)) is not None or any(
        _RUN_TOGETHER.search(reading) for reading in read if _LONG_WORD.search(reading)
    )


def _families_in(text: str, rules: _Rules, known: set[str]) -> Iterator[str]:
    for family, (pattern, exception) in rules.items():
        if family not in known and _fires(text, pattern, exception):
            yield family


def _fires(text: str, pattern: Any, exception: Any) -> bool:
    """Whether a rule fires in a sentence that its exceptions do not speak for."""
    if exception is None:
        return pattern.search(text) is not None
    return any(
        exception.search(_sentence_around(text, match.start(), match.end())) is None
        for match in pattern.finditer(text)
    )


def _sentence_around(text: str, start: int, end: int) -> str:
    """The sentence, or sentences, that a match lies in."""
    before = max(
        (match.end() for match in _SENTENCE_ENDS.finditer(text, max(start - 300, 0), start)), default=0
    )
    after = _SENTENCE_ENDS.search(text, end)
    return text[max(before, start - 300) : after.start() if after else end + 300]
