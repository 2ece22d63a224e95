"""Poison a scratch workspace and take it back with one rollback; the exit status says whether every check held."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.evaluation.rollback_drill import run_rollback_drill
from memoryhub.management.checking import add_report_options, tell


class Command(BaseCommand):
    help = "One agent writes 50 items and 20 values, 5 are derived, 100 recalls serve them: one rollback undoes all of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_report_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        with scratch_workspace(keep=options["keep"]) as workspace:
            checks = run_rollback_drill(workspace, progress=lambda step: self.stderr.write(f"  {step} …"))
        tell(checks, json_path=options["json"])
