"""Token counts and cuts that respect what a reader sees as one character."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryhub.language.counting import count_tokens, cut_to_tokens, estimate_tokens

FAMILY = "👨‍👩‍👧‍👦"


def test_special_markers_are_counted_as_text() -> None:
    assert count_tokens("<|endoftext|>") == 7


def test_surrogates_and_nul_are_counted_without_an_error() -> None:
    assert count_tokens("\ud800 a\0b") > 0


@pytest.mark.parametrize("limit", [-1, 0])
def test_no_budget_gives_no_text(limit: int) -> None:
    assert cut_to_tokens("我对坚果过敏", limit) == ""


@pytest.mark.parametrize("whole", [FAMILY, "🇨🇳", "👍🏽", "é".replace("é", "e\u0301"), "1️⃣", "\r\n"])
@pytest.mark.parametrize("limit", range(1, 40, 3))
def test_no_visible_character_is_cut_in_half(whole: str, limit: int) -> None:
    cut = cut_to_tokens(whole * 8, limit)
    assert cut == whole * (len(cut) // len(whole))


@settings(max_examples=50)
@given(st.text(max_size=200), st.integers(0, 60))
def test_a_cut_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    cut = cut_to_tokens(text, limit)
    assert text.startswith(cut)
    assert count_tokens(cut) <= limit


@pytest.mark.parametrize(
    "text",
    ["我对坚果过敏，请不要推荐含坚果的零食。", "Please never recommend snacks with nuts to me again.", ""],
)
def test_the_estimate_is_never_below_the_count_of_everyday_text(text: str) -> None:
    assert estimate_tokens(text) >= count_tokens(text)
