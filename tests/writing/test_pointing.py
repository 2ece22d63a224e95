"""What words point at in the memory: an earlier value, the current plan, the value that ended."""

from __future__ import annotations

import pytest

from memoryhub.models import FieldVersion, MemoryItem, Owner
from memoryhub.writing.source import Source
from tests.public_reports.telling import active_items, chain, outcomes, recalled, tell

pytestmark = pytest.mark.django_db

RETURNS = [
    ("我的地址是五一大道1号", "地址改成麓山路9号", "还是用原来的地址吧", "address", "五一大道1号"),
    ("My address is 9 Elm Road, York.", "My address is now 40 King Street, Leeds.", "Still use the original address.", "address", "9 Elm Road, York"),
    ("就用方案A", "改用方案B", "方案还是用回之前那个吧", "current_plan", "方案A"),
    ("The deadline is 10 April 2026.", "The deadline moved to 24 April 2026.", "Let's revert to the original deadline.", "deadline", "2026-04-10"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "back", "field", "value"), RETURNS)
def test_a_return_to_the_earlier_value_is_looked_up_in_the_history(
    owner: Owner, source: Source, first: str, second: str, back: str, field: str, value: str
) -> None:
    *_, last = tell(owner, source, first, second, back)
    assert outcomes(last) == ["superseded"]
    assert [told for told, status in chain(owner, field) if status == "active"] == [value]
    active = FieldVersion.objects.of(owner.id).get(field__name=field, status="active")
    assert active.event_id == last.id


@pytest.mark.parametrize("said", ["还是用原来的地址", "still the original address"])
def test_a_return_to_what_was_never_told_is_refused(owner: Owner, source: Source, said: str) -> None:
    (event,) = tell(owner, source, said)
    assert [verdict["code"] for verdict in event.outcome] == ["earlier_value_meant"]
    assert not FieldVersion.objects.of(owner.id).exists()


@pytest.mark.parametrize(
    ("chosen", "refused", "plan"),
    [
        ("我们选方案B", "不要这个方案", "方案B"),
        ("We decided on plan B.", "I don't want that plan.", "plan B"),
    ],
)
def test_this_plan_is_the_current_one_when_none_was_named_in_the_session(
    owner: Owner, source: Source, chosen: str, refused: str, plan: str
) -> None:
    tell(owner, source, chosen, session_ref="monday")
    (event,) = tell(owner, source, refused, session_ref="tuesday")
    assert outcomes(event) == ["stored"]
    item = MemoryItem.objects.of(owner.id).get(status="active", value_key="refused")
    assert plan in item.content
    assert [status for _, status in chain(owner, "current_plan")] == ["expired"]


@pytest.mark.parametrize(
    ("refused", "asked", "chosen", "plan"),
    [
        ("不要方案B，风险太大", "方案B怎么样", "还是选方案B吧", "方案B"),
        (
            "No, not plan B, it is too risky.",
            "what about plan B",
            "Let's go with plan B after all.",
            "plan B",
        ),
    ],
)
def test_a_refused_plan_is_served_until_it_is_chosen_anew(
    owner: Owner, source: Source, refused: str, asked: str, chosen: str, plan: str
) -> None:
    tell(owner, source, refused)
    (item,) = active_items(owner)
    assert (item.attribute, item.value_key) == (plan.casefold(), "refused")
    assert item.content in recalled(owner, source, asked)

    tell(owner, source, chosen)
    items = active_items(owner)
    assert [each.value_key for each in items] == ["chosen"]
    assert item.content not in recalled(owner, source, asked, kinds=("form", "semantic"))
    assert chain(owner, "current_plan")[-1] == (plan, "active")


@pytest.mark.parametrize(
    ("stated", "ended", "field", "left"),
    [
        ("I live in Denver.", "I don't live in Denver any more.", "location", "expired"),
        ("I live in Berlin.", "I don't live in Denver any more.", "location", "active"),
        ("我在百度上班", "我已经从百度离职了", "employer", "expired"),
        ("我住在杭州", "我不住上海了", "location", "active"),
    ],
)
def test_no_longer_ends_that_value_and_no_other(
    owner: Owner, source: Source, stated: str, ended: str, field: str, left: str
) -> None:
    tell(owner, source, stated, ended)
    assert [status for _, status in chain(owner, field)] == [left]


def plans(owner: Owner) -> list[tuple[str, str]]:
    active = FieldVersion.objects.of(owner.id).filter(field__name="current_plan", status="active")
    return sorted(active.values_list("form__subject", "value"))


@pytest.mark.parametrize(
    ("said", "held"),
    [
        (("上线方案先用灰度发布", "上线方案改成全量发布", "还是用灰度发布吧"), [("上线", "灰度发布")]),
        (("上线方案先用灰度发布", "决定采用蓝绿发布"), [("上线", "蓝绿发布")]),
        (("培训的方案是线上直播", "也许可以改成线下面授？我再想想", "定了，改成线下面授"), [("培训", "线下面授")]),
        (("The plan for the offsite is hiking.", "We've changed the plan to camping."), [("offsite", "camping")]),
        (("配送方案是次日达", "退款方案是退到余额", "把刚才说的退款方案取消"), [("配送", "次日达")]),
        (("The delivery plan is next-day.", "The refund plan is store credit.", "Cancel the refund plan."), [("delivery", "next-day")]),
    ],
)  # fmt: skip
def test_a_plan_goes_on_under_its_topic_and_ends_by_it(
    owner: Owner, source: Source, said: tuple[str, ...], held: list[tuple[str, str]]
) -> None:
    tell(owner, source, *said)
    assert plans(owner) == held


def test_a_choice_that_continues_no_plan_is_none(owner: Owner, source: Source) -> None:
    (event,) = tell(owner, source, "还是用灰度发布吧")
    assert [verdict["code"] for verdict in event.outcome] == ["which_option"]


def test_the_budget_that_nobody_claims_is_the_one_that_stands(owner: Owner, source: Source) -> None:
    tell(owner, source, "这个项目的预算上限是30万", "上面又批了一点，预算提高到45万")
    active = FieldVersion.objects.of(owner.id).filter(status="active")
    assert list(active.values_list("field__name", "value")) == [("max_budget", 450000)]
