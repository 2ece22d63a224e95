from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviews.diffing import LONGEST, DiffPiece, diff, tokens


def test_latin_text_differs_by_words() -> None:
    assert diff("He lives in Leeds now", "He lives in York now") == [
        DiffPiece("He lives in ", "same"),
        DiffPiece("Leeds", "gone"),
        DiffPiece("York", "new"),
        DiffPiece(" now", "same"),
    ]


def test_chinese_text_differs_by_characters() -> None:
    assert diff("我住在上海浦东", "我住在上海徐汇区") == [
        DiffPiece("我住在上海", "same"),
        DiffPiece("浦东", "gone"),
        DiffPiece("徐汇区", "new"),
    ]


def test_words_and_characters_mix_in_one_text() -> None:
    assert tokens("用iPhone15拍照 OK") == ["用", "iPhone15", "拍", "照", " ", "OK"]


def test_numbers_are_whole_words() -> None:
    assert diff("500 CNY", "5000 CNY")[:2] == [DiffPiece("500", "gone"), DiffPiece("5000", "new")]


def test_a_combining_mark_stays_with_its_letter() -> None:
    assert tokens("e\u0301 x") == ["e\u0301", " ", "x"]


def test_nothing_and_something() -> None:
    assert diff("", "") == []
    assert diff("", "tea") == [DiffPiece("tea", "new")]
    assert diff("tea", "") == [DiffPiece("tea", "gone")]
    assert diff("tea", "tea") == [DiffPiece("tea", "same")]


def test_a_text_that_is_too_long_is_not_compared() -> None:
    long = "茶" * (LONGEST + 1)
    assert [piece.kind for piece in diff(long, long + "x")] == ["gone", "new"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_both_texts_can_be_read_from_the_pieces(before: str, after: str) -> None:
    pieces = diff(before, after)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == after


@given(st.text(max_size=80))
def test_tokens_are_the_text_again(text: str) -> None:
    assert "".join(tokens(text)) == text
