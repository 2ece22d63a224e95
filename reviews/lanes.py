"""Bars on a common time axis, in thousandths of its length: what a page draws as an SVG without a script. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryhub.models.as_of import HasTwoClocks

LENGTH = 1000
LEAST_WIDTH = 6
"""So that a moment is still seen."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """From `start` on, `width` long; cut to the axis. `since` and `until` are the whole span, None for open."""

    start: int
    width: int
    since: datetime
    until: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Axis:
    """`first` lies at 0, `last` at LENGTH."""

    first: datetime
    last: datetime

    def place(self, at: datetime) -> int:
        """Where a moment lies; moments outside lie at the ends."""
        whole = (self.last - self.first).total_seconds()
        if whole <= 0:
            return 0
        share = (at - self.first).total_seconds() / whole
        return round(LENGTH * min(1.0, max(0.0, share)))

    def bar(self, since: datetime, until: datetime | None) -> Bar:
        start = self.place(since)
        end = LENGTH if until is None else self.place(until)
        start = min(start, LENGTH - LEAST_WIDTH)
        return Bar(start=start, width=max(end - start, LEAST_WIDTH), since=since, until=until)


def axis_over(moments: Iterable[datetime], *, now: datetime) -> Axis:
    """From the first of the moments to the last, now included."""
    given = [*moments, now]
    return Axis(first=min(given), last=max(given))


@dataclass(frozen=True, kw_only=True, slots=True)
class Lane[Row]:
    """One memory: when it was true in the world, and when we believed it."""

    row: Row
    world: Bar
    belief: Bar


@dataclass(frozen=True, kw_only=True, slots=True)
class Lanes[Row]:
    axis: Axis
    lanes: Sequence[Lane[Row]]


def two_clocks[Row: HasTwoClocks](rows: Sequence[Row], *, now: datetime) -> Lanes[Row]:
    """A lane per row on one axis; an open end reaches to its end."""
    axis = axis_over([moment for row in rows for moment in (row.valid_from, row.known_from)], now=now)
    return Lanes(
        axis=axis,
        lanes=[
            Lane(
                row=row,
                world=axis.bar(row.valid_from, row.valid_until),
                belief=axis.bar(row.known_from, row.known_until),
            )
            for row in rows
        ],
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One bar of a small chart; `height` in thousandths of the highest."""

    label: str
    number: int
    height: int


def columns(numbers: Sequence[tuple[str, int]]) -> list[Column]:
    """Bars over labels, the highest LENGTH high; one that is not nothing is at least LEAST_WIDTH."""
    most = max((number for _label, number in numbers), default=0)
    return [
        Column(
            label=label,
            number=number,
            height=max(round(LENGTH * number / most), LEAST_WIDTH) if number else 0,
        )
        for label, number in numbers
    ]
