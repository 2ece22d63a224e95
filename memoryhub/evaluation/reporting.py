"""The report of a recall evaluation: a table for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from memoryhub.evaluation.dialogues import CATEGORIES
from memoryhub.evaluation.metrics import CUTS, Answer, Quality, quality_of

ADVERSARIAL = CATEGORIES[5]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallReport:
    """`overall` leaves the adversarial questions out: they ask for what was never said."""

    overall: Quality
    categories: dict[str, Quality]
    facts: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """overall, categories.<name>, and what was evaluated."""
        return {
            "overall": self.overall.as_json(),
            "categories": {name: quality.as_json() for name, quality in self.categories.items()},
            **self.facts,
        }

    def as_table(self) -> Table:
        """One line a category, the whole last."""
        cuts = [f"recall@{cut}" for cut in CUTS]
        table = Table(
            "category", "questions", *cuts, "served", "by time", "all@10", "MRR", "tokens", "p50 ms", "p95 ms"
        )
        for name, quality in [*self.categories.items(), ("all but adversarial", self.overall)]:
            table.add_row(name, *_cells(quality))
        return table


def report_on[Id: Hashable](answers: Sequence[Answer[Id]], **facts: Any) -> RecallReport:
    """The report over all answers; `facts` go into the JSON as they are."""
    names = [name for name in CATEGORIES.values() if any(answer.category == name for answer in answers)]
    return RecallReport(
        overall=quality_of([answer for answer in answers if answer.category != ADVERSARIAL]),
        categories={
            name: quality_of([answer for answer in answers if answer.category == name]) for name in names
        },
        facts=facts,
    )


def _cells(quality: Quality) -> list[str]:
    numbers = (quality.tokens, quality.p50_ms, quality.p95_ms)
    return [
        str(quality.questions),
        *(f"{share:.3f}" for share in (*quality.recall.values(), quality.served)),
        str(quality.by_time),
        *(f"{share:.3f}" for share in (quality.all_in_10, quality.mrr)),
        *(f"{number:.0f}" for number in numbers),
    ]
