"""A budget that goes on from what was told before, without its word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memoryhub.writing.extraction import extract
from tests.writing.utterances import STARTER, turn, values


@pytest.mark.parametrize(
    ("before", "text", "told"),
    [
        ("我想买辆车，预算15万左右。", "老婆说可以再加点，那就18万吧。", ["user_profile.budget=180000"]),
        ("预算15万。", "还是15万吧，最近手头紧。", ["user_profile.budget=150000"]),
        ("The budget is £40,000.", "My boss cut it to £30,000 because sales are down.", ["user_profile.budget=30000 GBP"]),
        ("The budget is £40,000.", "We just got the final number: it's £45,000.", ["user_profile.budget=45000 GBP"]),
        ("预算15万。", "就3点吧。", []),
        ("The budget is $500.", "My friend got it for $300.", []),
        ("你好。", "那就18万吧。", []),
    ],
)  # fmt: skip
def test_an_amount_goes_on_from_a_budget_that_was_told(before: str, text: str, told: list[str]) -> None:
    read = extract(replace(turn(text), heard=(before,)), fields=STARTER)
    assert [value for value in values(read) if "budget" in value] == told


def test_what_a_landlord_did_changes_ours_and_a_mothers_budget_does_not() -> None:
    told = extract(turn("房东免了两个月租金，预算降回20万就行。"), fields=STARTER)
    assert values(told) == ["user_profile.budget=200000"]
    assert values(extract(turn("我妈在看房，预算20万。"), fields=STARTER)) == []
