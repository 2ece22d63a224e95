"""Intervals hold what they say: against tables, against each other, and against drawn owners."""

from __future__ import annotations

import random

import pytest

from memoryhub.evaluation.intervals import (
    Sums,
    difference_of_means,
    difference_of_shares,
    effective_cases,
    mean_of,
    quantile,
    share_of,
    sums_of,
    wilson,
)
from tests.repeats import FULL

RUNS = 2_000 if FULL else 150


def near(value: float | None, wanted: float, by: float = 5e-4) -> bool:
    return value is not None and abs(value - wanted) < by


def test_wilson_and_newcombe_agree_with_the_published_example() -> None:
    # Newcombe 1998, example (a): 56/70 against 48/80; Wilson 0.6918 to 0.8769 and 0.4906 to 0.7005, difference 0.0524 to 0.3339.
    low, high = wilson(56 / 70, 70, 1.959964)
    assert near(low, 0.6918, 1e-3) and near(high, 0.8769, 1e-3)
    one_by_one = [sums_of([(1, 1)] * hits + [(1, 0)] * (n - hits)) for hits, n in ((48, 80), (56, 70))]
    found = difference_of_shares(*one_by_one)
    assert near(found.value, 0.2) and near(found.low, 0.0524, 5e-3) and near(found.high, 0.3339, 5e-3)
    assert found.is_clear


@pytest.mark.parametrize(("freedom", "wanted"), [(4, 2.776), (9, 2.262), (29, 2.045), (1e9, 1.960)])
def test_students_quantile_is_that_of_the_tables(freedom: float, wanted: float) -> None:
    assert near(quantile(freedom), wanted, 0.01)


def test_few_cases_have_no_rate_and_few_owners_no_interval() -> None:
    assert share_of(sums_of([(1, 1)] * 19)).value is None
    assert share_of(sums_of([(1, 1)] * 19)).n == 19
    lone = share_of(sums_of([(500, 100)]))
    assert (lone.value, lone.low, lone.clusters) == (0.2, None, 1)
    assert mean_of(sums_of([(50, 100), (50, 90)])).low is None
    assert difference_of_shares(Sums(), sums_of([(40, 4)])).value is None
    assert not difference_of_means(sums_of([(40, 4)]), sums_of([(40, 90)])).is_clear


def test_alike_cases_of_one_owner_count_once() -> None:
    apart = sums_of([(1, 1), (1, 0)] * 100)
    alike = sums_of([(10, 10), (10, 0)] * 10)
    assert effective_cases(apart) == pytest.approx(199)
    assert effective_cases(alike) == pytest.approx(19)
    assert effective_cases(sums_of([(10, 0)] * 12)) == 12  # nothing shows how alike they are


def owners_with(share: float, number: int, rng: random.Random) -> list[tuple[float, float]]:
    """Owners that differ (a beta-binomial with an intraclass correlation of 0.1), asked 1 to 25 times each."""
    drawn: list[tuple[float, float]] = []
    for _ in range(number):
        own, cases = rng.betavariate(share * 9, (1 - share) * 9), rng.randint(1, 25)
        drawn.append((cases, sum(rng.random() < own for _ in range(cases))))
    return drawn


@pytest.mark.deep
@pytest.mark.deep
@pytest.mark.parametrize("share", [0.15, 0.5])
def test_an_interval_holds_the_truth_as_often_as_it_says(share: float) -> None:
    rng = random.Random(11)
    held = apart = naive = 0
    for _ in range(RUNS):
        first, second = (sums_of(owners_with(share, 30, rng)) for _ in range(2))
        estimate = share_of(first)
        assert estimate.low is not None and estimate.high is not None
        held += estimate.low <= share <= estimate.high
        apart += not difference_of_shares(first, second).is_clear
        low, high = wilson(first.ratio, first.n, 1.96)
        naive += low <= share <= high
    assert held / RUNS > 0.91 and apart / RUNS > 0.91
    assert naive / RUNS < 0.85, "counting cases as independent should be seen to fail"
