"""Poison a scratch workspace and take it back with one rollback; the exit status says whether every check held."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table

from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.evaluation.rollback_drill import RollbackDrillReport, run_rollback_drill


class Command(BaseCommand):
    help = "One agent writes 50 items and 20 values, 5 are derived, 100 recalls serve them: one rollback undoes all of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")
        parser.add_argument("--keep", action="store_true", help="keep the scratch workspace for looking at")

    def handle(self, *args: Any, **options: Any) -> None:
        with scratch_workspace(keep=options["keep"]) as workspace:
            report = run_rollback_drill(workspace, progress=lambda step: self.stderr.write(f"  {step} …"))
        Console().print(_table(report))
        if options["json"]:
            Path(options["json"]).write_text(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        if not report.holds:
            raise CommandError("not every check held")


def _table(report: RollbackDrillReport) -> Table:
    table = Table("check", "expected", "found", "", title=f"rollback of the poison: {report.seconds} s")
    for check in report.checks:
        table.add_row(
            check.name, _short(check.expected), _short(check.found), "ok" if check.holds else "FAILED"
        )
    return table


def _short(value: Any) -> str:
    text = f"{len(value)} entries" if isinstance(value, list) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
