"""Promise 24: no hostile text of a tier-1 key is recalled without a person; the exit status says whether that held."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from memoryhub.evaluation.hostile_writes import attack_texts, run_hostile_writes
from memoryhub.evaluation.recall_quality import scratch_workspace


class Command(BaseCommand):
    help = "Write every attack line with a tier-1 key along every way in, then try to recall it: nothing may come back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--texts", type=int, help="only so many of the lines, evenly chosen")
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")
        parser.add_argument("--keep", action="store_true", help="keep the scratch workspace for looking at")

    def handle(self, *args: Any, **options: Any) -> None:
        texts = attack_texts()
        if options["texts"]:
            texts = texts[:: max(len(texts) // options["texts"], 1)]
        with scratch_workspace(keep=options["keep"]) as workspace:
            checks = run_hostile_writes(
                workspace, texts=texts, progress=lambda step: self.stderr.write(f"  {step} …")
            )
        Console().print(checks.as_table())
        if options["json"]:
            Path(options["json"]).write_text(
                json.dumps(checks.as_json(), default=str, ensure_ascii=False, indent=2)
            )
        if not checks.holds:
            raise CommandError("not every check held")
