"""A procedure is checked part by part, called for by task, phrase or pattern in both languages, and told whole."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.exceptions import InvalidInput
from memoryhub.procedures import Procedure, checked, procedure_from

REFUND = Procedure(
    title="Damaged parcel",
    tasks=("refund", "破损退款"),
    phrases=("arrived damaged", "包裹破损"),
    patterns=(r"order\s+\d+\s+is\s+broken", "(收到|拿到).{0,4}碎"),
    steps=("Apologise", "Ask for a photo", "Offer a refund"),
)


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        ("My parcel ARRIVED damaged, help", "arrived damaged"),
        ("I want a refund.", "refund"),
        ("refunding policy", ""),
        ("Order 17  is broken", "order 17  is broken"),
        ("我的包裹破损了", "包裹破损"),
        ("我的包裹破損了", "包裹破损"),
        ("刚收到就碎了", "收到就碎"),
        ("你好", ""),
        ("", ""),
    ],
)
def test_it_is_called_for_by_words(text: str, trigger: str) -> None:
    assert REFUND.called_for(text) == trigger


def test_it_is_called_for_by_the_task_at_hand() -> None:
    assert REFUND.called_for("hello", ["REFUND"]) == "refund"
    assert REFUND.called_for("你好", ["破损退款 4711"]) == "破损退款"
    assert REFUND.called_for("hello", ["returns"]) == ""


def test_it_reads_back_and_is_told_in_order() -> None:
    assert procedure_from(REFUND.as_json()) == REFUND
    assert (
        REFUND.told("en") == "Procedure “Damaged parcel”: 1. Apologise 2. Ask for a photo 3. Offer a refund"
    )
    assert REFUND.content.splitlines()[0] == "Damaged parcel"
    assert REFUND.content.splitlines()[2:] == ["1. Apologise", "2. Ask for a photo", "3. Offer a refund"]
    assert "/order" in REFUND.content.splitlines()[1]


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"title": " "}, "procedure.title", "blank"),
        ({"title": "x" * 201}, "procedure.title", "text_too_long"),
        ({"steps": ()}, "procedure.steps", "blank"),
        ({"steps": ("a",) * 51}, "procedure.steps", "too_many"),
        ({"steps": ("a", " ")}, "procedure.steps[1]", "blank"),
        ({"steps": ("a", "x" * 501)}, "procedure.steps[1]", "text_too_long"),
        ({"steps": ("a\x00",)}, "procedure.steps[0]", "nul_character"),
        ({"tasks": (), "phrases": (), "patterns": ()}, "procedure.tasks", "no_trigger"),
        ({"tasks": ("x",)}, "procedure.tasks[0]", "too_short"),
        ({"tasks": ("refund", "Refund")}, "procedure.tasks", "duplicate"),
        ({"patterns": ("(",)}, "procedure.patterns[0]", "bad_pattern"),
        ({"patterns": (r"(?=x)x",)}, "procedure.patterns[0]", "bad_pattern"),
        ({"patterns": (r"(a)\1",)}, "procedure.patterns[0]", "bad_pattern"),
        ({"patterns": (".*",)}, "procedure.patterns[0]", "matches_everything"),
        ({"patterns": ("x" * 201,)}, "procedure.patterns[0]", "text_too_long"),
    ],
)
def test_the_broken_part_is_named(change: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked(procedure_from({**REFUND.as_json(), **change}))
    assert (refused.value.field, refused.value.code) == (field, code)


def test_a_sound_one_passes_trimmed() -> None:
    assert checked(REFUND) == REFUND
    loose = Procedure(title=" Refund ", steps=(" Apologise ",), tasks=(" refund ",))
    assert checked(loose) == Procedure(title="Refund", steps=("Apologise",), tasks=("refund",))
