"""Corrections, changes of mind, decisions, items and evidence, beyond which field a sentence fills."""

from time import process_time
from timeit import timeit

import pytest

from memoryhub.language.fence import RECALL_FENCE
from memoryhub.writing.candidates import FormCandidate, ItemCandidate
from memoryhub.writing.extraction import extract
from tests.writing.utterances import STARTER, codes, items, only, read, turn, values


def form(text: str, *, earlier: tuple[str, ...] = ()) -> FormCandidate:
    first = next(each for each in read(text, earlier=earlier).candidates if isinstance(each, FormCandidate))
    assert isinstance(first, FormCandidate)
    return first


@pytest.mark.parametrize(
    "text",
    [
        "these days my favourite tea is jasmine",
        "最近我开始喜欢看恐怖片了",
        "改用方案B，预算不够",
        "还是方案A吧",
        "back to plan A",
        "搬家到上海了",
        "I moved to Porto last week",
        "I take the train to work now",
        "we moved from Node.js to Python",
        "我已經不喜歡喝可樂了",
    ],
)
def test_a_change_of_the_world_or_mind_is_explicit(text: str) -> None:
    candidate = form(text)

    assert candidate.explicit_correction
    assert candidate.world_change


@pytest.mark.parametrize(
    "text",
    [
        "刚才说错了，我住在苏州",
        "刚才说错了。我住在苏州。",
        "Actually my name is Jonas, not Jonah",
        "I misspoke. My name is Ada.",
        "更正一下，我的手机号是13900001111",
        "收货地址写错了，应该是杭州市文三路100号",
        "不是方案A，是方案B",
    ],
)
def test_a_correction_says_that_the_earlier_value_was_never_true(text: str) -> None:
    candidate = form(text)

    assert candidate.explicit_correction
    assert not candidate.world_change
    assert candidate.basis == "corrected"


@pytest.mark.parametrize("text", ["我住在杭州", "I live in Lisbon", "用方案A", "my favourite tea is oolong"])
def test_a_first_statement_corrects_nothing(text: str) -> None:
    candidate = form(text)

    assert not candidate.explicit_correction
    assert candidate.basis == "stated"


@pytest.mark.parametrize(
    ("earlier", "text", "expected"),
    [
        ("我住在杭州", "刚才说错了，是苏州", ["user_profile.location=苏州"]),
        ("我住在杭州", "不是杭州，是苏州", ["user_profile.location=苏州"]),
        ("I live in Lisbon", "I meant Porto, not Lisbon", ["user_profile.location=Porto"]),
        ("my favourite tea is oolong", "actually it's jasmine", ["preferences.favourite[tea]=jasmine"]),
        ("The deadline is 3 July", "Sorry, I meant the 4th of July", ["project_config.deadline=2024-07-04"]),
        ("My budget is 50k", "I meant 60k, not 50k", ["user_profile.budget=60000"]),
        ("用方案B", "说错了，应该是方案C", ["project_config.current_plan=方案C"]),
        (
            "I'm allergic to walnuts",
            "I meant peanuts",
            ["user_profile.allergies=~walnuts", "user_profile.allergies=peanuts"],
        ),
        ("let's meet on Wednesday", "I meant Thursday", []),
    ],
)
def test_a_correction_without_a_field_points_at_an_earlier_turn(
    earlier: str, text: str, expected: list[str]
) -> None:
    extraction = read(text, earlier=("我对花生过敏", earlier))

    assert values(extraction) == expected
    assert all(each.explicit_correction and not each.world_change for each in extraction.candidates)


@pytest.mark.parametrize(
    ("text", "reason", "alternatives"),
    [
        ("改用方案B，预算不够", "预算不够", ()),
        ("因为预算，改用方案B", "预算", ()),
        ("还是方案A吧，对比过B和C，成本问题", "成本问题", ("B", "C")),
        ("最后还是选了方案A，主要是成本问题，B和C都对比过", "成本问题", ("B", "C")),
        ("let's go with plan B because the budget is tight", "the budget is tight", ()),
        ("We chose plan C over plan B because it is cheaper", "it is cheaper", ("plan B",)),
        ("We went with plan A, compared with B and C, cost was the issue", "cost was the issue", ("B", "C")),
    ],
)
def test_a_decision_carries_its_reason_and_what_was_weighed(
    text: str, reason: str, alternatives: tuple[str, ...]
) -> None:
    extraction = read(text)

    assert (extraction.action, extraction.reason, extraction.alternatives) == (
        "decision",
        reason,
        alternatives,
    )


def test_a_reason_alone_belongs_to_what_was_said_before() -> None:
    extraction = read("因为预算")

    assert (extraction.action, extraction.reason, extraction.candidates) == ("", "预算", ())


@pytest.mark.parametrize(("text", "plan"), [("no, not plan B", "plan B"), ("不要方案B", "方案B")])
def test_a_refused_plan_is_a_fact_of_its_own(text: str, plan: str) -> None:
    candidate = only(read(text))

    assert isinstance(candidate, ItemCandidate)
    assert (candidate.attribute, candidate.value, candidate.flags) == (plan, "refused", ("refused_option",))


@pytest.mark.parametrize(
    ("text", "content", "topic", "polarity"),
    [
        (
            "I can't bear mushrooms on a pizza",
            "The user dislikes mushrooms on a pizza.",
            "mushrooms on a pizza",
            "dislikes",
        ),
        ("I don't like group calls", "The user dislikes group calls.", "group calls", "dislikes"),
        ("I can not stand pop-up windows", "The user dislikes pop-up windows.", "pop-up windows", "dislikes"),
        ("别给我推荐辣的", "用户不想被推荐辣的", "辣的", "dislikes"),
        ("我不爱看恐怖片", "用户不爱看恐怖片", "恐怖片", "dislikes"),
        ("最近我开始喜欢看恐怖片了", "用户喜欢看恐怖片", "恐怖片", "likes"),
        ("我喜歡喝烏龍茶", "用戶喜歡喝烏龍茶", "烏龍茶", "likes"),
        ("我喜欢用 Notion 记笔记", "用户喜欢用 Notion 记笔记", "用 Notion 记笔记", "likes"),
        (
            "I love camping trips with my family",
            "The user likes camping trips with their family.",
            "camping trips with their family",
            "likes",
        ),
    ],
)
def test_a_preference_keeps_polarity_object_language_and_script(
    text: str, content: str, topic: str, polarity: str
) -> None:
    (item,) = items(read(text))

    assert (item.content, item.subject_entity, item.attribute, item.value) == (
        content,
        "owner",
        topic,
        polarity,
    )


@pytest.mark.parametrize(
    ("first", "second", "same_slot"),
    [
        ("contract renews on 3 March", "contract renews on 4 March", True),
        ("budget 5,000", "budget 50,000", True),
        ("gate B12", "gate B13", True),
        ("parcel KX-117 arrived", "parcel KX-118 arrived", False),
        ("合同3月3日续签", "合同3月4日续签", True),
        ("staging runs docker 27.1", "staging runs docker 27.2", True),
    ],
)
def test_texts_that_differ_in_a_number_are_different_facts(first: str, second: str, same_slot: bool) -> None:
    (one,), (other,) = items(read(first)), items(read(second))

    slots = [(each.subject_entity, each.attribute) for each in (one, other)]
    assert (slots[0] == slots[1]) is same_slot
    assert one.content != other.content
    if same_slot:
        assert one.value != other.value


def test_a_sentence_of_several_facts_stays_whole_and_names_its_code() -> None:
    extraction = read("项目预算上限是五十万，负责人王工，单号 SR-0521")

    assert values(extraction) == ["project_config.max_budget=500000"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I visited Lisbon on 3 May 2024", "The user visited Lisbon on 2024-05-03."),
        (
            "Yesterday I signed up for a pottery class",
            "The user signed up for a pottery class on 2024-05-14.",
        ),
        ("上周三我去了苏州博物馆", "用户2024年5月8日去了苏州博物馆"),
        ("我昨天去医院拔了牙", "用户2024年5月14日去医院拔了牙"),
    ],
)
def test_a_dated_event_stands_alone_with_its_day_written_out(text: str, content: str) -> None:
    candidate = only(read(text))

    assert isinstance(candidate, ItemCandidate)
    assert (candidate.item_kind, candidate.content) == ("episodic", content)


def test_a_standing_wish_that_fits_no_field_becomes_one_sentence() -> None:
    candidate = only(read("yes, early calls from now on"))

    assert isinstance(candidate, ItemCandidate)
    assert candidate.content == "The user wants early calls from now on."
    assert candidate.quote == "yes, early calls from now on"


def test_a_value_that_holds_from_a_later_day_says_so() -> None:
    candidate = form("从下周一起预算改为60万")

    assert candidate.valid_from is not None
    assert candidate.valid_from.isoformat() == "2024-05-19T16:00:00+00:00"


@pytest.mark.parametrize("text", ["以后别推荐咖啡了", "never suggest cruises again"])
def test_a_standing_prohibition_waits_and_makes_no_sentence(text: str) -> None:
    extraction = read(text)

    assert items(extraction) == []
    assert form(text).flags == ("standing_prohibition",)


def test_quotes_are_exact_and_carry_their_place() -> None:
    text = "你好！  我对花生过敏。\n我住在成都，项目预算是50万；谢谢"

    for candidate in read(text).candidates:
        assert candidate.quote_start is not None
        assert text[candidate.quote_start :].startswith(candidate.quote)
        assert candidate.quote


def test_recalled_blocks_are_not_learned_again() -> None:
    block = f"{RECALL_FENCE.opens_with('n0nce123')}\n我对芒果过敏\nI live in Oslo\n{RECALL_FENCE.closes_with('n0nce123')}"

    assert read(block).candidates == ()
    assert values(read(f"{block}\n我叫林晓梅")) == ["user_profile.name=林晓梅"]


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
@pytest.mark.parametrize(
    "text",
    ["I live in Lisbon", "我对坚果过敏", "many clients like early calls; you could use the Lisbon office"],
)
def test_only_the_owner_is_mined(role: str, text: str) -> None:
    extraction = read(text, role=role)  # type: ignore[arg-type]

    assert extraction.candidates == ()
    assert extraction.action == ""


@pytest.mark.parametrize(
    "text", ["已为您派单，请留意电话", "I have dispatched a technician.", "I will refund the order today"]
)
def test_what_the_agent_promised_is_a_commitment(text: str) -> None:
    extraction = read(text, role="assistant")

    assert (extraction.action, extraction.candidates) == ("commitment", ())
    assert read(text).action != "commitment"


def test_staff_give_rules_of_the_house_and_nothing_else() -> None:
    assert values(read("任何推荐都不能包含坚果成分", role="staff")) == [
        "business_rule.rule[坚果成分]=任何推荐都不能包含坚果成分"
    ]
    assert values(read("我住在杭州", role="staff")) == []


def test_fields_outside_the_whitelist_are_never_named() -> None:
    without_profile = {key: field for key, field in STARTER.items() if key[0] != "user_profile"}

    extraction = extract(turn("我住在杭州，我对花生过敏，改用方案B"), fields=without_profile)

    assert values(extraction) == ["project_config.current_plan=方案B"]


def test_a_secret_is_named_but_never_quoted() -> None:
    extraction = read("我的密码是abc12345")

    assert codes(extraction) == {"secret"}
    assert all("abc12345" not in refusal.quote for refusal in extraction.refusals)


def test_importance_has_its_parts() -> None:
    change = form("改用方案B，预算不够").importance

    assert change is not None
    assert dict(change.parts) == {"default": 0.85, "change of decision": 0.1, "core project parameter": 0.05}


@pytest.mark.parametrize(
    "text",
    [
        "我" * 16_000,
        "I love " * 2_200,
        "我喜欢" * 5_000,
        "not plan " * 1_700,
        "预算" * 8_000,
        "a, " * 5_000,
        "从Python换" * 2_000,
        "my address is " * 1_100,
    ],
)
def test_hostile_repetition_is_read_in_bounded_time(text: str) -> None:
    assert timeit(lambda: read(text), number=1, timer=process_time) < 2


def test_an_ordinary_sentence_takes_less_than_two_milliseconds() -> None:
    sentences = [
        "I moved to Lisbon last Tuesday and I love it here",
        "我上周搬到了杭州，预算改成60万了",
        "昨天和朋友吃了顿饭",
    ]
    seconds = min(
        timeit(lambda: [read(text) for text in sentences], number=20, timer=process_time) for _ in range(3)
    )

    assert seconds / 20 / len(sentences) < 0.002
