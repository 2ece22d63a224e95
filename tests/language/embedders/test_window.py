"""How much of a text is embedded."""

from __future__ import annotations

import pytest

from memoryhub.language.embedders.window import embeddable


@pytest.mark.parametrize(
    ("text", "most"), [("长" * 16_000, 700), ("word " * 4_000, 2_000), ("ក" * 5_000, 500)]
)
def test_embedded_text_is_capped_to_one_window(text: str, most: int) -> None:
    assert len(embeddable(text)) <= most


@pytest.mark.parametrize("text", ["我对坚果过敏", "I am allergic to nuts."])
def test_a_short_text_is_embedded_whole(text: str) -> None:
    assert embeddable(text) == text


@pytest.mark.parametrize("text", ["", "  \n", "\0"])
def test_an_empty_text_becomes_a_dash(text: str) -> None:
    assert embeddable(text) == "-"
