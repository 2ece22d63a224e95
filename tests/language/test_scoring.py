"""Cover: the share of a question's idf mass that a text holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.language.scoring import cover, meaning_score


def test_a_text_with_every_word_covers_the_question() -> None:
    assert cover(["kx-117"], [(1, {"kx-117": 1}, 3), (2, {"tea": 1}, 3)])[1] == pytest.approx(1.0)


def test_one_weak_word_out_of_five_is_no_full_hit() -> None:
    question = ["when", "melani", "paint", "sunris", "lake"]
    shares = cover(question, [(1, {"melani": 1}, 8), (2, {"melani": 1, "paint": 1, "sunris": 1}, 8)])
    assert shares[1] < 0.1
    assert shares[2] > 0.3


def test_unknown_words_count_in_the_denominator() -> None:
    rows = [(1, {"tea": 1}, 2), (2, {"milk": 1}, 2)]
    assert cover(["tea", "zebra"], rows)[1] < cover(["tea"], rows)[1]


def test_no_words_and_no_candidates_cover_nothing() -> None:
    assert cover([], [(1, {"tea": 1}, 2)]) == {1: 0.0}
    assert cover(["tea"], []) == {}


def test_empty_texts_do_not_divide_by_zero() -> None:
    assert cover(["tea"], [(1, {}, 0)]) == {1: 0.0}


@given(
    st.lists(st.sampled_from("abcde"), max_size=6),
    st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 300)), max_size=8),
)
def test_cover_is_a_share(question: list[str], bags: list[dict[str, int]]) -> None:
    rows = [(number, bag, sum(bag.values())) for number, bag in enumerate(bags)]
    assert all(0.0 <= share <= 1.0 for share in cover(question, rows).values())


@pytest.mark.parametrize(
    ("cosine", "covered", "score"), [(1, 1, 1), (-1, 0, 0), (0.29, 0, 0.2), (0, 1, 0.45 / 1.45)]
)
def test_the_meaning_score_is_the_clipped_sum(cosine: float, covered: float, score: float) -> None:
    assert meaning_score(cosine, covered) == pytest.approx(score)
