"""Let a model provider fail in every way while events come in; the exit status says whether nothing was lost."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console
from rich.table import Table

from memoryhub.evaluation.provider_drill import ProviderDrillReport, run_provider_drill
from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.jobs.tasks import run_job
from memoryhub.models import WorkerBeat

ALIVE_WITHIN = timedelta(seconds=15)


class Command(BaseCommand):
    help = "Chat and embeddings time out, refuse, break off and answer wrongly: no fact lost, no wrong vector, backlog drained."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--events", type=int, default=10, help="for each fault and owner")
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")
        parser.add_argument("--keep", action="store_true", help="keep the scratch workspace for looking at")

    def handle(self, *args: Any, **options: Any) -> None:
        if WorkerBeat.objects.filter(seen_at__gt=timezone.now() - ALIVE_WITHIN).exists():
            raise CommandError("another worker runs on this database and would do the work: stop it first")
        with scratch_workspace(keep=options["keep"]) as workspace:
            report = run_provider_drill(
                workspace,
                run_job=run_job,
                events_per_fault=options["events"],
                progress=lambda fault: self.stderr.write(f"  {fault} …"),
            )
        _print(report)
        if options["json"]:
            Path(options["json"]).write_text(json.dumps(report.as_json(), indent=2), encoding="utf-8")
        if not report.holds:
            raise CommandError("the promise does not hold: no fact lost, no wrong vector, nothing left to do")


def _print(report: ProviderDrillReport) -> None:
    faults = Table(
        "fault", "events recorded", "recalls answered", "visible as failed", title="while it lasted"
    )
    for found in report.faults:
        faults.add_row(found.fault, str(found.events), str(found.recalls), str(found.failed_visibly))
    Console().print(faults)
    table = Table("what", "found", title="after the recovery")
    for name, value in report.as_json().items():
        if name != "faults":
            table.add_row(name.replace("_", " "), str(value))
    Console().print(table)
