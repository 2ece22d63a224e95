"""Before a turn: claims against what is stored, rules against what is about to be done, in Chinese and English."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.changes.tombstones import Burial, bury, field_value_name
from memoryhub.checking.claims import GivenClaim
from memoryhub.checking.state_check import StateCheck, StateCheckRequest, check_state
from memoryhub.exceptions import InvalidInput
from memoryhub.models import Change, Event, FieldVersion, MemoryItem, Owner, Question, Recall
from memoryhub.sessions.asking import NewSlot
from memoryhub.sessions.setting import set_slots
from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.structured import write_field
from memoryhub.writing.structured_relations import write_relations
from tests.builders import make_link, make_owner
from tests.recall.stories import Story, begin

pytestmark = pytest.mark.django_db

JANUARY = datetime(2026, 1, 5, 2, 0, tzinfo=UTC)


@pytest.fixture
def story() -> Story:
    return begin(locale="zh-hans", time_zone="Asia/Shanghai")


@pytest.fixture
def english() -> Story:
    return begin(locale="en", time_zone="Europe/London")


def check(story: Story, **asked: Any) -> StateCheck:
    return check_state(
        workspace_id=story.source.workspace_id,
        owner_id=story.owner.id,
        request=StateCheckRequest(**asked),
    )


def claimed(field: str, value: Any, subject: str = "") -> dict[str, Any]:
    return {"claims": (GivenClaim(field=field, value=value, subject=subject),)}


def kinds(found: StateCheck) -> list[str]:
    return [rule.kind for rule in found.rules]


def test_a_claim_is_told_with_the_stored_value_its_evidence_and_a_question_in_the_owners_language(
    story: Story, english: Story
) -> None:
    story.say("我住在杭州", occurred_at=JANUARY, index=False)
    found = check(story, **claimed("user_profile.location", "上海"))
    assert not found.ok
    (conflict,) = found.conflicts
    assert (conflict.stored.value, conflict.stored.quote, conflict.stored.role) == (
        "杭州",
        "我住在杭州",
        "user",
    )
    assert conflict.stored.event_id is not None
    assert conflict.question == (
        "之前（2026-01-05）记录的“所在城市”是“杭州”，现在提到的是“上海”。要更新吗，还是只是这一次的例外？"
    )
    english.say("I live in Denver.", occurred_at=JANUARY, index=False)
    (conflict,) = check(english, text="I live in Boston.").conflicts
    assert (conflict.claim.value, conflict.claim.quote) == ("Boston", "I live in Boston.")
    assert conflict.question == (
        "On 2026-01-05 “Location” was recorded as “Denver”; now it is “Boston”. Shall I update it, or is this an exception?"
    )


def test_what_agrees_is_ok(story: Story, english: Story) -> None:
    story.say("我住在杭州", "我对坚果过敏", index=False)
    story.field("user_profile.budget", 5000)
    assert check(story, text="我住在杭州").ok
    assert check(story, **claimed("user_profile.budget", "5,000")).ok
    assert check(story, **claimed("user_profile.allergies", "芒果")).ok  # a further one contradicts none
    assert check(story, text="今天天气不错", action="介绍天气").ok
    english.say("I live in Denver.", index=False)
    assert check(english, text="I live in Denver.", action="send the weather").ok


def test_a_draft_of_the_agent_is_read_as_said_to_the_owner(story: Story, english: Story) -> None:
    english.say("I live in Denver.", index=False)
    (conflict,) = check(english, text="You live in Boston.", speaker="assistant").conflicts
    assert (conflict.claim.value, conflict.claim.quote) == ("Boston", "")
    story.say("我住在杭州", index=False)
    assert [each.claim.value for each in check(story, text="您住在上海", speaker="assistant").conflicts] == [
        "上海"
    ]


def test_what_the_session_holds_is_a_claim_too_but_not_an_exception(story: Story) -> None:
    story.say("我的地址是浦东大道1号", session_ref="s0", index=False)
    story.field("user_profile.location", "杭州")
    story.say("订单A的收货地址改成徐汇路2号", index=False)
    assert check(story, session_ref="s1").conflicts == ()  # an order's address is not the owner's
    slot = NewSlot(context="", name="location", value="上海", form_type="user_profile", field_name="location")
    set_slots(owner_id=story.owner.id, given="s1", slots=[slot], source=story.source, now=datetime.now(UTC))
    (conflict,) = check(story, session_ref="s1").conflicts
    assert (conflict.claim.source, conflict.claim.value, conflict.stored.value) == ("session", "上海", "杭州")


SAFETY = {
    "zh-hans": {
        "我乳糖不耐受": "推荐拿铁",
        "我对坚果过敏": "给用户推荐腰果酥",
        "我对芒果过敏": "推荐含芒果的零食",
    },
    "en": {
        "I'm lactose intolerant.": "recommend a latte",
        "I'm allergic to peanuts.": "offer the satay noodles",
        "I'm a vegetarian.": "book a steak house and order the beef",
    },
}


@pytest.mark.parametrize("locale", SAFETY)
def test_a_safety_fact_binds_what_contains_it(locale: str) -> None:
    story = begin(locale=locale)
    story.say(*SAFETY[locale], index=False)
    for action in SAFETY[locale].values():
        found = check(story, action=action)
        assert kinds(found) == ["safety"], action
        assert found.rules[0].quote and found.rules[0].matched.casefold() in action.casefold()
    for harmless in ("recommend an oat drink without milk", "推荐无糖茶", "tell the time", "告诉他时间"):
        assert check(story, action=harmless).ok, harmless


def test_dislikes_and_standing_prohibitions_bind_a_recommendation(story: Story, english: Story) -> None:
    story.say("我不喜欢恐怖片", index=False)
    by_staff(story, "preferences", "do_not_recommend", True, "香菜")
    assert kinds(check(story, action="推荐一部恐怖片")) == ["dislike"]
    assert kinds(check(story, action="推荐香菜牛肉面")) == ["do_not_recommend"]
    english.say("I don't like horror movies.", index=False)
    found = check(english, action="recommend a horror movie")
    assert kinds(found) == ["dislike"]
    assert found.rules[0].sentence == "The user dislikes “horror movies”."


def by_staff(
    story: Story, form_type: str, field: str, value: Any, subject: str, owner: Owner | None = None
) -> None:
    """What a member of staff writes stands at once."""
    verdict = write_field(
        owner_id=(owner or story.owner).id,
        form_type=form_type,
        field=field,
        subject=subject,
        value=value,
        source=replace(story.source, user_id=1),
        basis="staff",
    )
    assert verdict.outcome == "stored", verdict


def test_a_business_rule_binds_what_shares_its_words_also_one_of_a_linked_team(story: Story) -> None:
    team = make_owner(story.source, "support", kind="team")
    by_staff(story, "business_rule", "rule", "退款超过500元必须经理批准", "refunds")
    by_staff(story, "business_rule", "rule", "客服部反馈需24小时内同步给技术部", "sync", owner=team)
    make_link(story.owner, team)
    found = check(story, action="给用户退款600元")
    assert [(rule.kind, rule.value, rule.owner_id) for rule in found.rules] == [
        ("business_rule", "退款超过500元必须经理批准", story.owner.id)
    ]
    assert [rule.owner_id for rule in check(story, action="把客服部的反馈发给老板").rules] == [team.id]
    assert check(story, action="告诉用户营业时间").ok


def test_a_refused_plan_is_not_offered_again_under_any_of_its_names(story: Story, english: Story) -> None:
    story.say("可以选方案A或者方案B", role="assistant", index=False)
    story.say("不要方案B", index=False)
    for action in ("推荐方案B", "提出B方案", "offer plan B"):
        found = check(story, action=action)
        assert kinds(found) == ["refused"], action
        assert found.rules[0].sentence == "用户已否决“方案b”，不要再提出。"
    assert check(story, action="推荐方案A").ok
    assert kinds(check(story, **claimed("project_config.current_plan", "方案B"))) == ["refused"]
    english.say("We could take plan A or plan B.", role="assistant", index=False)
    english.say("I don't want this plan.", "No to plan B.", index=False)
    assert "refused" in kinds(check(english, action="offer plan B"))


def test_a_plan_chosen_after_all_is_free_again(story: Story) -> None:
    story.say("不要方案B", "还是用方案B吧", index=False)
    assert check(story, action="推荐方案B").ok


def test_an_earlier_value_is_not_acted_on(story: Story, english: Story) -> None:
    story.say("我的收货地址是浦东大道1号", index=False)
    story.say("我的收货地址改成徐汇路2号了", index=False)
    found = check(story, action="把包裹寄到浦东大道1号")
    assert kinds(found) == ["past_value"]
    assert found.rules[0].sentence == "“浦东大道1号”是“地址”的旧值；现在是“徐汇路2号”。"
    assert check(story, action="把包裹寄到徐汇路2号").ok
    english.say("My address is 12 Main Street.", "My new address is 9 Oak Lane.", index=False)
    found = check(english, action="Ship to 12 Main Street")
    assert [(rule.kind, rule.field) for rule in found.rules] == [("past_value", "address")]


def test_a_rejected_value_is_known_by_its_digest_alone(story: Story) -> None:
    name = field_value_name("user_profile", "", "location", "火星")
    key = {"owner_id": story.owner.id, "workspace_id": story.owner.workspace_id}
    bury([Burial(**key, name=name, reason_code="joke_or_sarcasm")])
    found = check(story, **claimed("user_profile.location", "火星"))
    assert [(rule.kind, rule.matched, rule.source) for rule in found.rules] == [
        ("rejected_before", "火星", "joke_or_sarcasm")
    ]


def test_open_questions_about_what_is_claimed_or_spoken_of_come_along(story: Story) -> None:
    story.say("我喜欢咖啡", index=False)
    story.field("preferences.attitude", "dislikes", subject="咖啡")
    question = Question.objects.of(story.owner.id).get()
    assert [each.id for each in check(story, action="推荐一杯咖啡").questions] == [question.id]
    found = check(story, **claimed("preferences.attitude", "dislikes", "咖啡"))
    assert [each.id for each in found.questions] == [question.id]
    (conflict,) = found.conflicts
    assert conflict.asked is not None and conflict.question == question.text
    assert conflict.stored.being_confirmed
    assert check(story, action="推荐一杯茶").ok


UNUSABLE: list[tuple[dict[str, Any], str, str]] = [
    ({}, "claims", "nothing_to_check"),
    ({"text": " \n"}, "claims", "nothing_to_check"),
    (claimed("user_profile.shoe_size", 42), "claims[0].field", "unknown_field"),
    (claimed("预算", 42), "claims[0].field", "ambiguous_field"),
    (claimed("user_profile.budget", "a lot"), "claims[0].value", "wrong_type"),
    (claimed("user_profile.budget", "\x00"), "claims[0].value", "nul_character"),
    ({"action": "x" * 1_001}, "action", "text_too_long"),
    ({"claims": (GivenClaim(field="user_profile.budget", value=1),) * 51}, "claims", "too_many"),
]


def test_an_unusable_input_is_named(story: Story) -> None:
    for asked, field, code in UNUSABLE:
        with pytest.raises(InvalidInput) as refused:
            check(story, **asked)
        assert (refused.value.field, refused.value.code) == (field, code)


def test_a_field_may_be_named_by_an_alias_that_means_one(story: Story) -> None:
    story.field("user_profile.location", "杭州")
    assert [each.stored.value for each in check(story, **claimed("城市", "上海")).conflicts] == ["杭州"]


@pytest.mark.parametrize(
    ("locale", "said", "drink", "part", "action"),
    [
        ("en", "I'm allergic to guarana.", "Sunrise", "guarana", "recommend a Sunrise"),
        ("zh-hans", "我对瓜拉纳过敏", "日出特饮", "瓜拉纳", "推荐日出特饮"),
    ],
)
def test_recorded_relations_bind_what_they_lead_to(
    locale: str, said: str, drink: str, part: str, action: str
) -> None:
    story = begin(locale=locale)
    story.say(said, index=False)
    assert "relation" not in kinds(check(story, action=action))
    relation = RelationCandidate(
        relation="contains", from_kind="product", from_name=drink, to_kind="product", to_name=part
    )
    write_relations(owner_id=story.owner.id, relations=[relation], source=story.source)
    (rule,) = [rule for rule in check(story, action=action).rules if rule.kind == "relation"]
    assert drink in rule.sentence and part in rule.sentence
    assert rule.matched == drink


def test_nothing_is_stored_and_the_number_of_statements_is_fixed(story: Story) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            check(story, text="我住在上海", action="推荐拿铁", session_ref="s1", **claimed("城市", "北京"))
        return len(queries)

    few = asked()
    story.say(
        "我住在杭州", "我乳糖不耐受", "不要方案B", "我不喜欢恐怖片", "我的收货地址是浦东大道1号", index=False
    )
    models = (Event, FieldVersion, MemoryItem, Change, Question, Recall)
    before = [list(model.objects.of(story.owner.id).values_list()) for model in models]
    assert asked() == few
    assert [list(model.objects.of(story.owner.id).values_list()) for model in models] == before


def test_a_frozen_owner_is_not_ok(story: Story) -> None:
    Owner.objects.filter(id=story.owner.id).update(state="frozen")
    found = check(story, action="推荐拿铁")
    assert (found.state, found.ok, found.rules) == ("owner_frozen", False, ())


def test_another_owners_memory_binds_nothing(story: Story) -> None:
    other = begin(source=story.source)
    other.say("我乳糖不耐受", "我住在杭州", "不要方案B", index=False)
    assert check(story, text="我住在上海", action="推荐拿铁和方案B").ok
