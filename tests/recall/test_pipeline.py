"""The read path on a real database: whose memory is read, what comes first, what stays out, and what a recall costs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.exceptions import InvalidInput, OwnerErasing, UnknownOwner
from memoryhub.language.embedders import EmbeddingUnavailable, Vectors
from memoryhub.language.embedders.hashed import HashedEmbedder
from memoryhub.models import Change, FieldVersion, Owner, OwnerLink, Recall, SearchEntry, new_id
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from memoryhub.search_index import NewEntry, add_entries
from memoryhub.writing.source import Source
from tests.builders import make_link
from tests.recall.stories import Story, begin, texts
from tests.repeats import FULL

pytestmark = pytest.mark.django_db


@pytest.fixture
def story() -> Story:
    return begin(locale="zh-hans", time_zone="Asia/Shanghai")


class Down(HashedEmbedder):
    """A provider that does not answer."""

    def embed_query(self, text: str) -> Vectors:
        raise EmbeddingUnavailable("down")


ASKED: list[dict[str, Any]] = [{}, {"kinds": ("event",)}, {"entities": ("parrot",)}]


# --- whose memory ---------------------------------------------------------------------------------------------------


def test_every_leg_answers_from_the_asked_owner_only() -> None:
    one = begin(ref="u1")
    two, ten = begin(source=one.source, ref="u2"), begin(source=one.source, ref="u10")
    one.say("I keep a parrot")
    one.field("user_profile.pet", "parrot")
    two.say("I keep a tortoise")
    two.field("user_profile.pet", "tortoise")
    two.index()
    for asked in ASKED:
        for query in ("which pet do I have", "I keep a parrot", "parrot today"):
            assert not any("parrot" in text for text in texts(two.recall(query, **asked)))
            assert ten.recall(query, **asked).served == ()
            assert {entry.owner_id for entry in two.recall(query, **asked).ranked} <= {two.owner.id}
    assert any("tortoise" in text for text in texts(two.recall("which pet do I have")))


def test_an_unknown_owner_is_an_error_and_nobody_is_made() -> None:
    story = begin()
    for workspace_id, owner_id in ((story.source.workspace_id, new_id()), (new_id(), story.owner.id)):
        with pytest.raises(UnknownOwner):
            recall(
                workspace_id=workspace_id,
                owner_id=owner_id,
                request=RecallRequest(query="x"),
                caller=Caller(),
            )


def test_a_frozen_owner_gets_an_empty_answer_that_says_so(story: Story) -> None:
    story.say("我对坚果过敏")
    Owner.objects.filter(id=story.owner.id).update(state="frozen")
    answer = story.recall("有什么零食推荐")
    assert (answer.state, answer.text, answer.served, answer.recall_id) == ("owner_frozen", "", (), None)


def test_an_owner_being_erased_is_gone(story: Story) -> None:
    Owner.objects.filter(id=story.owner.id).update(state="erasing")
    with pytest.raises(OwnerErasing):
        story.recall("x")


def test_rules_of_a_linked_owner_come_along_until_the_link_ends(story: Story) -> None:
    team = begin(source=story.source, kind="team")
    team.say("我对坚果过敏")
    link = make_link(story.owner, team.owner)
    answer = story.recall("有什么零食推荐")
    assert [(entry.field_name, entry.owner_id) for entry in answer.ranked] == [("allergies", team.owner.id)]
    assert len(answer.served) == 1
    OwnerLink.objects.of(story.owner.id).filter(id=link.id).update(ended_at=datetime.now(UTC))
    assert story.recall("有什么零食推荐").served == ()


# --- what comes first -----------------------------------------------------------------------------------------------


def test_an_allergy_is_served_first_for_a_question_without_a_word_in_common(story: Story) -> None:
    story.say("我对坚果过敏", "最近想买一台投影仪", "周末打算去爬山")
    answer = story.recall("有什么零食推荐")
    assert answer.served[0].section == "rules"
    assert "坚果" in answer.served[0].text
    assert "rules" in answer.served[0].legs


def test_what_does_not_fit_into_the_rules_share_is_reported(story: Story) -> None:
    story.say(*(f"我对{food}过敏" for food in ("花生", "牛奶", "鸡蛋", "虾", "芒果", "大豆", "小麦", "螃蟹")))
    answer = story.recall("有什么零食推荐", budget_tokens=300)
    rules = [entry for entry in answer.served if entry.section == "rules"]
    assert 0 < sum(entry.tokens for entry in rules) <= 100
    assert answer.excluded_counts["rules_share"] == 8 - len(rules)


@pytest.fixture
def project() -> Story:
    """What report B35 gives."""
    story = begin(locale="zh-hans")
    story.field("user_profile.budget", 500000)
    story.item("项目预算上限是五十万，负责人王工，单号 SR-0521")
    story.item("staging runs docker 27.1")
    story.index()
    return story


@pytest.mark.parametrize("query", ["预算", "预算是多少"])
def test_an_alias_reaches_its_form_in_chinese(project: Story, query: str) -> None:
    answer = project.recall(query)
    first = answer.ranked[0]
    assert (first.form_type, first.field_name) == ("user_profile", "budget")
    assert "forms" in first.legs
    assert any("SR-0521" in text for text in texts(answer))


def test_a_mixed_question_finds_both_and_says_which_leg_found_each(project: Story) -> None:
    answer = project.recall("预算 docker")
    found = {entry.text: entry.legs for entry in answer.served}
    assert any("words" in legs for text, legs in found.items() if "docker" in text)
    assert any("五十万" in text for text in found)
    assert all(entry.legs for entry in answer.ranked)


@pytest.mark.parametrize("query", ["SR-0521", "sr-0521 是谁负责", "５０００００", "50万"])
def test_codes_and_numbers_inside_chinese_are_found_in_any_notation(project: Story, query: str) -> None:
    assert any("五十万" in text for text in texts(project.recall(query)))


def test_the_forms_of_another_subject_do_not_come_first() -> None:
    story = begin()
    story.field("order.tracking_number", "KX-1", subject="SO-1")
    story.item("The parcel of SO-2 has tracking number KX-2")
    story.index()
    assert "KX-2" in story.recall("tracking number of SO-2").ranked[0].text
    assert story.recall("tracking number of SO-1").ranked[0].form_subject == "SO-1"


def test_when_no_field_is_named_meaning_is_tried_and_the_answer_says_what_each_leg_did(
    project: Story,
) -> None:
    answer = project.recall("staging")
    assert (answer.legs["forms"].state, answer.legs["meaning"].state) == ("skipped", "ok")
    assert any("docker" in text for text in texts(answer))
    nothing = begin().recall("anything")
    assert nothing.served == ()
    assert {"rules", "forms", "events", "meaning", "words"} <= nothing.legs.keys()


# --- what holds -----------------------------------------------------------------------------------------------------


def test_a_superseded_value_is_not_served_but_is_what_was_true_then(story: Story) -> None:
    story.field("user_profile.location", "杭州", valid_from=datetime(2026, 1, 1, tzinfo=UTC))
    story.field("user_profile.location", "上海", valid_from=datetime(2026, 2, 1, tzinfo=UTC))
    story.index()
    assert "所在城市: 上海" in texts(story.recall("住在哪个城市"), "forms")
    january = story.recall("住在哪个城市", valid_at=datetime(2026, 1, 15, tzinfo=UTC))
    assert "所在城市: 杭州" in texts(january, "forms")
    assert story.recall("住在哪个城市", known_at=datetime(2020, 1, 1, tzinfo=UTC)).served == ()


def test_a_scheduled_value_is_served_on_its_day_before_any_job_has_run(story: Story) -> None:
    now = datetime.now(UTC)
    story.field("user_profile.location", "杭州", valid_from=now - timedelta(days=30))
    story.field("user_profile.location", "上海", valid_from=now + timedelta(days=3))
    assert FieldVersion.objects.of(story.owner.id).filter(status="scheduled").count() == 1
    assert "所在城市: 杭州" in texts(story.recall("住在哪个城市"), "forms")
    later = story.recall("住在哪个城市", valid_at=now + timedelta(days=4))
    assert texts(later, "forms") == ["所在城市: 上海"]


def test_a_proposal_is_not_served_and_marks_what_it_would_change(story: Story) -> None:
    story.say("我对坚果过敏")
    story.field("user_profile.allergies", "坚果", operation="remove")
    answer = story.recall("过敏")
    assert [(entry.text, entry.being_confirmed) for entry in answer.served] == [("过敏: 坚果", True)]
    assert "待确认" in answer.served[0].line


def test_a_changed_mind_leaves_only_the_later_value_in_recall_and_its_history_when_asked() -> None:
    story = begin()
    story.say("My favourite tea is oolong")
    story.say("These days my favourite tea is jasmine")
    answer = story.recall("what is my favourite tea?")
    assert "jasmine" in answer.text
    assert "oolong" not in answer.text
    assert answer.excluded_counts["superseded"] == 1
    past = story.recall("what was my favourite tea before?")
    assert "Favourite (tea): oolong → jasmine" in texts(past, "timeline")


def test_an_event_with_an_old_and_a_standing_value_says_so() -> None:
    story = begin()
    story.say("Hi, my name is Ada and I live in Porto")
    story.say("I moved to Lisbon")
    line = next(entry.line for entry in story.recall("Hi Ada").served if "Porto" in entry.text)
    assert "holds a superseded value" in line


def test_what_waits_for_a_person_is_not_served_by_way_of_the_event_that_said_it(story: Story) -> None:
    (event_id,) = story.say("任何推荐都不能包含坚果成分")
    assert Change.objects.of(story.owner.id).get(event_id=event_id).state == "proposed"
    answer = story.recall("推荐什么零食")
    assert answer.served == ()
    assert answer.excluded_counts["pending"] == 1
    asked = story.recall("推荐什么零食", kinds=("event",))
    assert [(entry.target_id, entry.being_confirmed) for entry in asked.served] == [(event_id, True)]


def test_what_was_rejected_does_not_come_back_by_way_of_its_event(story: Story) -> None:
    (event_id,) = story.say("任何推荐都不能包含坚果成分")
    Change.objects.of(story.owner.id).filter(event_id=event_id).update(state="rejected")
    for asked in ({}, {"kinds": ("event",)}):
        answer = story.recall("任何推荐都不能包含坚果成分", **asked)  # type: ignore[arg-type]
        assert answer.served == ()
        assert answer.excluded_counts["refused"] == 1


def test_a_joke_is_kept_on_the_timeline_and_not_told_as_a_fact(story: Story) -> None:
    story.say("我血管里流的都是咖啡，开玩笑的")
    answer = story.recall("喜欢喝咖啡吗")
    assert answer.served == ()
    assert answer.excluded_counts["refused"] == 1


def test_events_of_little_trust_and_of_other_roles_stay_out(story: Story) -> None:
    story.say("会员卡号是 KX-117", role="assistant")
    story.source = type(story.source)(
        workspace_id=story.source.workspace_id, trust_tier=2, agent_id=story.source.agent_id
    )
    story.say("会员卡号是 KX-118")
    assert story.recall("会员卡号 KX-117 KX-118").served == ()


def test_a_promise_of_the_agent_is_told_as_said_by_the_agent(story: Story) -> None:
    story.say("打印机坏了")
    story.say("已为您派单，师傅明天上门", role="assistant")
    answer = story.recall("派单了没有")
    told = [entry for entry in answer.served if "派单" in entry.text]
    assert told
    assert {entry.certainty for entry in told} == {"said_by_agent"}


def test_heat_hides_an_old_event_from_the_open_look_only(story: Story) -> None:
    story.at = datetime.now(UTC) - timedelta(days=60, hours=1)
    story.say("阳台的栀子花开了")
    assert not any("events" in entry.legs for entry in story.recall("最近怎么样").ranked)
    assert any("栀子花" in text for text in texts(story.recall("栀子花")))
    assert any("栀子花" in text for text in texts(story.recall("最近怎么样", kinds=("event",))))
    assert "60 天前" in story.recall("栀子花").text
    named = story.at.astimezone().strftime("%Y年%m月%d日")
    assert any("栀子花" in text for text in texts(story.recall(f"{named}发生了什么")))


# --- the vectors ----------------------------------------------------------------------------------------------------


def test_a_provider_that_is_down_leaves_the_other_legs_to_answer(project: Story) -> None:
    answer = project.recall("预算 docker", embedder=Down())
    assert answer.legs["meaning"].state == "degraded"
    assert any("docker" in text for text in texts(answer))
    assert answer.ranked[0].field_name == "budget"


def test_an_entry_without_a_vector_is_found_by_its_words(story: Story) -> None:
    story.say("仓库钥匙在前台", "今天下雨了", index=False)
    answer = story.recall("钥匙在哪")
    assert any("仓库钥匙" in text for text in texts(answer))
    assert answer.ranked[0].parts.cosine is None


def crowd(source: Source, count: int) -> None:
    """Another owner of the workspace with many entries close to the question, indexed."""
    big = begin(source=source)
    for start in range(0, count, 500):
        add_entries(
            workspace_id=source.workspace_id,
            owner_id=big.owner.id,
            entries=[
                NewEntry(
                    kind="item", target_id=new_id(), text=f"lamp lamp number {number}", occurred_at=big.at
                )
                for number in range(start, start + 500)
            ],
        )
    big.index()


@pytest.mark.deep
def test_b32_a_small_owner_gets_all_his_items_beside_a_big_one_and_superseded_ones() -> None:
    story = begin()
    crowd(story.source, 5_000 if FULL else 1_000)
    active = [story.item(f"lamp model number {number} is broken").target_id for number in range(12)]
    for number in range(200):
        story.item(
            f"the lamp shop on floor {number} is open",
            subject_entity="shop",
            attribute="floor",
            value=str(number),
        )
    story.index()
    entries = SearchEntry.objects.of(story.owner.id).filter(kind="item")
    assert entries.exclude(known_until=None).count() == 199
    ten = [entry.target_id for entry in story.recall("lamp", top_k=10, budget_tokens=2000).ranked][:10]
    fifty = [entry.target_id for entry in story.recall("lamp", top_k=50, budget_tokens=2000).ranked]
    assert len(ten) == 10
    assert set(active) <= set(fifty)
    assert len(fifty) == 13
    assert ten == fifty[:10]


# --- what it costs and leaves behind --------------------------------------------------------------------------------


def counted(story: Story, query: str) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        story.recall(query)
    own = [entry["sql"] for entry in captured.captured_queries if "set_config(" not in entry["sql"]]
    return [sql for sql in own if not sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))]


def test_a_recall_is_four_statements_however_much_there_is(story: Story) -> None:
    story.say("我对坚果过敏")
    few = counted(story, "预算是多少")
    story.say(*(f"第{number}件事：买了{number}本书" for number in range(40)))
    for number in range(20):
        story.field("preferences.attitude", "likes", subject=f"茶{number}")
    assert len(few) == len(counted(story, "预算是多少")) == 4


def test_the_trace_holds_what_was_served_and_counts_what_was_not(story: Story) -> None:
    story.say("我对坚果过敏", *(f"买了第{number}本关于坚果的书" for number in range(80)))
    answer = story.recall("坚果", session_ref="chat-1", top_k=3)
    assert answer.recall_id is not None
    row = Recall.objects.of(story.owner.id).get(id=answer.recall_id)
    assert (row.query, row.session_ref, row.agent_id) == ("坚果", "chat-1", story.source.agent_id)
    assert [entry["id"] for entry in row.served] == [str(entry.target_id) for entry in answer.served]
    assert row.tokens == answer.tokens
    assert len(row.excluded) <= 50
    assert sum(row.excluded_counts.values()) >= len(row.excluded)
    assert row.excluded_counts["top_k"] > 50 - len(row.excluded)


def test_an_evaluation_leaves_no_trace(story: Story) -> None:
    answer = story.recall("坚果", evaluation=True)
    assert answer.recall_id is None
    assert not Recall.objects.of(story.owner.id).exists()


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"budget_tokens": -1}, "budget_tokens"),
        ({"kinds": ("evnt",)}, "kinds"),
        ({"top_k": -1}, "top_k"),
        ({"query": "a\0b"}, "query"),
        ({"query": "x" * 5000}, "query"),
        ({"entities": ("\ud800",)}, "entities"),
    ],
)
def test_unusable_input_names_its_field(story: Story, asked: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        story.recall(**{"query": "x", **asked})  # type: ignore[arg-type]
    assert caught.value.field == field


@pytest.mark.parametrize("budget", [0, 1])
def test_b36_a_budget_too_small_for_the_frame_gives_an_empty_block(story: Story, budget: int) -> None:
    story.say("我对坚果过敏")
    answer = story.recall("坚果", budget_tokens=budget)
    assert (answer.text, answer.tokens, answer.served) == ("", 0, ())
    assert answer.excluded_counts["budget"] > 0
