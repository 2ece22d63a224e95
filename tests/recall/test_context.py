"""The current state without a question: what holds, how it came about, what waits for a person."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.exceptions import InvalidInput, OwnerErasing
from memoryhub.language.counting import count_tokens
from memoryhub.models import Owner, Recall
from memoryhub.recall.answers import Caller
from memoryhub.recall.context import ContextAnswer, context
from tests.recall.stories import Story, begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def story() -> Story:
    return begin(locale="zh-hans", time_zone="Asia/Shanghai")


def see(story: Story, **asked: Any) -> ContextAnswer:
    return context(
        workspace_id=story.source.workspace_id,
        owner_id=story.owner.id,
        caller=Caller(agent_id=story.source.agent_id),
        **asked,
    )


def test_it_tells_the_current_plan_and_its_path_with_reasons(story: Story) -> None:
    story.say("我们项目采用方案A", "改用方案B，预算不够", "对比过B和C，还是方案A吧，成本问题")
    answer = see(story)
    decision = answer.decisions[0]
    assert (decision.current.field, decision.current.value) == ("current_plan", "方案A")
    assert [step.value for step in decision.steps] == ["方案A", "方案B", "方案A"]
    assert decision.text == "当前方案: 方案A → 方案B（预算不够） → 方案A（成本问题；考虑过 B、C）"
    assert decision.text in answer.text
    assert "当前方案: 方案A" in [entry.text for entry in answer.served if entry.section == "forms"]


def test_a_value_that_moved_on_has_its_path_though_nobody_decided(story: Story) -> None:
    story.say("我住在杭州")
    story.say("我搬到上海了")
    answer = see(story)
    assert [step.value for step in answer.decisions[0].steps] == ["杭州", "上海"]
    assert "所在城市: 杭州 → 上海" in [entry.text for entry in answer.served if entry.section == "timeline"]


def test_a_refused_plan_is_told_as_such_until_it_is_chosen(story: Story) -> None:
    story.say("就用方案A")
    story.say("不要外包方案")
    answer = see(story)
    assert [item.entities for item in answer.refused] == [("外包方案",)]
    assert "用户否决了外包方案" in [entry.text for entry in answer.served if entry.section == "forms"]
    story.say("还是用外包方案吧")
    assert see(story).refused == ()


def test_rules_and_safety_attributes_stand_apart_and_first(story: Story) -> None:
    story.say("我对坚果过敏")
    story.field("user_profile.location", "杭州")
    answer = see(story)
    assert [row.value for row in answer.rules] == ["坚果"]
    assert [row.value for row in answer.forms] == ["杭州"]
    assert [entry.section for entry in answer.served] == ["rules", "forms"]


def test_open_proposals_are_listed_and_not_told_as_true(story: Story) -> None:
    story.say("我对坚果过敏")
    story.field("user_profile.allergies", "坚果", operation="remove")
    answer = see(story)
    assert [(proposal.field, proposal.action) for proposal in answer.proposals] == [("allergies", "remove")]
    assert answer.rules[0].being_confirmed
    assert "待确认" in answer.text


def test_promises_and_fresh_decisions_are_key_events_in_time_order(story: Story) -> None:
    story.at = datetime.now(UTC) - timedelta(days=90)
    story.say("已为您派单，师傅明天上门", role="assistant")
    story.at = datetime.now(UTC) - timedelta(days=1)
    story.say("打印机又坏了")
    story.say("已为您派单，工程师下午上门", role="assistant")
    answer = see(story)
    assert [event.content for event in answer.key_events] == ["已为您派单，工程师下午上门"]
    assert "智能体说: 已为您派单，工程师下午上门" in answer.text


def test_it_can_be_asked_what_held_then(story: Story) -> None:
    story.field("user_profile.location", "杭州", valid_from=datetime(2026, 1, 1, tzinfo=UTC))
    story.field("user_profile.location", "上海", valid_from=datetime(2026, 2, 1, tzinfo=UTC))
    assert [row.value for row in see(story).forms] == ["上海"]
    assert [row.value for row in see(story, valid_at=datetime(2026, 1, 9, tzinfo=UTC)).forms] == ["杭州"]
    assert see(story, known_at=datetime(2020, 1, 1, tzinfo=UTC)).forms == ()


def test_proposals_are_those_that_were_open_then(story: Story) -> None:
    story.say("我对坚果过敏")
    before = connection_now()
    story.field("user_profile.allergies", "坚果", operation="remove")
    assert len(see(story).proposals) == 1
    assert see(story, known_at=before).proposals == ()
    assert [proposal.field for proposal in see(story, known_at=connection_now()).proposals] == ["allergies"]


def connection_now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def test_a_correction_leaves_no_step_in_the_path(story: Story) -> None:
    story.say("我住在杭州")
    story.say("刚才说错了，我住在广州")
    answer = see(story)
    assert [row.value for row in answer.forms] == ["广州"]
    assert answer.decisions == ()


@pytest.mark.parametrize("budget", [0, 1, 90, 250, 5000])
def test_the_block_keeps_the_budget_and_the_parts_are_whole(story: Story, budget: int) -> None:
    for number in range(30):
        story.field("preferences.attitude", "likes", subject=f"乌龙茶{number}号")
    answer = see(story, budget_tokens=budget)
    assert count_tokens(answer.text) == answer.tokens <= min(budget, 2000)
    assert len(answer.forms) == 30
    assert answer.budget_tokens == min(budget, 2000)


def test_a_budget_below_zero_is_refused(story: Story) -> None:
    with pytest.raises(InvalidInput, match="0 or more"):
        see(story, budget_tokens=-1)


def test_a_frozen_owner_says_so_and_an_erased_one_is_gone(story: Story) -> None:
    Owner.objects.filter(id=story.owner.id).update(state="frozen")
    assert (see(story).state, see(story).text) == ("owner_frozen", "")
    Owner.objects.filter(id=story.owner.id).update(state="erasing")
    with pytest.raises(OwnerErasing):
        see(story)


def test_what_was_told_is_traced(story: Story) -> None:
    story.say("我对坚果过敏")
    answer = see(story, session_ref="chat-7")
    row = Recall.objects.of(story.owner.id).get(id=str(answer.recall_id))
    assert (row.query, row.session_ref, row.served[0]["id"]) == ("", "chat-7", str(answer.rules[0].id))


def test_it_is_four_statements_however_much_there_is(story: Story) -> None:
    for number in range(25):
        story.field("preferences.attitude", "likes", subject=f"茶{number}")
    with CaptureQueriesContext(connection) as captured:
        see(story)
    own = [entry["sql"] for entry in captured.captured_queries if "set_config(" not in entry["sql"]]
    assert len([sql for sql in own if not sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))]) == 4
