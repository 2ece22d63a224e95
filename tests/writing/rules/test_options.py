"""Which plans a text names: without the words that lead to them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memoryhub.writing.candidates import ItemCandidate
from memoryhub.writing.extraction import extract
from memoryhub.writing.rules.options import plans_named_in
from tests.writing.utterances import STARTER, read, turn, values


@pytest.mark.parametrize(
    ("text", "plans"),
    [
        ("要不要再加一个砍价方案？", ["砍价方案"]),
        ("可以做会员日方案，也可以做满减方案。", ["会员日方案", "满减方案"]),
        ("建议增加砍价方案。", ["砍价方案"]),
        ("也有同行用红包裂变方案。", ["红包裂变方案"]),
        ("我在做方案。", []),
        ("有没有更好的方案？", []),
        ("最新方案出来了", []),
    ],
)
def test_a_described_plan_is_named_without_its_lead(text: str, plans: list[str]) -> None:
    assert plans_named_in(text) == plans


def test_old_brings_new_keeps_its_name() -> None:
    assert values(read("私域拉新我们走老带新方案。")) == ["project_config.current_plan=老带新方案"]


@pytest.mark.parametrize(
    ("heard", "text", "plan"),
    [
        ("要不要再加一个砍价方案？", "不要这个方案，用户会烦。", "砍价方案"),
        ("要不要再加一个砍价方案？", "这个就不做了，用户会烦。", "砍价方案"),
        ("We could add a coupon blast plan.", "No, we don't want that.", "coupon blast plan"),
        ("", "We won't use the coupon blast plan, it looks like spam.", "coupon blast plan"),
        ("", "Forget the coupon blast plan.", "coupon blast plan"),
        ("", "No coupon blast plan, please.", "coupon blast plan"),
    ],
)
def test_a_refusal_is_of_the_plan_that_was_named(heard: str, text: str, plan: str) -> None:
    told = extract(replace(turn(text), heard=(heard,) if heard else ()), fields=STARTER).candidates
    assert [each.attribute for each in told if isinstance(each, ItemCandidate)] == [plan]


@pytest.mark.parametrize(
    "text",
    ["No clear plan yet.", "Forget the plan.", "Not a bad plan.", "这个就不做了。", "I won't follow a strict meal plan.",
     "Don't take the direct route to the airport."],
)  # fmt: skip
def test_what_names_no_plan_refuses_none(text: str) -> None:
    assert not any("refused_option" in each.flags for each in read(text).candidates)
