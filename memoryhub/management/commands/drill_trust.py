"""Promise 26: repetition and recall earn no trust, and no tier overwrites a higher one; the exit status says whether that held."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.evaluation.trust_drill import RECALLS, REPEATS, run_trust_drill
from memoryhub.management.checking import add_report_options, tell


class Command(BaseCommand):
    help = "Five writers against five standing values, 100 repeats by one source, 1,000 recalls."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--repeats", type=int, default=REPEATS)
        parser.add_argument("--recalls", type=int, default=RECALLS)
        add_report_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        with scratch_workspace(keep=options["keep"]) as workspace:
            checks = run_trust_drill(
                workspace,
                repeats=options["repeats"],
                recalls=options["recalls"],
                progress=lambda step: self.stderr.write(f"  {step} …"),
            )
        tell(checks, json_path=options["json"])
