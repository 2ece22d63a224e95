from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from memoryhub.policies import Policy
from memoryhub.recall.ranking import Candidate, rank
from tests.recall.candidates import MOMENT, NOW, candidate, question

POLICY = Policy()


def order(*pool: Candidate, asked: str = "", names: tuple[str, ...] = ()) -> list[str]:
    ranked = rank(pool, question=question(asked), asked=names, moment=MOMENT, policy=POLICY)
    return [entry.text for entry in ranked]


def test_the_best_match_scores_by_the_plain_formula() -> None:
    week_old = candidate("x", meaning=0.5, confirmed_at=NOW - timedelta(days=7), importance=0.6)
    entry = rank([week_old], question=question(""), asked=(), moment=MOMENT, policy=POLICY)[0]
    assert entry.score == pytest.approx(0.4 * 0.5 + 0.2 * 0.9 + 0.1 * 0.6)
    assert entry.parts.gate == 1.0
    assert entry.parts.recency == pytest.approx(0.9)


def test_being_recent_does_not_make_an_unrelated_memory_relevant() -> None:
    old = candidate("the answer", meaning=0.5, confirmed_at=NOW - timedelta(days=300))
    assert order(candidate("small talk", meaning=0.2), old) == ["the answer", "small talk"]


def test_among_equally_near_ones_the_newer_wins() -> None:
    assert order(
        candidate("then", meaning=0.4, confirmed_at=NOW - timedelta(days=90)), candidate("now", meaning=0.39)
    ) == ["now", "then"]


def test_a_key_attribute_does_not_age() -> None:
    old: dict[str, Any] = {"meaning": 0.4, "confirmed_at": NOW - timedelta(days=900)}
    entries = rank(
        [candidate("name", key_attribute=True, **old), candidate("mood", **old)],
        question=question(""),
        asked=(),
        moment=MOMENT,
        policy=POLICY,
    )
    assert [(entry.text, round(entry.parts.recency, 3)) for entry in entries] == [
        ("name", 1.0),
        ("mood", 0.0),
    ]


def test_the_speaker_that_is_asked_for_comes_before_one_who_mentions_him() -> None:
    pool = (
        candidate("Bo: Al went home", names=("Bo",)),
        candidate("Al: I went home", names=("Al",)),
        candidate("Cy: I went home", names=("Cy",)),
    )
    assert order(*pool, asked="When did Al go home?") == [
        "Al: I went home",
        "Bo: Al went home",
        "Cy: I went home",
    ]
    assert order(*pool, asked="also?", names=("Cy",))[0] == "Cy: I went home"


def test_an_exact_answer_needs_no_meaning() -> None:
    form = candidate("budget: 5", kind="form", hit=None, is_exact=True)
    assert order(candidate("we talked about money", meaning=0.4), form)[0] == "budget: 5"


def test_scores_and_parts_are_shares_and_the_order_is_always_the_same() -> None:
    pool = [
        candidate(str(number), meaning=number / 10, importance=1.0, key_attribute=True)
        for number in range(11)
    ]
    entries = rank(pool, question=question(""), asked=(), moment=MOMENT, policy=POLICY)
    assert all(0.0 <= entry.score <= 1.0 for entry in entries)
    assert [entry.text for entry in entries] == order(*reversed(pool))


def test_a_date_ahead_is_as_fresh_as_today() -> None:
    entry = rank(
        [candidate("x", confirmed_at=NOW + timedelta(days=50))],
        question=question(""),
        asked=(),
        moment=MOMENT,
        policy=POLICY,
    )[0]
    assert entry.parts.recency == 1.0


def test_a_date_ahead_never_beats_an_equal_one_of_today() -> None:
    days_ahead = [NOW + timedelta(days=days) for days in (10, 30, 365)]
    ahead = [candidate("ahead", confirmed_at=when, occurred_at=when) for when in days_ahead]
    assert order(*ahead, candidate("today"))[0] == "today"
