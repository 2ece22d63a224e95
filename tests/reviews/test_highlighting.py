from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviews.highlighting import Piece, cut, excerpt, find_quote

TEXT = "Well, I am allergic to nuts. Nuts!"


def test_the_quote_is_found_where_it_is_said_to_be() -> None:
    assert find_quote("nuts nuts", ("nuts", 5)) == (5, 9)


def test_a_wrong_place_falls_back_to_the_first_occurrence() -> None:
    assert find_quote("nuts nuts", ("nuts", 2)) == (0, 4)


def test_words_that_are_not_there_are_not_found() -> None:
    assert find_quote(TEXT, ("shellfish", None)) is None
    assert excerpt(TEXT, ("shellfish", None)) is None


def test_overlapping_quotes_become_one() -> None:
    assert cut("abcdef", [("bcd", 1), ("cde", 2)]) == [
        Piece("a", False),
        Piece("bcde", True),
        Piece("f", False),
    ]


def test_an_excerpt_says_where_the_text_goes_on() -> None:
    pieces = excerpt(TEXT, ("allergic", None), context=5)
    assert pieces == [Piece("…I am ", False), Piece("allergic", True), Piece(" to n…", False)]


@given(
    st.text(max_size=60), st.lists(st.tuples(st.text(max_size=5), st.none() | st.integers(0, 60)), max_size=4)
)
def test_cutting_loses_no_character(text: str, quotes: list[tuple[str, int | None]]) -> None:
    assert "".join(piece.text for piece in cut(text, quotes)) == text
