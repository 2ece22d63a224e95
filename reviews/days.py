"""A newest-first list under day headings. Pure: the zone is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from zoneinfo import ZoneInfo

from reviews.queries.timeline import Moment


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """The moments of one calendar day, and how many days without any lie between it and the later day above it."""

    date: date
    moments: Sequence[Moment]
    quiet_days_after: int = 0


def by_day(moments: Sequence[Moment], zone: ZoneInfo) -> list[Day]:
    days: list[Day] = []
    for day, rows in groupby(moments, key=lambda moment: moment.at.astimezone(zone).date()):
        gap = (days[-1].date - day).days - 1 if days else 0
        days.append(Day(date=day, moments=list(rows), quiet_days_after=max(gap, 0)))
    return days
