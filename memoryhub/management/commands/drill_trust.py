"""Promise 26: repetition and recall earn no trust, and no tier overwrites a higher one; the exit status says whether that held."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.evaluation.trust_drill import RECALLS, REPEATS, run_trust_drill


class Command(BaseCommand):
    help = "Five writers against five standing values, 100 repeats by one source, 1,000 recalls."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--repeats", type=int, default=REPEATS)
        parser.add_argument("--recalls", type=int, default=RECALLS)
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")
        parser.add_argument("--keep", action="store_true", help="keep the scratch workspace for looking at")

    def handle(self, *args: Any, **options: Any) -> None:
        with scratch_workspace(keep=options["keep"]) as workspace:
            checks = run_trust_drill(
                workspace,
                repeats=options["repeats"],
                recalls=options["recalls"],
                progress=lambda step: self.stderr.write(f"  {step} …"),
            )
        Console().print(checks.as_table())
        if options["json"]:
            Path(options["json"]).write_text(
                json.dumps(checks.as_json(), default=str, ensure_ascii=False, indent=2)
            )
        if not checks.holds:
            raise CommandError("not every check held")
