"""Promise 27: no hostile memory breaks out of the block a model reads; the exit status says whether that held."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.evaluation.fence_drill import MEMORIES, run_fence_drill
from memoryhub.management.checking import add_report_options, tell


class Command(BaseCommand):
    help = "Assemble 10,000 hostile memories into blocks: one pair of delimiters, exact round trip, budget kept, source and tier on each line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--memories", type=int, default=MEMORIES)
        add_report_options(parser, has_workspace=False)

    def handle(self, *args: Any, **options: Any) -> None:
        checks = run_fence_drill(memories=options["memories"])
        tell(checks, json_path=options["json"])
