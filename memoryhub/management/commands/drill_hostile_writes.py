"""Promise 24: no hostile text of a tier-1 key is recalled without a person; the exit status says whether that held."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.evaluation.hostile_writes import attack_texts, run_hostile_writes
from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.management.checking import add_report_options, tell


class Command(BaseCommand):
    help = "Write every attack line with a tier-1 key along every way in, then try to recall it: nothing may come back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--texts", type=int, help="only so many of the lines, evenly chosen")
        add_report_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        texts = attack_texts()
        if options["texts"]:
            texts = texts[:: max(len(texts) // options["texts"], 1)]
        with scratch_workspace(keep=options["keep"]) as workspace:
            checks = run_hostile_writes(
                workspace, texts=texts, progress=lambda step: self.stderr.write(f"  {step} …")
            )
        tell(checks, json_path=options["json"])
