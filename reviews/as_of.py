"""The as-of bar: `?valid_at=&known_at=` on two clocks, read for the pages that can be shown as they were.

Nothing given is now. What cannot be read, or lies ahead of the clock of knowledge, is said and counts as now.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.http import QueryDict
from django.utils import timezone

from reviews.zones import zone_named


@dataclass(frozen=True, kw_only=True, slots=True)
class AsOf:
    """What was true at `valid_at` as far as was believed at `known_at`. Each is None for now."""

    valid_at: datetime | None = None
    known_at: datetime | None = None
    has_fault: bool = False
    zone: str = "UTC"

    @property
    def is_past(self) -> bool:
        """Whether the page shows something other than now."""
        return self.valid_at is not None or self.known_at is not None

    def moments(self) -> tuple[datetime, datetime]:
        """Both clocks as times."""
        now = timezone.now()
        return self.valid_at or now, self.known_at or now

    @property
    def valid_field(self) -> str:
        """The value of the bar's input for 'true at'."""
        return self._as_input(self.valid_at)

    @property
    def known_field(self) -> str:
        return self._as_input(self.known_at)

    def _as_input(self, at: datetime | None) -> str:
        return f"{at.astimezone(zone_named(self.zone)):%Y-%m-%dT%H:%M}" if at else ""


def read_as_of(query: QueryDict, *, zone: str) -> AsOf:
    """The two clocks of a query string; a time without an offset is in `zone`."""
    valid_at, valid_is_wrong = _moment(query.get("valid_at", ""), zone)
    known_at, known_is_wrong = _moment(query.get("known_at", ""), zone)
    if known_at is not None and known_at > timezone.now():
        known_at, known_is_wrong = None, True
    return AsOf(valid_at=valid_at, known_at=known_at, has_fault=valid_is_wrong or known_is_wrong, zone=zone)


def _moment(text: str, zone: str) -> tuple[datetime | None, bool]:
    """The time, and whether the text was no time. A + of an offset may arrive as a space."""
    text = text.strip()
    if not text:
        return None, False
    try:
        at = datetime.fromisoformat(text.replace(" ", "+") if "T" in text else text)
        at = at if at.tzinfo else at.replace(tzinfo=zone_named(zone))
        at.astimezone(zone_named(zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None, True
    return at, False
