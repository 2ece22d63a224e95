"""Figures on random halves: the same for the same seed, wider for few questions, none for a group of one."""

from __future__ import annotations

import pytest

from memoryhub.evaluation.halves import spread_over_halves
from memoryhub.evaluation.metrics import Answer, share_served


def answers(right: int, wrong: int, category: str = "single-hop") -> list[Answer[str]]:
    found = Answer(category=category, evidence=("a",), ranked=("a",), served=("a",))
    lost = Answer(category=category, evidence=("a",), ranked=("b",))
    return [found] * right + [lost] * wrong


def test_halves_lie_around_the_whole_and_repeat_with_their_seed() -> None:
    asked = answers(60, 40) + answers(10, 10, "multi-hop") + answers(0, 50, "adversarial")
    one, again = (spread_over_halves(asked, seed=3) for _ in range(2))
    assert one == again
    assert one["all but adversarial"].mean == pytest.approx(70 / 120)
    assert one["multi-hop"].deviation > one["all but adversarial"].deviation > 0
    assert one["multi-hop"].widest >= one["multi-hop"].deviation
    assert set(one["multi-hop"].as_json()) == {"mean", "deviation", "widest"}


def test_a_single_question_has_no_halves() -> None:
    assert spread_over_halves(answers(1, 0), seed=1) == {}


def test_what_was_served_counts_the_share_of_the_evidence() -> None:
    assert share_served(Answer(category="", evidence=("a", "b"), ranked=(), served=("b", "c"))) == 0.5
