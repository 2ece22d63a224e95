"""Changes of mind as people tell them: whose they are, what they are not, and what they go back to."""

from __future__ import annotations

import pytest

from memoryhub.writing.candidates import FormCandidate
from memoryhub.writing.extraction import extract
from tests.writing.utterances import STARTER, turn


def told(text: str) -> list[tuple[str, str, str]]:
    return [
        (candidate.field, candidate.subject, str(candidate.value))
        for candidate in extract(turn(text), fields=STARTER).candidates
        if isinstance(candidate, FormCandidate)
    ]


@pytest.mark.parametrize(
    ("text", "field", "subject", "value"),
    [
        ("收货地址改回广州市天河区体育西路1号。", "address", "", "广州市天河区体育西路1号"),
        ("Please change the shipping address back to 1 West Street, Portland.", "address", "", "1 West Street, Portland"),
        ("My address has changed, it's 200 Garden Street, Bristol now.", "address", "", "200 Garden Street, Bristol"),
        ("I'm at my mother's, so change the delivery address to 25 Mill Lane, York.", "address", "", "25 Mill Lane, York"),
        ("老婆不同意，预算回到15万。", "budget", "", "150000"),
        ("My wife said no, so the budget is back to $15,000.", "budget", "", "15000 USD"),
        ("We changed the framework to FastAPI.", "framework", "", "FastAPI"),
        ("We went back to Django as the framework, the team knows it better.", "framework", "", "Django"),
        ("The deadline was pulled forward to 31 July 2024.", "deadline", "", "2024-07-31"),
        ("回复还是详细一点吧，太短了看不懂。", "reply_style", "", "详细"),
        ("邮箱也换成 lihua.work@example.com 了。", "email", "", "lihua.work@example.com"),
        ("联系电话13122223333。", "phone", "", "13122223333"),
        ("方案乙先放一放，改用方案丙，因为丙见效快。", "current_plan", "", "方案丙"),
        ("岳父加了点钱，预算变成18万了。", "budget", "", "180000"),
        ("预算又加了3万，变成15万。", "budget", "", "150000"),
        ("旅游预算1万5。", "budget", "", "15000"),
        ("My father-in-law chipped in, so our budget is $18,000 now.", "max_budget", "", "18000 USD"),
        ("We've got $20,000 to work with now.", "max_budget", "", "20000 USD"),
        ("改坐高铁上班了，开车太累。", "commute", "", "坐高铁"),
        ("上班改坐公交了。", "commute", "", "公交"),
        ("别发邮件了，微信联系我。", "contact_channel", "", "微信"),
        ("Go back to short answers.", "reply_style", "", "short"),
        ("又换回MySQL了。", "database", "", "MySQL"),
        ("We swapped Django for FastAPI.", "framework", "", "FastAPI"),
        ("We're doing an offline migration.", "current_plan", "", "offline migration"),
        ("我对爵士腻了。", "attitude", "爵士", "dislikes"),
        ("I've gone off spicy food.", "attitude", "spicy food", "dislikes"),
        ("Jazz has grown on me.", "attitude", "jazz", "likes"),
        ("原来的邮箱不用了，换 zhao@example.com。", "email", "", "zhao@example.com"),
    ],
)  # fmt: skip
def test_a_change_is_read_for_what_it_is(text: str, field: str, subject: str, value: str) -> None:
    assert told(text) == [(field, subject, value)]


@pytest.mark.parametrize(
    "text",
    [
        "另一个组的项目截止日期是2024年7月1日。",
        "The other team's deadline is 1 July 2024.",
        "前公司的数据库用的是Oracle。",
        "At my last job we used DB2.",
        "My brother said his budget is $900.",
        "朋友加了点钱，他预算变成18万了。",
        "My brother chipped in, so his budget is $18,000.",
        "预算加了3万。",
        "They're doing an offline migration.",
        "I've gone off to work.",
        "客户那边用Oracle。",
        "方案乙还是方案丙？我再想想，先放一放。",
    ],
)
def test_what_others_have_or_nobody_decided_is_no_change(text: str) -> None:
    assert told(text) == []


def test_actually_corrects_or_changes_by_what_follows() -> None:
    def is_change(text: str) -> bool:
        (candidate, *_) = extract(turn(text), fields=STARTER).candidates
        return candidate.world_change

    assert is_change("Actually give me detailed answers from now on.")
    assert not is_change("Actually I live in Denver.")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("数据库改成PostgreSQL，因为并发上来了。", "并发上来了"),
        ("Since it will rain, the plan is now indoor climbing.", "it will rain"),
        ("还是回到方案A，方案B的交付周期太长。", "方案B的交付周期太长"),
        ("We're going back to option A, option B takes too long to deliver.", "option B takes too long to deliver"),
    ],
)  # fmt: skip
def test_every_change_keeps_its_reason(text: str, reason: str) -> None:
    assert extract(turn(text), fields=STARTER).reason == reason
