"""A time that was asked about and in which nothing happened is said to be empty: 'No events on 2026-03-04'. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memoryhub.language.dates import TimeExpression
from memoryhub.recall.asking import Question
from memoryhub.recall.events import EventRow
from memoryhub.recall.looking import Moment

_INSTANT = timedelta(microseconds=1)


def empty_times(
    question: Question, events: Sequence[EventRow], *, moment: Moment, language: str, zone: ZoneInfo
) -> tuple[str, ...]:
    """One sentence for each time of the question that has begun and holds none of the events, in the owner's zone."""
    return tuple(
        dict.fromkeys(
            _sentence(time, language, zone)
            for time in question.times
            if time.start <= moment.clock
            and not any(time.start <= event.occurred_at < time.end for event in events)
        )
    )


def _sentence(time: TimeExpression, language: str, zone: ZoneInfo) -> str:
    first, last = time.start.astimezone(zone), (time.end - _INSTANT).astimezone(zone)
    if time.kind in {"moment", "part"}:
        span = f"{first:%Y-%m-%d %H:%M}", _clock(time.end, first, zone)
    else:
        span = f"{first:%Y-%m-%d}", f"{last:%Y-%m-%d}"
    if span[0] == span[1]:
        return f"{span[0]} 没有记录" if language == "zh" else f"No events on {span[0]}"
    return (
        f"{span[0]} 至 {span[1]} 没有记录" if language == "zh" else f"No events from {span[0]} to {span[1]}"
    )


def _clock(end: datetime, first: datetime, zone: ZoneInfo) -> str:
    last = end.astimezone(zone)
    return f"{last:%H:%M}" if last.date() == first.date() else f"{last:%Y-%m-%d %H:%M}"
