from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.language.dates import find_times

WEDNESDAY = datetime(2024, 5, 15, 10, tzinfo=UTC)

DAYS = [
    ("yesterday", "2024-05-14"),
    ("the day before yesterday", "2024-05-13"),
    ("tomorrow", "2024-05-16"),
    ("last Tuesday", "2024-05-14"),
    ("next Friday", "2024-05-24"),
    ("this Friday", "2024-05-17"),
    ("3 days ago", "2024-05-12"),
    ("in two weeks' time", "2024-05-29"),
    ("3 March", "2024-03-03"),
    ("March 3rd, 2023", "2023-03-03"),
    ("the 3rd of March", "2024-03-03"),
    ("2024-05-15", "2024-05-15"),
    ("the end of next month", "2024-06-30"),
    ("昨天", "2024-05-14"),
    ("前天", "2024-05-13"),
    ("大后天", "2024-05-18"),
    ("上周三", "2024-05-08"),
    ("上上周五", "2024-05-03"),
    ("下周一", "2024-05-20"),
    ("下週一", "2024-05-20"),
    ("礼拜天", "2024-05-19"),
    ("三天后", "2024-05-18"),
    ("三天後", "2024-05-18"),
    ("5月12日", "2024-05-12"),
    ("５月１２号", "2024-05-12"),
    ("2026年3月4日", "2026-03-04"),
    ("二〇二四年五月十二日", "2024-05-12"),
    ("下个月5号", "2024-06-05"),
    ("15号之前", "2024-05-15"),
    ("月底", "2024-05-31"),
    ("2月29日", "2024-02-29"),
]


@pytest.mark.parametrize(("text", "day"), DAYS)
def test_a_day_expression_is_that_local_day(text: str, day: str) -> None:
    (found,) = find_times(text, now=WEDNESDAY, zone="Asia/Shanghai")

    assert (found.kind, found.day) == ("day", date.fromisoformat(day))
    assert found.start.astimezone(ZoneInfo("Asia/Shanghai")).isoformat() == f"{day}T00:00:00+08:00"
    assert found.end - found.start == timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "kind", "first", "last"),
    [
        ("last week", "week", "2024-05-06", "2024-05-13"),
        ("上周", "week", "2024-05-06", "2024-05-13"),
        ("two weeks ago", "week", "2024-04-29", "2024-05-06"),
        ("last weekend", "weekend", "2024-05-11", "2024-05-13"),
        ("上个月", "month", "2024-04-01", "2024-05-01"),
        ("May 2023", "month", "2023-05-01", "2023-06-01"),
        ("in January", "month", "2024-01-01", "2024-02-01"),
        ("去年三月", "month", "2023-03-01", "2023-04-01"),
        ("去年", "year", "2023-01-01", "2024-01-01"),
        ("in 2022", "year", "2022-01-01", "2023-01-01"),
        ("几天前", "span", "2024-05-08", "2024-05-14"),
    ],
)
def test_longer_expressions_cover_their_whole_range(text: str, kind: str, first: str, last: str) -> None:
    (found,) = find_times(text, now=WEDNESDAY, zone="UTC")

    assert found.kind == kind
    assert (found.start.date().isoformat(), found.end.date().isoformat()) == (first, last)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("明天下午三点半", "2024-05-16T15:30:00+08:00"),
        ("昨晚8点", "2024-05-14T20:00:00+08:00"),
        ("tomorrow at 3 pm", "2024-05-16T15:00:00+08:00"),
        ("on Friday at 9:30", "2024-05-17T09:30:00+08:00"),
        ("3小时前", "2024-05-15T15:00:00+08:00"),
        ("2 hours ago", "2024-05-15T16:00:00+08:00"),
    ],
)
def test_a_time_of_day_narrows_the_day(text: str, start: str) -> None:
    (found,) = find_times(text, now=WEDNESDAY, zone="Asia/Shanghai")

    assert found.kind == "moment"
    assert found.start == datetime.fromisoformat(start)


@pytest.mark.parametrize(
    "text",
    [
        "三号会议室的投影仪坏了",
        "每周三开会",
        "一周三次",
        "I may go home",
        "they march on",
        "2024/13/45",
        "30 February",
        "03/04/2026",
        "version 3.5.2",
        "我爱吃月饼",
        "明白了",
        "天气不错",
        "周到的服务",
        "",
    ],
)
def test_words_that_only_look_like_times_are_left_alone(text: str) -> None:
    assert find_times(text, now=WEDNESDAY, zone="UTC") == []


@pytest.mark.parametrize(
    ("text", "prefer", "day"),
    [
        ("3 March", "future", "2025-03-03"),
        ("3 March", "past", "2024-03-03"),
        ("12月1日", "past", "2023-12-01"),
        ("Monday", "future", "2024-05-20"),
        ("Monday", "past", "2024-05-13"),
        ("周五", "past", "2024-05-10"),
        ("周一", "future", "2024-05-20"),
    ],
)
def test_what_has_no_year_or_week_follows_the_preference(text: str, prefer: str, day: str) -> None:
    (found,) = find_times(text, now=WEDNESDAY, zone="UTC", prefer=prefer)  # type: ignore[arg-type]

    assert found.day.isoformat() == day


def test_the_day_is_the_owners_not_the_servers() -> None:
    late = datetime(2024, 5, 15, 20, tzinfo=UTC)  # already the 16th in Shanghai

    assert find_times("yesterday", now=late, zone="Asia/Shanghai")[0].day == date(2024, 5, 15)
    assert find_times("yesterday", now=late, zone="UTC")[0].day == date(2024, 5, 14)


@pytest.mark.parametrize(
    ("now", "zone", "hours"),
    [
        ("2024-03-31T12:00:00+00:00", "Europe/Berlin", 23),
        ("2024-10-27T12:00:00+00:00", "Europe/Berlin", 25),
        ("2018-11-04T12:00:00+00:00", "America/Sao_Paulo", 23),  # local midnight does not exist
        ("2024-05-15T12:00:00+00:00", "Asia/Kathmandu", 24),
    ],
)
def test_a_day_of_a_clock_change_has_its_real_length(now: str, zone: str, hours: int) -> None:
    (today,) = find_times("today", now=datetime.fromisoformat(now), zone=zone)

    assert today.end - today.start == timedelta(hours=hours)


def test_several_expressions_come_in_order_with_their_places() -> None:
    text = "上周三搬家，合同5月20日续签"

    found = find_times(text, now=WEDNESDAY, zone="Asia/Shanghai")

    assert [text[slice(*each.span)] for each in found] == ["上周三", "5月20日"]


@given(st.text(alphabet="昨今明天周月日三12号上下个年前后 lasttueodyngin0123456789-/", max_size=60))
def test_no_text_breaks_it_and_ranges_are_never_empty(text: str) -> None:
    for found in find_times(text, now=WEDNESDAY, zone="America/New_York"):
        assert found.start < found.end
        assert 0 <= found.span[0] < found.span[1] <= len(text)


@pytest.mark.parametrize(
    ("text", "now", "begin", "end"),
    [
        # clocks set back: 02:30 comes twice
        ("yesterday at 2:30 am", "2024-10-28T12:00:00+00:00", "2024-10-27T00:30", "2024-10-27T01:31"),
        ("昨天凌晨2点", "2024-10-28T12:00:00+00:00", "2024-10-27T00:00", "2024-10-27T02:00"),
        # clocks set forward: 02:30 is skipped
        ("yesterday at 2:30 am", "2024-04-01T12:00:00+00:00", "2024-03-31T01:30", "2024-03-31T01:31"),
        ("yesterday", "2024-04-01T12:00:00+00:00", "2024-03-30T23:00", "2024-03-31T22:00"),
        ("昨天", "2024-10-28T12:00:00+00:00", "2024-10-26T22:00", "2024-10-27T23:00"),
        ("yesterday", "2024-10-27T23:30:00+00:00", "2024-10-26T22:00", "2024-10-27T23:00"),
        ("yesterday", "2024-10-27T22:30:00+00:00", "2024-10-25T22:00", "2024-10-26T22:00"),
    ],
)
def test_a_time_of_day_across_a_clock_change(text: str, now: str, begin: str, end: str) -> None:
    (found,) = find_times(text, now=datetime.fromisoformat(now), zone="Europe/Berlin")
    assert (found.start.isoformat()[:16], found.end.isoformat()[:16]) == (begin, end)
