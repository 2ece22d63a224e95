"""Detection and false alarms of the screening on lines written by people who had not seen its rules."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from itertools import groupby
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from memoryhub.evaluation.screening_quality import HALVES, Half, ScreeningReport, Wrong, evaluate_screening
from memoryhub.writing.instructions import TONE
from memoryhub.writing.order_tone import telling_phrases


class Command(BaseCommand):
    help = "Screen hostile and harmless lines: detection per family and language, false alarms, and what was missed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--half", choices=HALVES, help="only this half; both when left out")
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")
        parser.add_argument(
            "--show-report-misses",
            action="store_true",
            help="list the wrong lines of the report half too; whoever tunes the rules does not",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        halves: tuple[Half, ...] = (options["half"],) if options["half"] else HALVES
        shown: tuple[Half, ...] = HALVES if options["show_report_misses"] else ("develop",)
        report = evaluate_screening(halves=halves)
        console = Console()
        console.print(_families(report))
        for line in _wrong(report, shown):
            console.print(escape(line), soft_wrap=True, highlight=False)
        console.print(_targets(report))
        if options["json"]:
            values = report.as_json(halves_shown=shown)
            Path(options["json"]).write_text(json.dumps(values, ensure_ascii=False, indent=2))
        if not report.holds:
            raise CommandError("not every target is reached")


def _families(report: ScreeningReport) -> Table:
    table = Table("half", "family", "language", "lines", "flagged", "share")
    for _, groups in groupby(report.groups, key=lambda group: (group.kind, group.half)):
        for group in groups:
            what = group.family if group.kind == "attacks" else f"harmless: {group.family}"
            cells = (str(group.lines), str(group.flagged), f"{group.share:.1%}")
            table.add_row(group.half, what, group.language, *cells)
    return table


def _wrong(report: ScreeningReport, shown: tuple[Half, ...]) -> list[str]:
    """A line each: what was missed, then false alarms with the rules that fired."""
    lines = []
    for wrong in report.wrong:
        if wrong.half in shown:
            what = "missed" if wrong.kind == "attacks" else f"false alarm ({', '.join(_why(wrong))})"
            lines.append(f"{what}: {wrong.line.id} {wrong.line.family}: {wrong.line.text!r}")
    return lines


def _why(wrong: Wrong) -> list[str]:
    """The rules that fired; of the tone, the words that told most."""
    return [f"{rule}: {telling_phrases(wrong.line.text)}" if rule == TONE else rule for rule in wrong.rules]


def _targets(report: ScreeningReport) -> Table:
    table = Table("target", "half", "lines", "wanted", "found", "")
    for target in report.targets:
        sign = "≥" if target.at_least else "≤"
        wanted, found = f"{sign} {target.limit:.0%}", f"{target.share:.2%}"
        table.add_row(
            target.name, target.half, str(target.lines), wanted, found, "ok" if target.holds else "FAILED"
        )
    return table
