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


@pytest.mark.parametrize(
    ("heard", "text", "plans"),
    [
        ("有方案A和方案B。", "方案A先放弃，上B。", ["方案B"]),
        ("有方案A和方案B。", "B太贵，换回A。", ["方案A"]),
        ("There are plan A and plan B.", "Plan B got rejected, so back to A.", ["plan A"]),
        ("There are plan A and plan B.", "B is too expensive, let's revert to A.", ["plan A"]),
        ("There is no plan.", "B is too expensive, let's revert to A.", []),
        ("There are plan A and plan B.", "B is slow, we're using a tool.", []),
        ("有方案A和方案B。", "B太贵，用A4纸打印。", []),
    ],
)
def test_a_letter_in_a_clause_of_its_own_is_a_plan_that_was_spoken_of(
    heard: str, text: str, plans: list[str]
) -> None:
    told = values(extract(replace(turn(text), heard=(heard,)), fields=STARTER))
    assert told == [f"project_config.current_plan={plan}" for plan in plans]


def test_a_plan_that_is_changed_is_no_intention() -> None:
    assert values(read("旅行计划换成自驾。")) == ["project_config.current_plan[旅行]=自驾"]
    assert values(read("我计划换成自驾。")) == []
