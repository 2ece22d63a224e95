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
    ],
)
def test_a_plan_is_told_by_what_is_done(text: str, subject: str, plan: str) -> None:
    assert [(told, value) for told, value, _ in plans(text)] == [(subject, plan)]


@pytest.mark.parametrize("text", ["还是用灰度发布吧。", "We're back to canary releases."])
def test_a_choice_without_a_word_for_plan_may_only_continue_one(text: str) -> None:
    assert [continues for *_, continues in plans(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "方案是什么？", "方案是他们做的。", "方案还没定。", "方案是好的。", "要不要改成线下？我再想想。",
        "The plan is good.", "What is the plan?", "The plan is what you sent me.", "I moved to the next task.",
        "Let's revert to the original deadline.", "My friend says their plan is to rent.",
    ],
)  # fmt: skip
def test_what_is_said_of_a_plan_is_none(text: str) -> None:
    assert plans(text) == []


def test_the_topic_of_an_option_is_what_stands_before_its_noun() -> None:
    assert [topic_of(option) for option in ("退款方案", "refund plan", "Django")] == ["退款", "refund", ""]
