"""Dates written out."""

from __future__ import annotations

import pytest

from memoryhub.language.calendar import parse_date, parse_datetime


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-03-04", "2026-03-04"),
        ("2026/3/4", "2026-03-04"),
        ("2026年3月4日", "2026-03-04"),
        ("３月４号", "--03-04"),
        ("4th of March 2026", "2026-03-04"),
        ("March 4, 2026", "2026-03-04"),
        ("Sept 9", "--09-09"),
        ("29 February", "--02-29"),
        ("2026-03-04T23:00:00Z", "2026-03-04"),
        ("29 February 2026", None),
        ("03/04/2026", None),
        ("tomorrow", None),
        ("", None),
    ],
)
def test_a_date_without_doubt_is_read(text: str, iso: str | None) -> None:
    assert parse_date(text) == iso


def test_a_time_of_day_needs_a_time() -> None:
    assert parse_datetime("2026-03-04") is None
    moment = parse_datetime("2026-03-04T10:00+08:00")
    assert moment is not None
    assert moment.utcoffset() is not None
