"""What the owner is at and what is coming, kept as sentences with dates."""

from __future__ import annotations

import pytest

from memoryhub.writing.candidates import ItemCandidate
from tests.writing.utterances import read


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("I'm training for the Boston marathon", "training for the Boston marathon"),
        ("我在备考雅思", "正在备考雅思"),
        ("I have a job interview on December 3", "job interview on"),
    ],
)
def test_what_lies_ahead_is_kept_as_a_sentence(text: str, part: str) -> None:
    told = [each.content for each in read(text).candidates if isinstance(each, ItemCandidate)]
    assert any(part in content for content in told)


@pytest.mark.parametrize("text", ["I'm going to the shop tomorrow", "I'm training for it", "我在准备它"])
def test_small_plans_and_what_only_points_are_not(text: str) -> None:
    assert read(text).candidates == ()
