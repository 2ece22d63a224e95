"""Learn the weights of the tone of orders anew from the develop lines, and write them where the screening reads them."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.table import Table

from memoryhub.evaluation.tone_limits import LIMITS, Judgements, calibrated, judge
from memoryhub.evaluation.tone_training import Lesson, as_stored, learn, lessons, weights_left_out
from memoryhub.writing.order_tone import WEIGHTS, Language


class Command(BaseCommand):
    help = "Learn how an order to a machine sounds from the develop lines; prints what is flagged of families left out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--path", default=str(WEIGHTS), help="where the weights are written")

    def handle(self, *args: Any, **options: Any) -> None:
        taught = lessons()
        weighed = weights_left_out(taught)
        judgements = judge(taught, weighed)
        model = calibrated(learn(taught), judgements)
        Path(options["path"]).write_text(as_stored(model, LIMITS), encoding="utf-8")
        Console(width=100).print(_left_out(taught, weighed, judgements))


def _left_out(
    taught: Sequence[Lesson], weighed: Sequence[tuple[Language, float]], judgements: Judgements
) -> Table:
    """What is flagged of each file when its families and kinds are left out of the learning, one at a time."""
    flagged: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for lesson, (language, weight) in zip(taught, weighed, strict=True):
        kind = "attacks" if lesson.is_attack else "harmless"
        total = judgements[language].with_rules(weight, lesson.rules)
        flagged[kind, lesson.source, language].append(total >= 0)
    table = Table("lines", "file", "language", "number", "flagged when left out")
    for (kind, source, spoken), hits in sorted(flagged.items()):
        table.add_row(kind, source, spoken, str(len(hits)), f"{sum(hits) / len(hits):.2%}")
    return table
