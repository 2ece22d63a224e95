"""Lexical tokens: what a question must share with a text to find it."""

from __future__ import annotations

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.language.tokens import (
    MAX_DISTINCT_TOKENS,
    lexical_tokens,
    owner_prefix,
    query_tokens,
    token_length,
    tsquery_literal,
    tsvector_literal,
)


def tokens(text: str) -> set[str]:
    return {token for token, _ in lexical_tokens(text)}


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("项目预算上限是五十万，负责人王工，单号 SR-0521", "预算"),
        ("项目预算上限是五十万，负责人王工，单号 SR-0521", "SR-0521"),
        ("项目预算上限是五十万，负责人王工，单号 SR-0521", "ＳＲ－０５２１"),
        ("项目预算上限是五十万，负责人王工，单号 SR-0521", "５０００００"),
        ("合同HT-2024-0731已签", "ht-2024-0731"),
        ("We moved from Node.js to C++", "node.js"),
        ("We moved from Node.js to C++", "C++"),
        ("the parcel KX-117 arrived", "KX-117"),
        ("She was running in the parks", "run park"),
        ("Melanie's café", "melanie cafe"),
        ("budget 5,000", "5000"),
    ],
)
def test_every_token_of_the_question_is_in_the_text(text: str, query: str) -> None:
    assert set(query_tokens(query)) <= tokens(text)


@pytest.mark.parametrize(
    "text", ["预算五十万", "预算50万", "预算 500k", "a budget of 500,000", "five hundred thousand"]
)
def test_a_number_is_found_in_every_notation(text: str) -> None:
    assert "500000" in tokens(text)


def test_a_mixed_question_reaches_both_texts() -> None:
    asked = set(query_tokens("预算 docker"))
    assert asked & tokens("项目预算上限是五十万")
    assert asked & tokens("staging runs docker 27.1")


def test_codes_that_differ_in_one_digit_share_no_whole_token() -> None:
    assert "kx-117" not in tokens("parcel KX-118 arrived")


def test_codes_are_kept_whole_and_in_parts() -> None:
    assert {"ht-2024-0731", "ht", "2024", "0731"} <= tokens("HT-2024-0731")


def test_stop_words_and_negated_auxiliaries_are_left_out() -> None:
    assert tokens("What didn't you do with the AI?") == {"ai"}


def test_chinese_gives_characters_and_bigrams_at_one_position() -> None:
    assert lexical_tokens("坚果") == [("坚", [1]), ("坚果", [1]), ("果", [2])]


def test_repeated_words_count_in_the_length() -> None:
    assert token_length(lexical_tokens("tea tea tea")) == 3


def test_the_prefix_is_base36_of_the_owners_number() -> None:
    assert owner_prefix(0) == "0:"
    assert owner_prefix(73) == "21:"
    assert lexical_tokens("tea", prefix=owner_prefix(73)) == [("21:tea", [1])]


def test_distinct_tokens_are_capped() -> None:
    assert len(lexical_tokens(" ".join(f"w{n}x" for n in range(9_000)))) == MAX_DISTINCT_TOKENS


def test_literals_double_quotes_and_backslashes() -> None:
    assert tsvector_literal([("o'neil\\", [1, 4])]) == "'o''neil\\\\':1,4"
    assert tsquery_literal(["a", "b'c"]) == "'a' | 'b''c'"
    assert tsquery_literal([]) == ""


@given(st.text(max_size=300))
def test_any_text_gives_tokens_with_rising_positions_in_range(text: str) -> None:
    for token, places in lexical_tokens(text):
        assert token
        assert places == sorted(set(places))
        assert 1 <= places[0] <= places[-1] <= 16_383
        assert "\0" not in token


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text",
    [
        "o'neil said: don't",
        "C:\\temp\\new 'quoted' \\",
        "100% a_b & | ! ( ) : * <->",
        "预算 docker 'x'",
        "Node.js C++ HT-2024-0731",
    ],
)
def test_postgresql_reads_the_literals_as_written(text: str) -> None:
    prefixed = lexical_tokens(text, prefix=owner_prefix(73))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tsvector_to_array(%s::tsvector), %s::tsvector @@ %s::tsquery, %s::tsvector @@ %s::tsquery",
            [
                tsvector_literal(prefixed),
                tsvector_literal(prefixed),
                tsquery_literal([prefixed[-1][0]]),
                tsvector_literal(prefixed),
                tsquery_literal(query_tokens(text, prefix=owner_prefix(74))),
            ],
        )
        lexemes, found_by_owner, found_by_other = cursor.fetchone()
    assert sorted(lexemes) == sorted(token for token, _ in prefixed)
    assert found_by_owner
    assert not found_by_other
