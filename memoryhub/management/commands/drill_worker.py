"""Kill the worker again and again while events are recorded, and check that each takes effect exactly once."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from memoryhub.database.purge import purge
from memoryhub.evaluation.drills import DrillReport, run_drill
from memoryhub.models import Owner, WorkerBeat, Workspace

ALIVE_WITHIN = timedelta(seconds=15)


class Command(BaseCommand):
    help = "Kill the worker at random moments while events are recorded into a scratch workspace; count the effects."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--kills", type=int, default=20)
        parser.add_argument("--events", type=int, default=200)
        parser.add_argument("--seed", type=int, default=0, help="the same seed kills after the same times")
        parser.add_argument("--keep", action="store_true", help="keep what was recorded, for a look")
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")

    def handle(
        self, *args: Any, kills: int, events: int, seed: int, keep: bool, json: str | None, **options: Any
    ) -> None:
        if WorkerBeat.objects.filter(seen_at__gt=timezone.now() - ALIVE_WITHIN).exists():
            raise CommandError("another worker runs on this database and would do the work: stop it first")
        with Progress(console=Console(stderr=True)) as bars:
            task = bars.add_task("kills", total=kills)
            workspace, report = run_drill(
                kills=kills, events=events, seed=seed, progress=lambda kill: bars.update(task, completed=kill)
            )
        _report(report, json)
        if not keep:
            _clear(workspace)
        if not report.holds:
            raise CommandError("the promise does not hold: each event exactly once, and nothing stuck")


def _report(report: DrillReport, path: str | None) -> None:
    table = Table("what", "found", title="worker killed while events were recorded")
    for name, value in report.as_json().items():
        table.add_row(name.replace("_", " "), str(value))
    Console().print(table)
    if path:
        Path(path).write_text(json.dumps(report.as_json(), indent=2), encoding="utf-8")


def _clear(workspace: Workspace) -> None:
    for owner_id in Owner.objects.filter(workspace=workspace).values_list("id", flat=True):
        purge(owner_id=owner_id, reason="test_data")
