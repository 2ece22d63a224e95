"""How each shape of time expression is resolved into local days."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from memoryhub.language.date_patterns import DAY_WORDS, number, weekday_number

type Kind = Literal["moment", "part", "day", "weekend", "week", "month", "year", "span"]
type Preference = Literal["past", "future", "nearest"]
type Days = tuple[date, date, Kind]
"""First local day, the day after the last one, and what it is."""

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Clock:
    now: datetime
    today: date
    zone: ZoneInfo
    prefer: Preference


def is_future(match: re.Match[str]) -> bool:
    """'in 3 days', '3 days from now', 三天后; otherwise 'ago', 前."""
    groups = match.groupdict()
    word = groups.get("direction") or ""
    return bool(groups.get("ahead")) or word.endswith(("now", "later", "time", "后", "後", "内", "內"))


def _one_day(day: date) -> Days:
    return day, day + ONE_DAY, "day"


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


def _calendar_day(match: re.Match[str], clock: Clock) -> Days:
    month, day = _month_number(match), int(number(match["day"]))
    year_text = match.groupdict().get("year")
    if year_text:
        return _one_day(date(_year_number(year_text, clock), month, day))
    return _one_day(_without_year(month, day, clock))


def _without_year(month: int, day: int, clock: Clock) -> date:
    candidates = []
    for year in range(clock.today.year - 4, clock.today.year + 5):
        try:
            candidates.append(date(year, month, day))
        except ValueError:
            continue
    return _preferred(candidates, clock)


def _preferred(candidates: list[date], clock: Clock) -> date:
    """Raises ValueError when no candidate fits."""
    if clock.prefer == "past":
        return max(day for day in candidates if day <= clock.today)
    if clock.prefer == "future":
        return min(day for day in candidates if day >= clock.today)
    return min(candidates, key=lambda day: abs((day - clock.today).days))


def _month_number(match: re.Match[str]) -> int:
    return int(number(match["month"]))


def _year_number(text: str, clock: Clock) -> int:
    relative = {
        "去年": -1,
        "今年": 0,
        "明年": 1,
        "前年": -2,
        "后年": 2,
        "後年": 2,
        "last": -1,
        "this": 0,
        "next": 1,
    }
    if text in relative:
        return clock.today.year + relative[text]
    year = int(number(text))
    return year + 2000 if year < 100 else year


def _calendar_month(match: re.Match[str], clock: Clock) -> Days:
    month = _month_number(match)
    year_text = match.groupdict().get("year")
    if year_text:
        return _month(_year_number(year_text, clock), month)
    if month == clock.today.month:
        return _month(clock.today.year, month)
    near = _without_year(month, 15, clock)
    return _month(near.year, month)


def _calendar_year(match: re.Match[str], clock: Clock) -> Days:
    return _year(_year_number(match["year"], clock))


def _day_word(match: re.Match[str], clock: Clock) -> Days:
    return _one_day(clock.today + timedelta(days=DAY_WORDS[" ".join(match["word"].split())]))


def _weekday_zh(match: re.Match[str], clock: Clock) -> Days:
    """上周三, 下下周一, 周末: of a calendar week; bare ones of this week unless a past or future one is asked for."""
    which, name = match["which"] or "", match["name"]
    weeks = 2 * which.count("下下") or which.count("下") or -2 * which.count("上上") or -which.count("上")
    monday = _monday(clock.today) + timedelta(weeks=weeks)
    if name == "末":
        return monday + 5 * ONE_DAY, monday + 7 * ONE_DAY, "weekend"
    day = monday + timedelta(days=weekday_number(name))
    if not which and clock.prefer == "past" and day > clock.today:
        day -= 7 * ONE_DAY
    if not which and clock.prefer == "future" and day < clock.today:
        day += 7 * ONE_DAY
    return _one_day(day)


def _weekday_en(match: re.Match[str], clock: Clock) -> Days:
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


def _relative_unit(match: re.Match[str], clock: Clock) -> Days:
    """last week, 下个月, this year, 上周末 in either language."""
    which, unit = match["which"], match["unit"]
    step = (
        -1
        if which.startswith(("last", "past", "previous", "上"))
        else 1
        if which.startswith(("next", "coming", "下"))
        else 0
    )
    step *= 2 if which.startswith(("上上", "下下")) else 1
    if unit.startswith(("weekend",)):
        monday = _monday(clock.today) + timedelta(weeks=step)
        return monday + 5 * ONE_DAY, monday + 7 * ONE_DAY, "weekend"
    if unit.startswith(("week", "周", "週", "星期", "礼拜", "禮拜")):
        monday = _monday(clock.today) + timedelta(weeks=step)
        return monday, monday + 7 * ONE_DAY, "week"
    if unit.startswith(("month", "月")):
        first = _add_months(clock.today.replace(day=1), step)
        return _month(first.year, first.month)
    return _year(clock.today.year + step)


def _end_of(match: re.Match[str], clock: Clock) -> Days:
    """月底, 下个月底, 年底, 'the end of next month': the last day."""
    which, unit = match["which"] or "", match["unit"]
    step = (
        -1 if which.startswith(("last", "上", "去")) else 1 if which.startswith(("next", "下", "明")) else 0
    )
    if unit.startswith(("month", "月")):
        return _one_day(_add_months(clock.today.replace(day=1), step + 1) - ONE_DAY)
    if unit.startswith(("week", "周", "週")):
        return _one_day(_monday(clock.today) + timedelta(days=6 + 7 * step))
    return _one_day(date(clock.today.year + step, 12, 31))


def _end_of_month(match: re.Match[str], clock: Clock) -> Days:
    """四月底, 'the end of April': its last day."""
    _, after, _ = _calendar_month(match, clock)
    return _one_day(after - ONE_DAY)


def _distance(match: re.Match[str], clock: Clock) -> Days:
    """'3 days ago', 'in two weeks', 三天后. A past week, month or year away is only meant roughly: the whole unit counts."""
    unit, future = match["unit"], is_future(match)
    if match["count"] in {"几", "幾", "a few", "few", "several", "some"}:
        return _roughly(unit, future, clock)
    count = number(match["count"])
    sign = 1 if future else -1
    if unit.startswith(("day", "天", "日")):
        return _one_day(clock.today + sign * timedelta(days=int(count)))
    if unit.startswith(("week", "周", "週", "星期", "礼拜", "禮拜")):
        day = clock.today + sign * timedelta(days=round(7 * float(count)))
        monday = _monday(day)
        return _one_day(day) if future else (monday, monday + 7 * ONE_DAY, "week")
    if unit.startswith(("month", "个月", "個月")):
        if count != int(count):
            return _one_day(clock.today + sign * timedelta(days=round(30 * float(count))))
        day = _add_months(clock.today, sign * int(count))
        return _one_day(day) if future else _month(day.year, day.month)
    day = _add_months(clock.today, sign * round(12 * float(count)))
    if count != int(count):
        return _month(day.year, day.month)
    return _one_day(day) if future else _year(day.year)


def _roughly(unit: str, future: bool, clock: Clock) -> Days:
    step = (
        1
        if unit.startswith(("day", "天", "日"))
        else 7
        if unit.startswith(("week", "周", "週", "星"))
        else 30
    )
    near, far = timedelta(days=2 * step), timedelta(days=7 * step)
    if future:
        return clock.today + near, clock.today + far + ONE_DAY, "span"
    return clock.today - far, clock.today - near + ONE_DAY, "span"


def _day_of_month(match: re.Match[str], clock: Clock) -> Days:
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


RESOLVERS = {
    "calendar_day": _calendar_day,
    "calendar_month": _calendar_month,
    "calendar_year": _calendar_year,
    "day_word": _day_word,
    "weekday_zh": _weekday_zh,
    "weekday_en": _weekday_en,
    "relative_unit": _relative_unit,
    "end_of": _end_of,
    "end_of_month": _end_of_month,
    "distance": _distance,
    "day_of_month": _day_of_month,
}
