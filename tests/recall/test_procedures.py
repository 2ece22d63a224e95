"""A procedure that is called for is told whole, right after the rules, in the frame's language; else it is told of nowhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.models import Owner
from memoryhub.procedures import Procedure
from memoryhub.recall.answers import Caller, RecallAnswer
from memoryhub.recall.context import context
from memoryhub.recall.procedures import OVER_BUDGET
from memoryhub.sessions.asking import NewSlot
from memoryhub.sessions.opening import open_session
from memoryhub.sessions.setting import set_slots
from memoryhub.writing.procedures import write_procedure
from tests.builders import make_link, make_owner
from tests.recall.stories import Story, begin

pytestmark = pytest.mark.django_db

REFUND = Procedure(
    title="破损退款",
    tasks=("refund", "破损退款"),
    phrases=("包裹破损", "arrived damaged"),
    patterns=(r"order\s+\d+\s+is\s+broken",),
    steps=("先道歉", "请用户发照片", "48小时内退款"),
)


@pytest.fixture
def story() -> Story:
    return begin(locale="zh-hans", time_zone="Asia/Shanghai")


@pytest.fixture
def write(story: Story) -> Callable[..., Any]:
    def write(procedure: Procedure = REFUND, owner: Owner | None = None) -> Any:
        source = replace(story.source, user_id=1)
        return write_procedure(
            owner_id=(owner or story.owner).id, procedure=procedure, source=source
        ).target_id

    return write


def procedures(answer: RecallAnswer) -> list[str]:
    return [entry.text for entry in answer.served if entry.section == "procedures"]


WHOLE = "流程“破损退款”：1. 先道歉 2. 请用户发照片 3. 48小时内退款"


def test_it_is_told_whole_right_after_the_rules(story: Story, write: Callable[..., Any]) -> None:
    story.say("我对坚果过敏", "我住在杭州", index=False)
    item_id = write()
    for query in ("My parcel arrived damaged", "Order 4711 is broken", "I need a refund"):
        assert procedures(story.recall(query)) == [WHOLE], query
    answer = story.recall("我的包裹破损了怎么办")
    assert procedures(answer) == [WHOLE]
    assert [entry.section for entry in answer.served][:2] == ["rules", "procedures"]
    told = next(entry for entry in answer.served if entry.section == "procedures")
    assert (told.target_id, told.legs, told.certainty, told.tokens > 0) == (
        item_id, ("procedures",), "policy", True,
    )  # fmt: skip
    assert "流程，请按步骤执行:" in answer.text and answer.legs["procedures"].found == 1


def test_the_frame_is_in_the_owners_language(write: Callable[..., Any], story: Story) -> None:
    write()
    Owner.objects.filter(id=story.owner.id).update(locale="en")
    answer = story.recall("包裹破损")
    assert procedures(answer) == ["Procedure “破损退款”: 1. 先道歉 2. 请用户发照片 3. 48小时内退款"]
    assert "Procedures, to be followed step by step:" in answer.text


def test_what_is_not_called_for_is_told_nowhere_however_near_it_is(
    story: Story, write: Callable[..., Any]
) -> None:
    write()
    story.index()
    for kinds in ((), ("procedural",)):
        answer = story.recall("先道歉，请用户发照片", kinds=kinds)
        assert "道歉" not in answer.text
        assert answer.legs["procedures"].found == 0
    past = story.recall("先道歉", valid_at=datetime.now(UTC) + timedelta(seconds=1))
    assert "道歉" not in past.text
    assert procedures(story.recall("包裹破损", kinds=("semantic",))) == []


def test_the_task_of_the_session_calls_for_it(story: Story, write: Callable[..., Any]) -> None:
    write()
    open_session(owner_id=story.owner.id, ref="s9", source=story.source)
    slot = NewSlot(context="", name="task", value="破损退款")
    set_slots(owner_id=story.owner.id, given="s9", slots=[slot], source=story.source, now=datetime.now(UTC))
    assert procedures(story.recall("接下来呢", session_ref="s9")) == [WHOLE]
    for budget, told in ((None, [WHOLE]), (60, [])):
        known = context(
            workspace_id=story.source.workspace_id, owner_id=story.owner.id, caller=Caller(), session_ref="s9",
            budget_tokens=budget,
        )  # fmt: skip
        assert [entry.text for entry in known.served if entry.section == "procedures"] == told
    assert procedures(story.recall("接下来呢")) == []


def test_one_that_does_not_fit_is_left_out_whole_and_the_answer_says_so(
    story: Story, write: Callable[..., Any]
) -> None:
    long = replace(REFUND, steps=tuple(f"第{n}步：核对订单号、照片、地址与付款方式" for n in range(1, 41)))
    item_id = write(long)
    answer = story.recall("包裹破损", budget_tokens=300)
    assert procedures(answer) == [] and "第1步" not in answer.text
    assert [entry.rule for entry in answer.excluded if entry.target_id == item_id] == [OVER_BUDGET]
    assert answer.excluded_counts[OVER_BUDGET] == 1
    (note,) = answer.notes
    assert note.startswith("流程“破损退款”适用，但放不进 300 个词元的预算")
    assert note in answer.text and answer.tokens <= 300
    assert procedures(story.recall("包裹破损", budget_tokens=1_500))[0].endswith(
        "40. 第40步：核对订单号、照片、地址与付款方式"
    )


def test_of_linked_owners_what_the_link_lets_through_and_of_nobody_else(
    story: Story, write: Callable[..., Any]
) -> None:
    team = make_owner(story.source, "support", kind="team")
    other = make_owner(story.source, "rival", kind="team")
    write(REFUND, team)
    write(replace(REFUND, title="别家的流程"), other)
    assert procedures(story.recall("包裹破损")) == []
    make_link(story.owner, team)
    assert procedures(story.recall("包裹破损")) == [WHOLE]


def test_it_costs_no_further_statement(story: Story, write: Callable[..., Any]) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            story.recall("包裹破损")
        return len(queries)

    none = asked()
    write()
    write(replace(REFUND, title="另一个", tasks=("退货",)))
    assert asked() == none
