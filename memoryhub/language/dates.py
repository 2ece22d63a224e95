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
from typing import Literal
from zoneinfo import ZoneInfo

from memoryhub.language.date_patterns import ANY_HINT, PATTERNS, TIME_OF_DAY_EN, TIME_OF_DAY_ZH, number, weekday_number

type Kind = Literal["moment", "part", "day", "weekend", "week", "month", "year", "span"]
type Preference = Literal["past", "future", "nearest"]
type Days = tuple[date, date, Kind]
"""First local day, the day after the last one, and what it is."""

_DAY = timedelta(days=1)
_PARTS = {
    "凌晨": (0, 6), "清晨": (5, 8), "早上": (6, 9), "早晨": (6, 9), "早": (6, 9), "上午": (8, 12), "中午": (11, 14), "下午": (12, 18),
    "傍晚": (17, 20), "晚上": (18, 24), "晚": (18, 24), "夜里": (20, 24), "morning": (6, 12), "afternoon": (12, 18),
    "evening": (17, 22), "night": (18, 24),
}  # fmt: skip
_AFTERNOON = frozenset({"下午", "傍晚", "晚上", "晚", "夜里", "pm", "afternoon", "evening", "night"})


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A half-open range of time [start, end), UTC, that `text[span[0]:span[1]]` names."""

    start: datetime
    end: datetime
    span: tuple[int, int]
    kind: Kind
    day: date
    """The first local day of the range in the zone that was asked for."""


@dataclass(frozen=True, slots=True)
class _Clock:
    now: datetime
    today: date
    zone: ZoneInfo
    prefer: Preference


def find_times(text: str, *, now: datetime, zone: str, prefer: Preference = "nearest") -> list[TimeExpression]:
    """The time expressions of `text` in order, overlapping ones reduced to the longest.

    `now` must be aware; `zone` is an IANA name (an unknown one raises ZoneInfoNotFoundError). `prefer` settles what has no
    year or week of its own ('3 March', 'Friday', 周五): the latest past one, the next one, or the nearest.
    """
    plain = folded(text)
    if not ANY_HINT.search(plain):
        return []
    local = now.astimezone(ZoneInfo(zone))
    clock = _Clock(now, local.date(), ZoneInfo(zone), prefer)
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


def _resolve(name: str, match: re.Match[str], clock: _Clock) -> TimeExpression | None:
    try:
        if name == "hours":
            return _hours(match, clock)
        days = _RESOLVERS[name](match, clock)
    except (ValueError, OverflowError):
        return None
    if days is None:
        return None
    first, after, kind = days
    if kind == "day" and (timed := _with_time_of_day(match, first, clock)):
        return timed
    start, end = local_midnight(first, clock.zone), local_midnight(after, clock.zone)
    return TimeExpression(start, end, match.span(), kind, first)


def _with_time_of_day(match: re.Match[str], day: date, clock: _Clock) -> TimeExpression | None:
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
    if hour_text is None:
        first, last = _PARTS[part]
        begin = _at(day, first, 0, clock)
        finish = _at(day, last, 0, clock) if last < 24 else local_midnight(day + _DAY, clock.zone)
        return TimeExpression(begin, finish, (match.start(), end), "part", day)
    assert tail is not None
    hour = int(number(hour_text))
    half = tail.groupdict().get("half")
    minute_text = tail["minute"]
    minute = 30 if half else int(number(minute_text)) if minute_text else 0
    marks = {part, tail.groupdict().get("half_day") or ""}
    if hour < 12 and marks & _AFTERNOON:
        hour += 12
    elif hour == 12 and "am" in marks:
        hour = 0
    begin = _at(day, hour, minute, clock)
    length = timedelta(minutes=1) if minute_text or half else timedelta(hours=1)
    return TimeExpression(begin, begin + length, (match.start(), end), "moment", day)


def _at(day: date, hour: int, minute: int, clock: _Clock) -> datetime:
    return datetime.combine(day, time(hour, minute), tzinfo=clock.zone).astimezone(UTC)


def _hours(match: re.Match[str], clock: _Clock) -> TimeExpression:
    count = float(number(match["count"]))
    step = timedelta(hours=count) if match["unit"].startswith(("h", "小", "钟", "鐘")) else timedelta(minutes=count)
    start = clock.now.astimezone(UTC) + (step if _is_future(match) else -step)
    return TimeExpression(start, start + timedelta(hours=1), match.span(), "moment", start.astimezone(clock.zone).date())


def _is_future(match: re.Match[str]) -> bool:
    """'in 3 days', '3 days from now', 三天后; otherwise 'ago', 前."""
    groups = match.groupdict()
    word = groups.get("direction") or ""
    return bool(groups.get("ahead")) or word.endswith(("now", "later", "time", "后", "後", "内", "內"))


def _one_day(day: date) -> Days:
    return day, day + _DAY, "day"


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _add_months(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, min(day.day, last))
        except ValueError:
            continue
    raise ValueError(day)


def _month(year: int, month: int) -> Days:
    first = date(year, month, 1)
    return first, _add_months(first, 1), "month"


def _year(year: int) -> Days:
    return date(year, 1, 1), date(year + 1, 1, 1), "year"


def _calendar_day(match: re.Match[str], clock: _Clock) -> Days:
    month, day = _month_number(match), int(number(match["day"]))
    year_text = match.groupdict().get("year")
    if year_text:
        return _one_day(date(_year_number(year_text, clock), month, day))
    return _one_day(_without_year(month, day, clock))


def _without_year(month: int, day: int, clock: _Clock) -> date:
    candidates = []
    for year in range(clock.today.year - 4, clock.today.year + 5):
        try:
            candidates.append(date(year, month, day))
        except ValueError:
            continue
    return _preferred(candidates, clock)


def _preferred(candidates: list[date], clock: _Clock) -> date:
    """Raises ValueError when no candidate fits."""
    if clock.prefer == "past":
        return max(day for day in candidates if day <= clock.today)
    if clock.prefer == "future":
        return min(day for day in candidates if day >= clock.today)
    return min(candidates, key=lambda day: abs((day - clock.today).days))


def _month_number(match: re.Match[str]) -> int:
    return int(number(match["month"]))


def _year_number(text: str, clock: _Clock) -> int:
    relative = {"去年": -1, "今年": 0, "明年": 1, "前年": -2, "后年": 2, "後年": 2, "last": -1, "this": 0, "next": 1}
    if text in relative:
        return clock.today.year + relative[text]
    year = int(number(text))
    return year + 2000 if year < 100 else year


def _calendar_month(match: re.Match[str], clock: _Clock) -> Days:
    month = _month_number(match)
    year_text = match.groupdict().get("year")
    if year_text:
        return _month(_year_number(year_text, clock), month)
    if month == clock.today.month:
        return _month(clock.today.year, month)
    near = _without_year(month, 15, clock)
    return _month(near.year, month)


def _calendar_year(match: re.Match[str], clock: _Clock) -> Days:
    return _year(_year_number(match["year"], clock))


_DAY_WORDS = {
    "大前天": -3, "前天": -2, "前": -2, "昨天": -1, "昨日": -1, "昨": -1, "今天": 0, "今日": 0, "今": 0,
    "明天": 1, "明日": 1, "明": 1, "后天": 2, "後天": 2, "大后天": 3, "大後天": 3,
    "yesterday": -1, "last": -1, "today": 0, "to": 0, "tomorrow": 1,
    "the day before yesterday": -2, "the day after tomorrow": 2,
}  # fmt: skip


def _day_word(match: re.Match[str], clock: _Clock) -> Days:
    return _one_day(clock.today + timedelta(days=_DAY_WORDS[" ".join(match["word"].split())]))


def _weekday_zh(match: re.Match[str], clock: _Clock) -> Days:
    """上周三, 下下周一, 周末: of a calendar week; bare ones of this week unless a past or future one is asked for."""
    which, name = match["which"] or "", match["name"]
    weeks = 2 * which.count("下下") or which.count("下") or -2 * which.count("上上") or -which.count("上")
    monday = _monday(clock.today) + timedelta(weeks=weeks)
    if name == "末":
        return monday + 5 * _DAY, monday + 7 * _DAY, "weekend"
    day = monday + timedelta(days=weekday_number(name))
    if not which and clock.prefer == "past" and day > clock.today:
        day -= 7 * _DAY
    if not which and clock.prefer == "future" and day < clock.today:
        day += 7 * _DAY
    return _one_day(day)


def _weekday_en(match: re.Match[str], clock: _Clock) -> Days:
    which, wanted = match["which"] or "", weekday_number(match["name"])
    back = (clock.today.weekday() - wanted) % 7
    if which in {"last", "past"}:
        return _one_day(clock.today - timedelta(days=back or 7))
    if which == "next":
        return _one_day(_monday(clock.today) + timedelta(days=7 + wanted))
    ahead = (wanted - clock.today.weekday()) % 7
    if which in {"this", "coming"} or clock.prefer == "future":
        return _one_day(clock.today + timedelta(days=ahead))
    if clock.prefer == "past" or back <= 3:
        return _one_day(clock.today - timedelta(days=back))
    return _one_day(clock.today + timedelta(days=ahead))


def _relative_unit(match: re.Match[str], clock: _Clock) -> Days:
    """last week, 下个月, this year, 上周末 in either language."""
    which, unit = match["which"], match["unit"]
    step = -1 if which.startswith(("last", "past", "previous", "上")) else 1 if which.startswith(("next", "coming", "下")) else 0
    step *= 2 if which.startswith(("上上", "下下")) else 1
    if unit.startswith(("weekend",)):
        monday = _monday(clock.today) + timedelta(weeks=step)
        return monday + 5 * _DAY, monday + 7 * _DAY, "weekend"
    if unit.startswith(("week", "周", "週", "星期", "礼拜", "禮拜")):
        monday = _monday(clock.today) + timedelta(weeks=step)
        return monday, monday + 7 * _DAY, "week"
    if unit.startswith(("month", "月")):
        first = _add_months(clock.today.replace(day=1), step)
        return _month(first.year, first.month)
    return _year(clock.today.year + step)


def _end_of(match: re.Match[str], clock: _Clock) -> Days:
    """月底, 下个月底, 年底, 'the end of next month': the last day."""
    which, unit = match["which"] or "", match["unit"]
    step = -1 if which.startswith(("last", "上", "去")) else 1 if which.startswith(("next", "下", "明")) else 0
    if unit.startswith(("month", "月")):
        return _one_day(_add_months(clock.today.replace(day=1), step + 1) - _DAY)
    if unit.startswith(("week", "周", "週")):
        return _one_day(_monday(clock.today) + timedelta(days=6 + 7 * step))
    return _one_day(date(clock.today.year + step, 12, 31))


def _distance(match: re.Match[str], clock: _Clock) -> Days:
    """'3 days ago', 'in two weeks', 三天后. A past week, month or year away is only meant roughly: the whole unit counts."""
    unit, future = match["unit"], _is_future(match)
    if match["count"] in {"几", "幾", "a few", "few", "several", "some"}:
        return _roughly(unit, future, clock)
    count = number(match["count"])
    sign = 1 if future else -1
    if unit.startswith(("day", "天", "日")):
        return _one_day(clock.today + sign * timedelta(days=int(count)))
    if unit.startswith(("week", "周", "週", "星期", "礼拜", "禮拜")):
        day = clock.today + sign * timedelta(days=round(7 * float(count)))
        monday = _monday(day)
        return _one_day(day) if future else (monday, monday + 7 * _DAY, "week")
    if unit.startswith(("month", "个月", "個月")):
        if count != int(count):
            return _one_day(clock.today + sign * timedelta(days=round(30 * float(count))))
        day = _add_months(clock.today, sign * int(count))
        return _one_day(day) if future else _month(day.year, day.month)
    day = _add_months(clock.today, sign * round(12 * float(count)))
    if count != int(count):
        return _month(day.year, day.month)
    return _one_day(day) if future else _year(day.year)


def _roughly(unit: str, future: bool, clock: _Clock) -> Days:
    step = 1 if unit.startswith(("day", "天", "日")) else 7 if unit.startswith(("week", "周", "週", "星")) else 30
    near, far = timedelta(days=2 * step), timedelta(days=7 * step)
    if future:
        return clock.today + near, clock.today + far + _DAY, "span"
    return clock.today - far, clock.today - near + _DAY, "span"


def _day_of_month(match: re.Match[str], clock: _Clock) -> Days:
    """15号, 'the 15th': of this month, or of the one before or after when that is asked for."""
    day = int(number(match["day"]))
    if which := match.groupdict().get("which"):
        step = which.count("下") - which.count("上")
        return _one_day(_add_months(clock.today.replace(day=1), step).replace(day=day))
    near = []
    for months in (-2, -1, 0, 1, 2):
        month = _add_months(clock.today.replace(day=1), months)
        try:
            near.append(month.replace(day=day))
        except ValueError:
            continue
    if clock.prefer == "nearest":
        return _one_day(clock.today.replace(day=day))
    return _one_day(_preferred(near, clock))


_RESOLVERS = {
    "calendar_day": _calendar_day,
    "calendar_month": _calendar_month,
    "calendar_year": _calendar_year,
    "day_word": _day_word,
    "weekday_zh": _weekday_zh,
    "weekday_en": _weekday_en,
    "relative_unit": _relative_unit,
    "end_of": _end_of,
    "distance": _distance,
    "day_of_month": _day_of_month,
}
