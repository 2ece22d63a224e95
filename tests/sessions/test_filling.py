"""What the worker reads in events becomes values of their session: the worked examples, in Chinese and in English."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memoryhub.models import Event, Session, SessionSlot
from tests.recall.stories import begin
from tests.sessions.talking import Talk, talk

pytestmark = pytest.mark.django_db


def chat_of(*, locale: str = "") -> Talk:
    """A session that nobody has opened by hand."""
    return Talk(begin(locale=locale))


def test_orders_are_kept_apart_and_an_address_is_changed_and_changed_back_in_chinese() -> None:
    chat = chat_of(locale="zh-hans")
    chat.say(
        "你好，订单A的收货地址是浦东新区世纪大道100号",
        "订单B的收货地址是徐汇区漕溪北路2号",
        "订单A的地址改成静安区南京西路3号",
        "订单B的电话是13800138000",
        "订单A的地址还是改回原来的",
    )
    assert chat.values("order:A") == {"number": "A", "address": "浦东新区世纪大道100号"}
    assert chat.values("order:B") == {"number": "B", "address": "徐汇区漕溪北路2号", "phone": "13800138000"}
    assert [(state, reason) for _, state, reason in chat.versions("order:A", "address")] == [
        ("deprecated", "user_correction"),
        ("deprecated", "restored"),
        ("active", ""),
    ]


def test_orders_are_kept_apart_and_an_address_is_changed_and_changed_back_in_english() -> None:
    chat = chat_of()
    chat.say(
        "The delivery address of order A is 12 Main Street.",
        "The address of order B is 7 Oak Lane.",
        "Change the address of order A to 9 Elm Street please.",
        "Please change the address of order A back to the old one.",
    )
    assert chat.values("order:A") == {"number": "A", "address": "12 Main Street"}
    assert chat.values("order:B") == {"number": "B", "address": "7 Oak Lane"}


def test_a_turn_without_a_code_is_about_the_order_spoken_of_last() -> None:
    chat = chat_of()
    chat.say(
        "订单A的地址是浦东大道1号",
        "订单B到哪了？",
        "地址改成徐汇大道2号",
        "改回去吧",
        "订单A呢",
        "地址改成静安路3号",
    )
    assert chat.values("order:B") == {"number": "B", "address": "徐汇大道2号"}
    assert chat.values("order:A")["address"] == "静安路3号"


def test_a_value_that_lives_long_does_not_make_its_context_the_last() -> None:
    chat = talk()
    chat.put("task:7", "deadline", "Friday", lifetime_seconds=86_400)
    chat.say("订单X5的地址是浦东大道1号", "地址改成静安路3号")
    assert chat.values("order:X5")["address"] == "静安路3号"
    assert [context.context for context in chat.look("然后呢").shown] == ["order:X5"]


def test_a_bare_code_means_the_context_of_that_name_and_never_another() -> None:
    chat = chat_of()
    chat.say("订单X5的地址是浦东大道1号", "订单Y6的地址是徐汇大道2号", "请把X5的地址改成静安路3号")
    chat.say("change the address for X5 to 9 Elm Street", "change the address for Z9 to 1 High Street")
    assert chat.values("order:X5")["address"] == "9 Elm Street"
    assert chat.values("order:Y6")["address"] == "徐汇大道2号"


def test_what_the_extractor_read_of_an_order_is_a_value_of_its_context() -> None:
    chat = chat_of(locale="zh-hans")
    chat.say("我的快递单号是SF123456789，预计明天到")
    values = chat.values("parcel:SF123456789")
    assert values["tracking_number"] == "SF123456789"
    assert "expected_arrival" in values
    kept = SessionSlot.objects.of(chat.story.owner.id).filter(name="tracking_number").get()
    assert (kept.fate, kept.form_type, kept.form_subject) == ("promoted", "order", "SF123456789")
    assert kept.event_id == Event.objects.of(chat.story.owner.id).get().id


def test_small_talk_opens_no_session() -> None:
    chat = chat_of()
    chat.say("good morning", "I keep a parrot", "我住在杭州", "改回去吧")
    assert not Session.objects.of(chat.story.owner.id).exists()


@pytest.mark.parametrize("role", ["assistant", "tool", "system", "staff"])
def test_only_the_owners_words_fill_a_session(role: str) -> None:
    chat = chat_of()
    chat.say("订单A的地址是浦东大道1号", role=role)
    assert not Session.objects.of(chat.story.owner.id).exists()


def test_what_was_said_long_ago_is_history() -> None:
    chat = chat_of()
    chat.say("订单A的地址是浦东大道1号", occurred_at=datetime.now(UTC) - timedelta(minutes=31))
    assert not Session.objects.of(chat.story.owner.id).exists()
    chat.say("订单A的地址是浦东大道1号", occurred_at=datetime.now(UTC) - timedelta(minutes=29))
    assert chat.values("order:A")["address"] == "浦东大道1号"


def test_words_outside_a_session_fill_none() -> None:
    story = begin()
    story.say("订单A的地址是浦东大道1号", session_ref="", index=False)
    assert not Session.objects.of(story.owner.id).exists()


def test_two_conversations_of_one_owner_do_not_mix() -> None:
    first = chat_of()
    first.say("订单A的地址是浦东大道1号")
    second = Talk(first.story, "chat-2")
    second.say("订单A的地址是徐汇大道2号", "改回去吧")
    assert first.values("order:A")["address"] == "浦东大道1号"
    assert second.look().ref == "chat-2"
    assert second.values("order:A")["address"] == "徐汇大道2号"


def test_what_little_trusted_words_say_is_held_back() -> None:
    chat = talk()
    chat.story.source = type(chat.story.source)(
        workspace_id=chat.story.source.workspace_id, trust_tier=2, agent_id=chat.story.source.agent_id
    )
    chat.say("订单A的地址是浦东大道1号")
    held = SessionSlot.objects.of(chat.story.owner.id).values_list("held_for", flat=True)
    assert set(held) == {"low_trust"}


def test_a_plan_that_is_cancelled_is_gone_and_no_other() -> None:
    chat = chat_of(locale="zh-hans")
    chat.say("订单A的退款方案改成全额退款", "订单B的退款方案改成换货", "把刚才说的退款方案取消")
    assert chat.values("order:B") == {"number": "B"}
    assert chat.values("order:A")["plan"] == "全额退款"
    chat.say("取消订单A的退款方案")
    assert "plan" not in chat.values("order:A")


def test_an_order_number_of_the_first_turn_is_right_at_the_hundredth() -> None:
    chat = chat_of(locale="zh-hans")
    chat.say("我要查的订单号是SO-2026-77，颜色换成蓝色", *(f"随便聊聊第{number}件事" for number in range(97)))
    chat.say("对了，订单SO-2026-88是我朋友的")
    assert chat.values("order:SO-2026-77") == {"number": "SO-2026-77", "colour": "蓝色"}
    answer = chat.story.recall("SO-2026-77要什么颜色", session_ref=chat.ref)
    assert [entry.text for entry in answer.served if entry.section == "session"] == [
        "颜色（订单SO-2026-77）: 蓝色"
    ]


@pytest.mark.parametrize(
    ("first", "corrected"),
    [
        ("My order number is BK-440912.", "Sorry, wrong one, my order number is BK-440921."),
        ("我的订单号是BK-440912", "说错了，我的订单号是BK-440921"),
    ],
)
def test_a_number_that_was_said_wrong_is_no_order_of_the_conversation(first: str, corrected: str) -> None:
    chat = chat_of()
    chat.say(first, corrected)
    assert chat.values("order:BK-440921") == {"number": "BK-440921"}
    assert chat.versions("order:BK-440912", "number") == [("BK-440912", "deprecated", "user_correction")]


def test_a_second_order_is_no_correction_and_a_correction_leaves_other_kinds() -> None:
    chat = chat_of()
    chat.say("我的订单号是BK-440912", "说错了，工单号是T-88", "我还有一个订单号是BK-440921")
    for context in ("order:BK-440912", "ticket:T-88", "order:BK-440921"):
        assert chat.values(context) == {"number": context.partition(":")[2]}
