"""Measure whether `/context/` keeps up with changing decisions, on scripted conversations, beside a vector baseline."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress

from memoryhub.evaluation.decision_quality import evaluate_conversations
from memoryhub.evaluation.decision_report import DecisionReport, report_decisions
from memoryhub.evaluation.decisions import UnreadableDecisions, read_conversations
from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.evaluation.utterances import HALVES, Half
from memoryhub.language.embedders import current_embedder
from memoryhub.language.embedders.cached import FileCachedEmbedder
from memoryhub.management.migrated import check_migrated


class Command(BaseCommand):
    help = "Current value, path and stale values that /context/ shows while decisions change, beside a chunk-512 baseline."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--half", choices=[*HALVES, "both"], default="both")
        parser.add_argument(
            "--failures", action="store_true", help="list what fell short, of the develop half alone"
        )
        parser.add_argument(
            "--report-failures", action="store_true", help="of the report half, too: read by nobody who tunes"
        )
        parser.add_argument("--json", metavar="PATH", help="also write the figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        check_migrated()
        console = Console(width=130)
        reports = [_run(half) for half in HALVES if options["half"] in (half, "both")]
        for report in reports:
            console.print(report.as_table())
            if options["report_failures" if report.half == "report" else "failures"]:
                for line in report.failures:
                    console.print(line, markup=False, highlight=False, soft_wrap=True)
        if options["json"]:
            told = [
                report.as_json() | ({} if options["report_failures"] else _kept_back(report))
                for report in reports
            ]
            Path(options["json"]).write_text(json.dumps(told, ensure_ascii=False, indent=2) + "\n", "utf-8")
        if missed := [line for report in reports for line in report.shortfalls()]:
            raise CommandError("\n".join(missed))


def _kept_back(report: DecisionReport) -> dict[str, Any]:
    return {"failures": len(report.failures)} if report.half == "report" else {}


def _run(half: Half) -> DecisionReport:
    try:
        conversations = read_conversations(half)
    except UnreadableDecisions as error:
        raise CommandError(str(error)) from error
    with Progress(console=Console(stderr=True)) as bars, scratch_workspace(keep=False) as workspace:
        task = bars.add_task(half, total=len(conversations))
        checked = evaluate_conversations(
            conversations,
            workspace=workspace,
            embedder=FileCachedEmbedder(current_embedder(), settings.DATA_DIR / "cache" / "vectors.sqlite3"),
            progress=lambda: bars.advance(task),
        )
    return report_decisions(checked, half=half)
