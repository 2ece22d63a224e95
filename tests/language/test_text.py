"""Faults, quotes, language and splitting of text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.language.text import clean, find_text_fault, language_of, locate_quote, split_text


@pytest.mark.parametrize(
    ("value", "field", "code"),
    [
        ("a\0b", "text", "nul_character"),
        ("\ud800", "text", "lone_surrogate"),
        ({"tags": ["ok", "\ud83d"]}, "text.tags[1]", "lone_surrogate"),
        ({"a": {"b\0": 1}}, "text.a.b ", "nul_character"),
        ("x" * 16_001, "text", "text_too_long"),
        ({"a": float("nan")}, "text.a", "number_not_finite"),
        ([float("inf")], "text[0]", "number_not_finite"),
        (list(range(10_001)), "text", "too_many_members"),
    ],
)
def test_a_fault_names_the_field_and_the_rule(value: Any, field: str, code: str) -> None:
    fault = find_text_fault(value, field="text")
    assert fault is not None
    assert (fault.field, fault.code) == (field, code)


def test_deep_json_is_refused_without_recursion() -> None:
    value: Any = "x"
    for _ in range(5_000):
        value = [value]
    fault = find_text_fault(value)
    assert fault is not None
    assert fault.code == "too_deep"


@pytest.mark.parametrize(
    "value", ["o'neil", "100%", "a_b", "👨‍👩‍👧", "", None, 5, True, {"a": [1, "坚果"]}, [[]]]
)
def test_ordinary_values_have_no_fault(value: Any) -> None:
    assert find_text_fault(value) is None


@given(st.text(st.characters(exclude_categories=())))
def test_cleaned_text_can_always_be_encoded(text: str) -> None:
    assert b"\0" not in clean(text).encode("utf-8")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我对坚果过敏", "zh"),
        ("I am allergic", "en"),
        ("用 docker 部署", "zh"),
        ("the brand is called 老干妈 you know", "en"),
        ("", "en"),
    ],
)
def test_the_language_follows_the_share_of_chinese(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("50万", "预算５０万元", "５０万"),
        ("fire", "the ﬁre", "ﬁre"),
        ("f", "ﬁ", None),
        ("café x", "a cafe\u0301\n  x b", "cafe\u0301\n  x"),
        ("e", "cafe\u0301", None),
        ("坚果", "我对坚果过敏", "坚果"),
        ("nuts", "I like tea", None),
        ("", "anything", None),
        ("  ", "a  b", None),
        ("Tea", "I like tea", None),
    ],
)
def test_a_quote_is_found_in_the_text_as_given(quote: str, text: str, found: str | None) -> None:
    span = locate_quote(quote, text)
    assert (text[span[0] : span[1]] if span else None) == found


@given(st.text(min_size=1), st.data())
def test_any_slice_that_is_found_lies_inside_the_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    span = locate_quote(text[start:], text)
    assert span is None or 0 <= span[0] < span[1] <= len(text)


@given(st.text(), st.integers(1, 50))
def test_pieces_join_to_the_text_and_keep_the_limit(text: str, limit: int) -> None:
    pieces = split_text(text, limit)
    assert "".join(pieces) == text
    assert all(0 < len(piece) <= limit for piece in pieces)


def test_a_long_text_is_cut_after_a_sentence() -> None:
    assert split_text("今天下雨。我没带伞。回家了", 11) == ["今天下雨。我没带伞。", "回家了"]
