"""What a ranked list is worth: recall of the evidence at k, all evidence in ten, reciprocal rank, and percentiles."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import ceil

CUTS = (5, 10, 20)


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer[Id: Hashable]:
    """One question asked. `ranked` are distinct events, best first, before the budget cut; `milliseconds` of the recall.

    `served` are the events behind the lines that a caller got, `by_time` whether the time leg was asked.
    """

    category: str
    evidence: tuple[Id, ...]
    ranked: tuple[Id, ...]
    served: tuple[Id, ...] = ()
    by_time: bool = False
    tokens: int = 0
    milliseconds: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Quality:
    """Means over the questions of one category (or all); `recall` by cut, times in milliseconds.

    `served` is the share of the evidence in the block after the budget cut, `by_time` how many questions the time leg answered.
    """

    questions: int
    recall: dict[int, float]
    served: float
    by_time: int
    all_in_10: float
    mrr: float
    tokens: float
    p50_ms: float
    p95_ms: float

    def as_json(self) -> dict[str, float | int]:
        """The figures under the names the reports use."""
        return {
            "questions": self.questions,
            **{f"recall@{cut}": round(value, 4) for cut, value in self.recall.items()},
            "served": round(self.served, 4),
            "by_time": self.by_time,
            "all@10": round(self.all_in_10, 4),
            "mrr": round(self.mrr, 4),
            "tokens": round(self.tokens, 1),
            "p50_ms": round(self.p50_ms, 1),
            "p95_ms": round(self.p95_ms, 1),
        }


def quality_of[Id: Hashable](answers: Sequence[Answer[Id]]) -> Quality:
    """The means over the answers, each of which has evidence; zeros when there are none."""
    times = sorted(answer.milliseconds for answer in answers)
    return Quality(
        questions=len(answers),
        recall={cut: _mean([recall_at(answer, cut) for answer in answers]) for cut in CUTS},
        served=_mean([share_served(answer) for answer in answers]),
        by_time=sum(answer.by_time for answer in answers),
        all_in_10=_mean([float(recall_at(answer, 10) == 1.0) for answer in answers]),
        mrr=_mean([reciprocal_rank(answer) for answer in answers]),
        tokens=_mean([float(answer.tokens) for answer in answers]),
        p50_ms=percentile(times, 0.50),
        p95_ms=percentile(times, 0.95),
    )


def recall_at[Id: Hashable](answer: Answer[Id], cut: int) -> float:
    """The share of the evidence among the first `cut` events."""
    first = set(answer.ranked[:cut])
    return sum(event in first for event in answer.evidence) / len(answer.evidence)


def share_served[Id: Hashable](answer: Answer[Id]) -> float:
    """The share of the evidence behind the lines that were served."""
    told = set(answer.served)
    return sum(event in told for event in answer.evidence) / len(answer.evidence)


def reciprocal_rank[Id: Hashable](answer: Answer[Id]) -> float:
    """1 / the rank of the first evidence event, 0 when none is listed."""
    wanted = set(answer.evidence)
    return next((1.0 / rank for rank, event in enumerate(answer.ranked, 1) if event in wanted), 0.0)


def percentile(ordered: Sequence[float], share: float) -> float:
    """The nearest-rank percentile of an ordered list, 0 for an empty one."""
    if not ordered:
        return 0.0
    return ordered[max(ceil(len(ordered) * share) - 1, 0)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
