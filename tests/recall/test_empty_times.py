"""A time that is asked about: its events and nothing else, and the word for it when it is empty."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memoryhub.language.counting import count_tokens
from memoryhub.recall.asking import ask
from memoryhub.recall.empty_times import empty_times
from memoryhub.recall.looking import Moment
from tests.recall.candidates import MOMENT, NOW
from tests.recall.stories import Story, begin, texts


def empty(text: str, *, language: str = "en", zone: str = "UTC", now: datetime = NOW) -> tuple[str, ...]:
    asked = ask(text=text, entities=(), fields=(), now=now, zone=zone)
    moment = Moment(valid_at=now, known_at=now, clock=now, is_now=True)
    return empty_times(asked, [], moment=moment, language=language, zone=ZoneInfo(zone))


@pytest.mark.parametrize(
    ("text", "zh", "en"),
    [
        ("yesterday", "2026-05-31 没有记录", "No events on 2026-05-31"),
        ("昨天发生了什么", "2026-05-31 没有记录", "No events on 2026-05-31"),
        ("last week", "2026-05-25 至 2026-05-31 没有记录", "No events from 2026-05-25 to 2026-05-31"),
        ("2026年3月4日", "2026-03-04 没有记录", "No events on 2026-03-04"),
        (
            "yesterday at 3 pm",
            "2026-05-31 15:00 至 16:00 没有记录",
            "No events from 2026-05-31 15:00 to 16:00",
        ),
    ],
)
def test_an_empty_time_is_said_in_either_language(text: str, zh: str, en: str) -> None:
    assert empty(text, language="zh") == (zh,)
    assert empty(text) == (en,)


def test_a_time_ahead_and_no_time_say_nothing() -> None:
    assert empty("tomorrow") == empty("next week") == empty("what is my budget") == ()
    assert MOMENT.clock == NOW


def test_yesterday_is_the_owners_own_day() -> None:
    late = datetime(2026, 6, 1, 17, 0, tzinfo=UTC)  # already the second in Shanghai
    assert empty("昨天", zone="Asia/Shanghai", now=late) == ("No events on 2026-06-01",)
    assert empty("昨天", zone="UTC", now=late) == ("No events on 2026-05-31",)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("上周", True),
        ("昨天？", True),
        ("last week", True),
        ("上周做了什么决策", True),
        ("what happened yesterday?", True),
        ("昨天说的方案预算是多少", False),
        ("what is the budget", False),
    ],
)
def test_which_questions_are_for_a_time(text: str, wanted: bool) -> None:
    assert ask(text=text, entities=(), fields=(), now=NOW, zone="UTC").asks_for_a_time is wanted


# --- end to end -----------------------------------------------------------------------------------------------------

BERLIN = ZoneInfo("Europe/Berlin")


def across_the_clock_change() -> Story:
    """Four events around 27 October 2024, a day of 25 hours in Berlin."""
    story = begin(locale="en", time_zone="Europe/Berlin")
    for local, said in (
        (datetime(2024, 10, 26, 23, 59, tzinfo=BERLIN), "the evening before"),
        (datetime(2024, 10, 27, 0, 0, tzinfo=BERLIN), "first minute"),
        (datetime(2024, 10, 27, 23, 59, tzinfo=BERLIN), "last minute"),
        (datetime(2024, 10, 28, 0, 0, tzinfo=BERLIN), "the day after"),
    ):
        story.say(said, occurred_at=local.astimezone(UTC), index=False)
    return story


@pytest.mark.django_db
def test_yesterday_has_two_ends_on_a_day_of_25_hours() -> None:
    story = across_the_clock_change()
    noon_after = datetime(2024, 10, 28, 11, 0, tzinfo=UTC)
    answer = story.recall("what happened yesterday?", clock=noon_after, top_k=20)
    told = {entry.text for entry in answer.served if "events" in entry.legs}
    assert told == {"first minute", "last minute"}
    assert answer.notes == ()


@pytest.mark.django_db
@pytest.mark.parametrize(("query", "said"), [("昨天", "2024-10-27"), ("yesterday", "2024-10-27")])
def test_a_named_day_without_events_says_so_within_the_budget(query: str, said: str) -> None:
    story = begin(locale="zh-hans" if query == "昨天" else "en", time_zone="Europe/Berlin")
    story.say("我对坚果过敏", index=False)
    clock = datetime(2024, 10, 28, 11, 0, tzinfo=UTC)
    answer = story.recall(query, clock=clock)
    (note,) = answer.notes
    assert said in note
    assert f"- {note}" in answer.text
    assert count_tokens(answer.text) == answer.tokens <= answer.budget_tokens
    assert story.recall(query, clock=clock, kinds=("form",)).notes == ()
    nobody = begin(source=story.source, time_zone="Europe/Berlin").recall(query, clock=clock)
    assert (nobody.served, len(nobody.notes)) == ((), 1)
    assert nobody.notes[0] in nobody.text


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["", "   ", "？！"])
def test_a_question_without_words_gets_what_matters_and_what_is_recent(query: str) -> None:
    story = begin(locale="zh-hans")
    story.say("我对坚果过敏", "今天买了一盆栀子花", index=False)
    answer = story.recall(query)
    assert answer.state == "ok"
    assert any("坚果" in text for text in texts(answer, "rules"))
    assert any("栀子花" in text for text in texts(answer))
    assert (answer.notes, answer.pointers, answer.legs["gate"].state) == ((), (), "skipped")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("locale", "query"), [("zh-hans", "上周做了什么决策"), ("en", "What decisions were made last week?")]
)
def test_decisions_of_last_week_are_told_as_a_timeline(locale: str, query: str) -> None:
    story = begin(locale=locale, time_zone="UTC")
    clock = datetime(2026, 6, 3, 12, 0, tzinfo=UTC)  # a Wednesday; last week is 25 to 31 May
    plans = [
        (14, "我们项目采用方案A"),
        (8, "改用方案B，预算不够"),
        (4, "还是方案A吧，成本问题"),
        (0, "预算定为80万"),
    ]
    for age, said in plans:
        story.say(said, occurred_at=clock - timedelta(days=age), action="decision", index=False)
    answer = story.recall(query, clock=clock, top_k=0)
    told = texts(answer, "timeline")
    assert len(told) == 1
    assert told[0].index("方案A") < told[0].index("方案B") < told[0].rindex("方案A")
    quiet = story.recall(query, clock=clock + timedelta(days=60))
    assert texts(quiet, "timeline") == []
    assert len(quiet.notes) == 1
