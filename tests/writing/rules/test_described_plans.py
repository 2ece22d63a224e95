"""Plans that are told by what is done, with their topic; and what looks like one and is none."""

from __future__ import annotations

import pytest

from memoryhub.writing.candidates import FormCandidate
from memoryhub.writing.extraction import extract
from memoryhub.writing.rules.described_plans import OF_STANDING_PLAN, topic_of
from tests.writing.utterances import STARTER, turn


def plans(text: str) -> list[tuple[str, str, bool]]:
    """Subject, value, and whether it only continues a standing plan."""
    return [
        (candidate.subject, str(candidate.value), OF_STANDING_PLAN in candidate.flags)
        for candidate in extract(turn(text), fields=STARTER).candidates
        if isinstance(candidate, FormCandidate) and candidate.field == "current_plan"
    ]


@pytest.mark.parametrize(
    ("text", "subject", "plan"),
    [
        ("配送方案是次日达。", "配送", "次日达"),
        ("不爬山了，方案改成露营，大家投票选的。", "", "露营"),
        ("这次团建的当前方案是去爬山。", "团建", "爬山"),
        ("方案改为一次性搬迁方案。", "", "一次性搬迁方案"),
        ("The refund plan is store credit.", "refund", "store credit"),
        ("The current plan for the offsite is hiking.", "offsite", "hiking"),
        ("We've changed the plan to camping, the team voted.", "", "camping"),
        ("We decided to use a blue-green deployment because we can roll back.", "", "blue-green deployment"),
        ("Final decision: the freemium model it is.", "", "freemium model"),
        ("老板觉得太贵，咱们换成方案二。", "", "方案二"),
        ("周年庆活动的方案定了，做线下快闪店。", "", "做线下快闪店"),
        ("团建方案商量好了，去密室逃脱。", "团建", "密室逃脱"),
        ("家里装修方案就定全包了，省心。", "家里装修", "全包"),
        ("剩下几个的配送方案用顺丰。", "配送", "顺丰"),
        (
            "Our plan for the data migration: move everything in one weekend.",
            "data migration",
            "move everything in one weekend",
        ),
        (
            "Batches take too long. New plan: run both systems in parallel.",
            "",
            "run both systems in parallel",
        ),
        ("I'm out on Saturday, so change the delivery plan to store pickup.", "delivery", "store pickup"),
    ],
)
def test_a_plan_is_told_by_what_is_done(text: str, subject: str, plan: str) -> None:
    assert [(told, value) for told, value, _ in plans(text)] == [(subject, plan)]


@pytest.mark.parametrize("text", [
        "还是用灰度发布吧。", "We're back to canary releases.", "快闪店不弄了，场租太贵，改做线上直播。", "大理订不到房，改去腾冲吧。",
        "The zoo is shut for repairs, so we're going to the aquarium.",
        "It's going to rain, so we'll go to the science museum after all.",
        "The team says that's too risky, so we'll migrate in batches instead.",
    ],
)  # fmt: skip
def test_a_choice_without_a_word_for_plan_may_only_continue_one(text: str) -> None:
    assert [continues for *_, continues in plans(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "方案是什么？", "方案是他们做的。", "方案还没定。", "方案是好的。", "方案定了，谢谢大家。", "方案用什么比较好？", "方案选好了。", "方案按时提交就行。",
        "还是8点吧。", "要不要改成线下？我再想想。",
        "The plan is good.", "What is the plan?", "The plan is what you sent me.", "I moved to the next task.",
        "Let's revert to the original deadline.", "My friend says their plan is to rent.",
    ],
)  # fmt: skip
def test_what_is_said_of_a_plan_is_none(text: str) -> None:
    assert plans(text) == []


def test_the_topic_of_an_option_is_what_stands_before_its_noun() -> None:
    assert [topic_of(option) for option in ("退款方案", "refund plan", "Django")] == ["退款", "refund", ""]
