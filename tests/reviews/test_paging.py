"""Cursor pages on their own, without a database."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.core.exceptions import BadRequest

from reviews.paging import Cursor, Page, moment_of, page_of, read_cursor


@dataclass(frozen=True)
class Row:
    name: str

    @property
    def place(self) -> tuple[str, ...]:
        return (self.name,)


ROWS = [Row(letter) for letter in "abcdef"]


def test_the_first_page_has_nothing_newer() -> None:
    page = page_of(ROWS[:3], cursor=None, size=2)
    assert (page.rows, page.newer) == (ROWS[:2], "")
    assert read_cursor(page.older, parts=1) == Cursor(direction="older", place=("b",))


def test_the_last_page_has_nothing_older() -> None:
    page = page_of(ROWS[4:], cursor=Cursor(direction="older", place=("d",)), size=2)
    assert page.older == ""
    assert read_cursor(page.newer, parts=1) == Cursor(direction="newer", place=("e",))


def test_a_page_read_backwards_is_in_the_order_of_the_list() -> None:
    page = page_of(ROWS[2::-1], cursor=Cursor(direction="newer", place=("d",)), size=2)
    assert page.rows == [Row("b"), Row("c")]
    assert page.newer
    assert page.older


def test_an_empty_page_leads_nowhere() -> None:
    page: Page[Row] = page_of([], cursor=Cursor(direction="older", place=("z",)), size=2)
    assert (page.rows, page.older, page.newer) == ([], "", "")


@pytest.mark.parametrize(
    "text", ["?", "AAAA", "W10", "WyJvbGRlciJd", "WyJ1cCIsImEiXQ", "WyJvbGRlciIsMV0", "é", "e30", "MQ"]
)
def test_a_cursor_that_we_did_not_make_is_refused(text: str) -> None:
    with pytest.raises(BadRequest):
        read_cursor(text, parts=1)


@pytest.mark.parametrize(
    "place", [("yesterday", "1"), ("2026-11-20T12:00:00", "01a22c98-7c1b-779a-81c2-54bf1297c19b")]
)
def test_a_moment_needs_a_zone_and_an_id(place: tuple[str, str]) -> None:
    with pytest.raises(BadRequest):
        moment_of(Cursor(direction="older", place=place))
