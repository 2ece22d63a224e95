"""The rules that a field's definition keeps: each broken one is refused by the column's and the rule's name."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.exceptions import InvalidInput
from memoryhub.models import FieldDefinition
from memoryhub.whitelisting.aliases import alias_key
from memoryhub.whitelisting.definitions import check_field, check_reason, differing, values_of

SOUND = values_of(FieldDefinition(label_en="Town", label_zh="城市", aliases=["town", "城市"]))


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"label_zh": " "}, "label_zh", "blank"),
        ({"label_en": "a\0b"}, "label_en", "nul_character"),
        ({"value_type": "odd"}, "value_type", "unknown"),
        ({"value_type": "choice"}, "choices", "choices_missing"),
        ({"choices": ["a"]}, "choices", "choices_without_choice"),
        ({"value_type": "choice", "choices": ["A", "ａ"]}, "choices", "repeated"),
        ({"minimum": 1.0}, "minimum", "bounds_without_number"),
        ({"value_type": "number", "minimum": 2.0, "maximum": 1.0}, "maximum", "below_the_minimum"),
        ({"value_type": "number", "minimum": float("nan")}, "minimum", "number_not_finite"),
        ({"max_length": 0}, "max_length", "out_of_range"),
        ({"default_importance": 1.1}, "default_importance", "out_of_range"),
        ({"least_trust_tier": 5}, "least_trust_tier", "out_of_range"),
        ({"tolerance": 0.1}, "tolerance", "tolerance_without_measure"),
        ({"value_type": "number", "tolerance": 1.5}, "tolerance", "out_of_range"),
        ({"lifetime_days": 0}, "lifetime_days", "out_of_range"),
        ({"writer_roles": ["ghost"]}, "writer_roles", "unknown"),
        ({"aliases": ["  "]}, "aliases", "blank"),
        ({"aliases": ["x" * 61]}, "aliases", "text_too_long"),
        ({"sensitivity": "odd"}, "sensitivity", "unknown"),
    ],
    ids=str,
)
def test_what_breaks_a_rule_is_refused_by_name(changes: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_field({**SOUND, **changes}, agents=())
    assert (caught.value.field, caught.value.code) == (field, code)


def test_a_sound_field_passes() -> None:
    check_field(SOUND, agents=())
    check_field({**SOUND, "value_type": "number", "minimum": 0.0, "tolerance": 0.1}, agents=())


def test_a_reason_is_needed() -> None:
    with pytest.raises(InvalidInput):
        check_reason("  ")


@pytest.mark.parametrize("spelling", ["预算 上限", "預算  上限", "預算\u3000上限"])
def test_spellings_that_recall_does_not_tell_apart_are_one_alias(spelling: str) -> None:
    assert alias_key(spelling) == "预算 上限"
    assert alias_key("ＷｉＦｉ") == "wifi"


def test_only_the_columns_that_differ_are_named() -> None:
    assert differing(SOUND, {**SOUND, "safety": True}) == ["safety"]
