"""Promise 27: no hostile memory breaks out of the block a model reads; the exit status says whether that held."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from memoryhub.evaluation.fence_drill import MEMORIES, run_fence_drill


class Command(BaseCommand):
    help = "Assemble 10,000 hostile memories into blocks: one pair of delimiters, exact round trip, budget kept, source and tier on each line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--memories", type=int, default=MEMORIES)
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        checks = run_fence_drill(memories=options["memories"])
        Console().print(checks.as_table())
        if options["json"]:
            Path(options["json"]).write_text(
                json.dumps(checks.as_json(), default=str, ensure_ascii=False, indent=2)
            )
        if not checks.holds:
            raise CommandError("not every check held")
