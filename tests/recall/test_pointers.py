"""Pointers are resolved before searching, and the answer says what they were taken for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memoryhub.models import Recall, new_id
from memoryhub.recall.answers import PointerAnswer, RecallAnswer
from memoryhub.recall.pointed import Pointed, PointedValue, Turn
from memoryhub.recall.pointers import pointers_in, resolve
from tests.recall.candidates import NOW, question
from tests.recall.stories import Story, begin, texts
from tests.sessions.talking import talk


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("刚才说的权限体系你给个方案", ["just_said"]),
        ("按我刚刚提到的办", ["just_said"]),
        ("把刚才说的退款方案取消", ["just_said"]),
        ("Please do what I just said", ["just_said"]),
        ("the plan you just mentioned", ["just_said"]),
        ("老规矩，来一份", ["usual"]),
        ("I'll have the usual", ["usual"]),
        ("那个问题怎么样了", ["issue"]),
        ("上次的投诉处理得如何", ["issue"]),
        ("How is that issue going?", ["issue"]),
        ("any news on my complaint?", ["issue"]),
        ("老规矩，还有那个问题解决了吗", ["usual", "issue"]),
        ("How is ticket T-88 going?", []),
        ("what is my budget", []),
        ("刚好路过", []),
        ("usually I take the bus", []),
    ],
)
def test_what_points(text: str, kinds: list[str]) -> None:
    assert [pointer.kind for pointer in pointers_in(text)] == kinds


def resolved(
    text: str, *, turns: tuple[Turn, ...] = (), values: tuple[PointedValue, ...] = ()
) -> PointerAnswer:
    pointed = Pointed(turns=turns, values=values)
    (one,) = resolve(pointers_in(text), question=question(text), pointed=pointed, slots=())
    return one.answer


def turn(content: str, *, role: str = "user") -> Turn:
    return Turn(new_id(), role, content, NOW)


def value(
    field: str, told: Any, subject: str = "", *, form_type: str = "incident", age: int = 0
) -> PointedValue:
    return PointedValue(new_id(), form_type, subject, field, told, NOW - timedelta(days=age))


def told(answer: PointerAnswer) -> list[str]:
    return [target.text for target in answer.taken]


def test_the_turn_that_shares_words_is_meant_else_the_newest_but_never_the_question_itself() -> None:
    asking = "刚才说的退款怎么办"
    turns = (turn(asking), turn("今天下雨"), turn("我要退款"), turn("退款处理中", role="assistant"))
    assert told(resolved(asking, turns=turns)) == ["我要退款"]
    assert told(resolved("do what I just said", turns=turns[1:])) == ["今天下雨"]
    assert told(resolved("你刚才说的退款", turns=turns)) == ["退款处理中"]
    assert resolved("what I just said").state == "unresolved"


def test_the_usual_is_the_usual_request_of_its_topic_else_the_preferences() -> None:
    coffee = value("usual_request", "double espresso", "coffee", form_type="preferences")
    lunch = value("usual_request", "noodles", "lunch", form_type="preferences")
    style = value("reply_style", "short", form_type="preferences")
    assert told(resolved("the usual coffee please", values=(coffee, lunch, style))) == [
        "coffee: double espresso"
    ]
    assert told(resolved("老规矩", values=(style,))) == ["short"]
    both = resolved("the usual, please", values=(coffee, lunch, style))
    assert (both.state, len(both.choices), both.taken) == ("ambiguous", 2, ())


def test_the_newest_open_incident_is_meant_and_several_open_ones_are_choices() -> None:
    old = value("status", "open", "INC-1", age=9)
    new = value("status", "dispatched", "INC-2", age=1)
    solved = value("status", "solved", "INC-3")
    answer = resolved("how is that issue going?", values=(solved, new, old))
    assert told(answer) == ["INC-2: dispatched"]
    assert answer.state == "ambiguous"
    assert [target.text for target in answer.choices] == ["INC-2 dispatched", "INC-1 open"]
    one = resolved("那个问题怎么样了", values=(solved, new))
    assert (one.state, told(one), one.choices) == ("resolved", ["INC-2: dispatched"], ())
    assert told(resolved("那个问题解决了吗", values=(solved,))) == ["INC-3: solved"]


# --- end to end -----------------------------------------------------------------------------------------------------


def taken(answer: RecallAnswer) -> list[str]:
    return [target.text for pointer in answer.pointers for target in pointer.taken]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("locale", "said", "query"),
    [
        ("zh-hans", ["我想换一台投影仪", "会议改到周五"], "把刚才说的记下来"),
        (
            "en",
            ["I want another projector", "The meeting moved to Friday"],
            "Please note down what I just said",
        ),
    ],
)
def test_what_was_just_said_is_the_newest_turn_of_this_session(
    locale: str, said: list[str], query: str
) -> None:
    story = begin(locale=locale)
    story.say("完全不同的另一次对话", session_ref="other")
    story.say(*said, session_ref="chat-1")
    story.say("another conversation later on", session_ref="other")
    answer = story.recall(query, session_ref="chat-1", top_k=1)
    assert taken(answer) == [said[-1]]
    assert answer.served[0].text == said[-1]
    assert "pointers" in answer.served[0].legs
    row = Recall.objects.of(story.owner.id).get(id=str(answer.recall_id))
    assert str(answer.pointers[0].taken[0].id) in row.legs["pointers"]["note"]
    assert said[-1] not in row.legs["pointers"]["note"]
    assert story.recall(query).pointers[0].state == "unresolved", "no session, nothing was just said"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("locale", "query"), [("zh-hans", "那个问题怎么样了"), ("en", "How is that issue going?")]
)
def test_that_issue_is_the_newest_open_incident_with_its_status(locale: str, query: str) -> None:
    story = begin(locale=locale)
    now = datetime.now(UTC)
    for age, number, status in ((9, "INC-1", "open"), (2, "INC-2", "dispatched"), (1, "INC-3", "solved")):
        story.field("incident.status", status, subject=number, valid_from=now - timedelta(days=age))
    story.field("incident.subject", "打印机卡纸", subject="INC-2", valid_from=now - timedelta(days=2))
    answer = story.recall(query)
    assert sorted(taken(answer)) == ["INC-2: dispatched", "INC-2: 打印机卡纸"]
    assert "打印机卡纸" in answer.text
    assert "INC-3" not in answer.text
    assert [target.text[:5] for target in answer.pointers[0].choices] == ["INC-2", "INC-1"]
    story.field("incident.status", "solved", subject="INC-1")
    assert story.recall(query).pointers[0].state == "resolved"
    then = story.recall(query, valid_at=now - timedelta(days=5))
    assert taken(then) == ["INC-1: open"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("locale", "said", "query"),
    [
        ("zh-hans", "送来的台灯一直闪", "那个投诉怎么样了"),
        ("en", "The lamp keeps flickering", "How is that complaint going?"),
    ],
)
def test_a_complaint_without_a_ticket_is_the_issue_too(locale: str, said: str, query: str) -> None:
    story = begin(locale=locale)
    story.say(said, action="complaint", index=False)
    story.say("还有，今天天气不错", index=False)
    answer = story.recall(query, top_k=1)
    assert taken(answer) == [said]
    assert any(said in text for text in texts(answer))
    story.field("incident.status", "dispatched", subject="INC-9")
    assert taken(story.recall(query)) == ["INC-9: dispatched"]


def test_a_relation_that_says_it_is_open_is_an_issue_and_its_event_is_no_other_one() -> None:
    said = new_id()
    open_one = PointedValue(new_id(), "relation", "lamp", "status", "open", NOW, said)
    complaint = PointedValue(said, "event", "", "status", "the lamp flickers", NOW, said)
    pointed = Pointed(troubles=(complaint, open_one))
    text = "how is that issue going?"
    (one,) = resolve(pointers_in(text), question=question(text), pointed=pointed, slots=())
    assert (one.answer.state, told(one.answer)) == ("resolved", ["lamp: open"])
    assert said in one.ids


@pytest.mark.django_db
@pytest.mark.parametrize(("locale", "query"), [("zh-hans", "老规矩"), ("en", "The usual, please")])
def test_the_usual_is_told_before_anything_else(locale: str, query: str) -> None:
    story = begin(locale=locale)
    (event_id,) = story.say("给我来一份大杯燕麦拿铁")
    story.field("preferences.usual_request", "大杯燕麦拿铁", evidence_event_id=event_id, quote="大杯燕麦拿铁")
    assert taken(story.recall(query)) == ["大杯燕麦拿铁"]
    assert any("大杯燕麦拿铁" in text for text in texts(story.recall(query), "forms"))
    stranger: Story = begin(source=story.source)
    assert stranger.recall(query).pointers[0].state == "unresolved"


@pytest.mark.django_db
def test_an_order_just_spoken_of_is_ambiguous_between_two() -> None:
    chat = talk(locale="zh-hans")
    chat.put("order:A", "address", "浦东")
    chat.put("order:B", "address", "静安")
    answer = chat.story.recall("刚才说的那个订单改一下", session_ref=chat.ref)
    assert answer.pointers[0].state == "ambiguous"
    assert [target.text for target in answer.pointers[0].choices] == ["order B", "order A"]
