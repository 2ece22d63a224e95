"""The figures of a ranked list, checked by hand."""

from __future__ import annotations

import pytest

from memoryhub.evaluation.metrics import Answer, percentile, quality_of
from memoryhub.evaluation.reporting import report_on


def answer(
    evidence: str, ranked: str, category: str = "single-hop", milliseconds: float = 1.0
) -> Answer[str]:
    return Answer(
        category=category,
        evidence=tuple(evidence),
        ranked=tuple(ranked),
        tokens=100,
        milliseconds=milliseconds,
    )


def test_recall_counts_the_share_of_the_evidence() -> None:
    quality = quality_of([answer("ab", "xaxxxxxb"), answer("c", "c")])
    assert quality.recall == {5: 0.75, 10: 1.0, 20: 1.0}
    assert quality.all_in_10 == 1.0
    assert quality.mrr == pytest.approx((0.5 + 1.0) / 2)


def test_evidence_that_is_not_listed_counts_zero() -> None:
    quality = quality_of([answer("a", "")])
    assert (quality.recall[20], quality.all_in_10, quality.mrr) == (0.0, 0.0, 0.0)


def test_no_questions_give_zeros() -> None:
    assert quality_of([]).as_json()["recall@10"] == 0.0


@pytest.mark.parametrize(("share", "value"), [(0.5, 10), (0.95, 19), (1.0, 20), (0.01, 1)])
def test_percentiles_are_nearest_rank(share: float, value: float) -> None:
    assert percentile([float(number) for number in range(1, 21)], share) == value


def test_adversarial_questions_are_reported_but_not_in_the_whole() -> None:
    report = report_on([answer("a", "a"), answer("b", "", "adversarial")], files=1)
    assert report.overall.recall[10] == 1.0
    document = report.as_json()
    assert document["categories"]["adversarial"]["recall@10"] == 0.0
    assert document["files"] == 1
    assert set(document["overall"]) == {
        "questions",
        "recall@5",
        "recall@10",
        "recall@20",
        "served",
        "by_time",
        "all@10",
        "mrr",
        "tokens",
        "p50_ms",
        "p95_ms",
    }
    assert report.as_table().row_count == 3
