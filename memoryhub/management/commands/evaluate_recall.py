"""Measure recall on conversations with known evidence (public LoCoMo layout)."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from memoryhub.evaluation.dialogues import Dialogue, UnreadableFile, read_dialogues
from memoryhub.evaluation.recall_quality import evaluate_recall, scratch_workspace
from memoryhub.evaluation.reporting import RecallReport
from memoryhub.evaluation.yardstick import measure_yardstick
from memoryhub.language.embedders import Embedder, current_embedder
from memoryhub.language.embedders.cached import FileCachedEmbedder
from memoryhub.management.migrated import check_migrated


class Command(BaseCommand):
    help = "Recall@k, all evidence in ten, MRR, tokens and times per question category."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="conversations in the LoCoMo JSON layout")
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")
        parser.add_argument(
            "--min-recall10",
            type=float,
            metavar="X",
            help="exit status 1 when recall@10 (all but adversarial) is below",
        )
        parser.add_argument(
            "--yardstick", action="store_true", help="also what a plain script reaches with the same vectors"
        )
        parser.add_argument(
            "--split", choices=["random"], help="also the figures on random halves of the questions"
        )
        parser.add_argument("--seed", type=int, default=1, help="of the random halves (default 1)")
        parser.add_argument("--keep", action="store_true", help="keep the scratch workspace for looking at")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        started = monotonic()
        try:
            dialogues = read_dialogues(Path(file))
        except UnreadableFile as error:
            raise CommandError(str(error)) from error
        check_migrated()
        embedder = FileCachedEmbedder(current_embedder(), settings.DATA_DIR / "cache" / "vectors.sqlite3")
        seed = options["seed"] if options["split"] else None
        report = _evaluate(dialogues, embedder, keep=options["keep"], split_seed=seed)
        if options["yardstick"]:
            report.facts["yardstick"] = measure_yardstick(dialogues, embedder=embedder).as_json()
        report.facts["seconds"] = round(monotonic() - started, 1)
        _show(report, options["json"])
        least = options["min_recall10"]
        if least is not None and report.overall.recall[10] < least:
            raise CommandError(f"recall@10 is {report.overall.recall[10]:.3f}, below {least}")


def _evaluate(
    dialogues: list[Dialogue], embedder: Embedder, *, keep: bool, split_seed: int | None
) -> RecallReport:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars, scratch_workspace(keep=keep) as workspace:
        tasks = {
            "turns": bars.add_task("turns", total=sum(len(dialogue.turns) for dialogue in dialogues)),
            "vectors": bars.add_task("vectors", total=None),
            "questions": bars.add_task(
                "questions", total=sum(len(dialogue.questions) for dialogue in dialogues)
            ),
        }
        return evaluate_recall(
            dialogues,
            workspace=workspace,
            embedder=embedder,
            progress=lambda step, count: bars.advance(tasks[step], count),
            split_seed=split_seed,
        )


def _show(report: RecallReport, path: str | None) -> None:
    console = Console(width=130)
    console.print(report.as_table())
    apart = ("yardstick", "random_halves")
    facts = {name: value for name, value in report.facts.items() if name not in apart}
    console.print(", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in facts.items()))
    for name, spread in report.facts.get("random_halves", {}).items():
        console.print(
            f"random halves, {name}: recall@10 {spread['mean']:.3f} ± {spread['deviation']:.3f}, "
            f"two halves at most {spread['widest']:.3f} apart"
        )
    if yardstick := report.facts.get("yardstick"):
        figures = yardstick["overall"]
        console.print(
            f"yardstick: recall@10 {figures['recall@10']:.3f}, recall@20 {figures['recall@20']:.3f}"
        )
    if path:
        Path(path).write_text(json.dumps(report.as_json(), indent=2) + "\n", "utf-8")
