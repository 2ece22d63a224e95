"""Time expressions in English and Chinese, resolved against an instant and a time zone.

Days begin at local midnight of the zone, so a day of a clock change lasts 23 or 25 hours; results are UTC instants.
Conventions where people differ: weeks begin on Monday; 'last Tuesday' is the latest Tuesday before today, 上周二 the Tuesday of the
calendar week before; 'next Friday' and 下周五 are the Friday of the next calendar week. 03/04/2026 is two different days on two
sides of an ocean and is not read.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from memoryhub.language.date_patterns import (
    AFTERNOON,
    ANY_HINT,
    PARTS_OF_DAY,
    PATTERNS,
    TIME_OF_DAY_EN,
    TIME_OF_DAY_ZH,
    number,
)
from memoryhub.language.date_rules import ONE_DAY, RESOLVERS, Clock, Kind, Preference, is_future


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A half-open range of time [start, end), UTC, that `text[span[0]:span[1]]` names."""

    start: datetime
    end: datetime
    span: tuple[int, int]
    kind: Kind
    day: date
    """The first local day of the range in the zone that was asked for."""


def find_times(
    text: str, *, now: datetime, zone: str, prefer: Preference = "nearest"
) -> list[TimeExpression]:
    """The time expressions of `text` in order, overlapping ones reduced to the longest.

    `now` must be aware; `zone` is an IANA name (an unknown one raises ZoneInfoNotFoundError). `prefer` settles what has no
    year or week of its own ('3 March', 'Friday', 周五): the latest past one, the next one, or the nearest.
    """
    plain = folded(text)
    if not ANY_HINT.search(plain):
        return []
    local = now.astimezone(ZoneInfo(zone))
    clock = Clock(now, local.date(), ZoneInfo(zone), prefer)
    found = [
        expression
        for name, pattern in PATTERNS
        for match in pattern.finditer(plain)
        if (expression := _resolve(name, match, clock))
    ]
    return _longest(found)


def folded(text: str) -> str:
    """Lower case and half-width, character by character, so that offsets stay those of `text`."""
    if text.isascii():
        return text.lower()
    return "".join(_folded_character(character) for character in text)


@lru_cache(maxsize=8192)
def _folded_character(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character).lower()
    return plain if len(plain) == 1 else character


def local_midnight(day: date, zone: ZoneInfo) -> datetime:
    """The first instant of a local day, in UTC; where a clock change skips midnight it is the moment after the gap."""
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)


def _longest(found: list[TimeExpression]) -> list[TimeExpression]:
    kept: list[TimeExpression] = []
    for expression in sorted(found, key=lambda e: (e.span[0], -e.span[1])):
        start, end = expression.span
        if not kept or start >= kept[-1].span[1]:
            kept.append(expression)
        elif end - start > kept[-1].span[1] - kept[-1].span[0]:
            kept[-1] = expression
    return kept


def _resolve(name: str, match: re.Match[str], clock: Clock) -> TimeExpression | None:
    try:
        if name == "hours":
            return _hours(match, clock)
        days = RESOLVERS[name](match, clock)
    except (ValueError, OverflowError):
        return None
    first, after, kind = days
    if kind == "day" and (timed := _with_time_of_day(match, first, clock)):
        return timed
    start, end = local_midnight(first, clock.zone), local_midnight(after, clock.zone)
    return TimeExpression(start, end, match.span(), kind, first)


def _with_time_of_day(match: re.Match[str], day: date, clock: Clock) -> TimeExpression | None:
    """'tomorrow at 3 pm', 'yesterday evening', 明天下午三点, 昨晚: narrows a day to a part of it or to an hour."""
    start = match.end()
    built_in = (match.groupdict().get("part") or "").strip()
    tails = (TIME_OF_DAY_ZH.match(match.string, start), TIME_OF_DAY_EN.match(match.string, start))
    tail = next((tail for tail in tails if tail and tail[0]), None)
    part = built_in or (tail["part"] if tail else "") or ""
    hour_text = tail["hour"] if tail else None
    if not part and not hour_text:
        return None
    end = tail.end() if tail else start
    if tail is None or hour_text is None:
        first, last = PARTS_OF_DAY[part]
        begin = _at(day, first, 0, clock)
        finish = _at(day, last, 0, clock) if last < 24 else local_midnight(day + ONE_DAY, clock.zone)
        return TimeExpression(begin, finish, (match.start(), end), "part", day)
    hour = int(number(hour_text))
    half = tail.groupdict().get("half")
    minute_text = tail["minute"]
    minute = 30 if half else int(number(minute_text)) if minute_text else 0
    marks = {part, tail.groupdict().get("half_day") or ""}
    if hour < 12 and marks & AFTERNOON:
        hour += 12
    elif hour == 12 and "am" in marks:
        hour = 0
    length = timedelta(minutes=1) if minute_text or half else timedelta(hours=1)
    begin, finish = _on_the_clock(day, hour, minute, length, clock)
    return TimeExpression(begin, finish, (match.start(), end), "moment", day)


def _on_the_clock(
    day: date, hour: int, minute: int, length: timedelta, clock: Clock
) -> tuple[datetime, datetime]:
    """From the first instant at which clocks show a time to the last before they show the time `length` later.

    Where clocks are set back the time comes twice and both count; where they are set forward and skip it, it is the `length`
    after the gap.
    """
    shown = datetime.combine(day, time(hour, minute), tzinfo=clock.zone)
    begin = shown.astimezone(UTC)
    second = shown.replace(fold=1).astimezone(UTC)
    return begin, max(begin, second) + length


def _at(day: date, hour: int, minute: int, clock: Clock) -> datetime:
    return datetime.combine(day, time(hour, minute), tzinfo=clock.zone).astimezone(UTC)


def _hours(match: re.Match[str], clock: Clock) -> TimeExpression:
    count = float(number(match["count"]))
    step = (
        timedelta(hours=count)
        if match["unit"].startswith(("h", "小", "钟", "鐘"))
        else timedelta(minutes=count)
    )
    start = clock.now.astimezone(UTC) + (step if is_future(match) else -step)
    return TimeExpression(
        start, start + timedelta(hours=1), match.span(), "moment", start.astimezone(clock.zone).date()
    )
