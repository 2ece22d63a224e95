"""When and whose: what every leg is asked with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Moment:
    """`valid_at` and `known_at` choose what is true; `clock` is what ages are counted from. `is_now`: neither was asked for."""

    valid_at: datetime
    known_at: datetime
    clock: datetime
    is_now: bool

    def distance(self, when: datetime) -> float:
        """Seconds between the clock and a date before or after it: a date ahead never beats today."""
        return abs((self.clock - when).total_seconds())

    def days_since(self, when: datetime) -> float:
        """Age in days, never negative: a date in the future is as fresh as today."""
        return max((self.clock - when).total_seconds() / 86_400, 0.0)
