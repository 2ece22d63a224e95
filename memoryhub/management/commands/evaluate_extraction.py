"""Measure what the extractor makes of labelled utterances: precision and recall per kind and language."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress

from memoryhub.evaluation.extraction_quality import Judged, evaluate_extraction
from memoryhub.evaluation.extraction_report import ExtractionReport, misses_of, report_extraction
from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.evaluation.utterances import HALVES, Half, UnreadableUtterances, read_utterances
from memoryhub.exceptions import ModelUnavailable
from memoryhub.language.chat import current_chat
from memoryhub.writing.reading import ExtractorName


class Command(BaseCommand):
    help = "Precision and recall per kind and language on labelled utterances, and how many negatives are stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--extractor", choices=["rules", "model", "both"], default="rules")
        parser.add_argument("--half", choices=[*HALVES, "both"], default="both")
        parser.add_argument(
            "--misses", action="store_true", help="list what is missed or wrong in the develop half"
        )
        parser.add_argument("--json", metavar="PATH", help="also write the reports as JSON")
        bounds = "over form fields in each language: exit status 1 when it is"
        parser.add_argument("--min-precision", type=float, metavar="X", help=f"{bounds} below")
        parser.add_argument("--min-recall", type=float, metavar="X", help=f"{bounds} below")
        parser.add_argument(
            "--max-stored-negatives",
            type=float,
            metavar="X",
            help="exit status 1 when a larger share of a language's negatives is stored",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console()
        reports = []
        for extractor in _extractors(options["extractor"], console):
            for half in _halves(options["half"]):
                judged = _judge(half, extractor)
                reports.append(report_extraction(judged, half=half, extractor=extractor))
                console.print(reports[-1].as_table())
                if options["misses"] and half == "develop":
                    for line in misses_of(judged):
                        console.print(line, markup=False, highlight=False, soft_wrap=True)
        if options["json"]:
            told = [report.as_json() for report in reports]
            Path(options["json"]).write_text(json.dumps(told, indent=2) + "\n", "utf-8")
        _hold_bounds(reports, options)


def _extractors(wanted: str, console: Console) -> list[ExtractorName]:
    """Rules in place of a model that is not configured, and a sentence that says so."""
    if wanted == "rules":
        return ["rules"]
    if current_chat() is None:
        console.print(
            "No model is configured (MEMORYHUB_CHAT_URL, MEMORYHUB_CHAT_MODEL), so only the rules are run."
        )
        return ["rules"]
    return ["model"] if wanted == "model" else ["rules", "model"]


def _halves(wanted: str) -> list[Half]:
    return [half for half in HALVES if wanted in (half, "both")]


def _judge(half: Half, extractor: ExtractorName) -> list[Judged]:
    try:
        utterances = read_utterances(half)
    except UnreadableUtterances as error:
        raise CommandError(str(error)) from error
    with Progress(console=Console(stderr=True)) as bars, scratch_workspace(keep=False) as workspace:
        task = bars.add_task(f"{half}, {extractor}", total=len(utterances))
        try:
            return evaluate_extraction(
                utterances, workspace=workspace, extractor=extractor, progress=lambda: bars.advance(task)
            )
        except ModelUnavailable as error:
            raise CommandError(f"the model gives no answer: {error}") from error


def _hold_bounds(reports: list[ExtractionReport], options: dict[str, Any]) -> None:
    faults = [
        fault
        for report in reports
        for fault in report.faults(
            least_precision=options["min_precision"],
            least_recall=options["min_recall"],
            most_stored=options["max_stored_negatives"],
        )
    ]
    if faults:
        raise CommandError("\n".join(faults))
