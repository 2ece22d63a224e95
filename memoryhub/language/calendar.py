"""Dates written out in English and Chinese, in forms that leave no doubt; relative ones are not read here."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime

_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTH_NAMES = {form: name for name in _MONTHS for form in (name, name[:3])} | {"sept": "september"}
WEEKDAY_NAMES = {form: name for name in _WEEKDAYS for form in (name, name[:3])}
_MONTH_NUMBER = {form: _MONTHS.index(name) + 1 for form, name in MONTH_NAMES.items()}

_NAME = "|".join(sorted(MONTH_NAMES, key=len, reverse=True))
_YEAR, _DAY = r"(?P<year>\d{4})", r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = [
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})",
        r"(?:(?P<year>\d{4})\s*年\s*)?(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*[日号]?",
        rf"(?:the\s+)?{_DAY}(?:\s+of)?\s+(?P<name>{_NAME})\.?(?:,?\s+{_YEAR})?",
        rf"(?P<name>{_NAME})\.?\s+(?:the\s+)?{_DAY}(?:,?\s+{_YEAR})?",
        r"--(?P<month>\d{2})-(?P<day>\d{2})",
    )
]


def parse_date(text: str) -> str | None:
    """ISO date of a text that is one date, '--03-04' when it names no year, else None.

    '03/04/2026' is two different days on two sides of an ocean, so it is not read.
    """
    stripped = unicodedata.normalize("NFKC", text).strip(" .,。，")
    for form in _FORMS:
        if match := form.fullmatch(stripped):
            return _iso(match.groupdict())
    moment = parse_datetime(stripped)
    return moment.date().isoformat() if moment else None


def _iso(parts: dict[str, str | None]) -> str | None:
    name = parts.get("name")
    month = _MONTH_NUMBER[name.lower()] if name else int(parts["month"] or 0)
    try:
        # 2000 is a leap year, so that a 29 February without a year is a day.
        day = date(int(parts.get("year") or 2000), month, int(parts["day"] or 0))
    except ValueError:
        return None
    return day.isoformat() if parts.get("year") else f"--{day:%m-%d}"


def parse_datetime(text: str) -> datetime | None:
    """A datetime from ISO 8601 text with a time of day (aware when it has an offset); else None."""
    stripped = unicodedata.normalize("NFKC", text).strip()
    if ":" not in stripped and "T" not in stripped.upper():
        return None
    try:
        return datetime.fromisoformat(stripped)
    except ValueError:
        return None
