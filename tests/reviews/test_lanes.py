from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from reviews.lanes import LEAST_WIDTH, LENGTH, Axis, axis_over, columns, two_clocks

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def day(number: float) -> datetime:
    return NOON + timedelta(days=number)


@dataclass
class Row:
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    known_until: datetime | None
    closed_at: datetime | None = None


def test_a_bar_lies_where_its_times_lie() -> None:
    axis = Axis(first=day(0), last=day(10))
    bar = axis.bar(day(2), day(5))
    assert (bar.start, bar.width) == (200, 300)
    assert axis.bar(day(2), None).width == 800


def test_both_clocks_of_a_row_share_one_axis() -> None:
    lanes = two_clocks([Row(day(0), day(5), day(4), None), Row(day(5), None, day(6), day(8))], now=day(10))
    assert [(lane.world.start, lane.belief.start) for lane in lanes.lanes] == [(0, 400), (500, 600)]
    assert [(lane.world.width, lane.belief.width) for lane in lanes.lanes] == [(500, 600), (500, 200)]


moments = st.floats(-40_000, 60_000).map(day)


@given(since=moments, until=st.none() | moments, others=st.lists(moments, max_size=3), now=moments)
def test_a_bar_is_seen_and_stays_on_the_axis(
    since: datetime, until: datetime | None, others: list[datetime], now: datetime
) -> None:
    bar = axis_over(others, now=now).bar(since, until)
    assert bar.start >= 0
    assert bar.width >= LEAST_WIDTH
    assert bar.start + bar.width <= LENGTH


def test_columns_are_as_high_as_their_numbers() -> None:
    assert [column.height for column in columns([("a", 0), ("b", 1), ("c", 4)])] == [0, 250, LENGTH]
    assert [column.height for column in columns([("a", 0)])] == [0]
    assert columns([("a", 1), ("b", 1_000_000)])[0].height == LEAST_WIDTH
