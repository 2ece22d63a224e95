"""Replay a labelled set under a version of a policy and note how much of what it tells is beside the point."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memoryhub.evaluation.dialogues import UnreadableFile
from memoryhub.evaluation.intervals import wilson
from memoryhub.evaluation.policy_cases import read_cases
from memoryhub.evaluation.policy_replay import measure_version
from memoryhub.exceptions import NotFound
from memoryhub.language.embedders import current_embedder
from memoryhub.language.embedders.cached import FileCachedEmbedder
from memoryhub.models import Workspace
from memoryhub.policy_measuring import LEAST_JUDGED
from memoryhub.policy_versions import find_version


class Command(BaseCommand):
    help = "Measure a policy on a labelled set, so that one which tells more may come into force."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", help="labelled cases, one JSON object per line (memoryhub/evaluation/data)"
        )
        parser.add_argument("--workspace", required=True, metavar="SLUG")
        parser.add_argument("--number", required=True, type=int, help="of the version")

    def handle(self, *args: Any, file: str, workspace: str, number: int, **options: Any) -> None:
        found = Workspace.objects.filter(slug=workspace).first()
        if found is None:
            raise CommandError(f"no workspace {workspace}")
        try:
            version, cases = find_version(found.id, number), read_cases(Path(file))
        except NotFound:
            raise CommandError(f"no version {number} in {workspace}") from None
        except UnreadableFile as error:
            raise CommandError(str(error)) from error
        embedder = FileCachedEmbedder(current_embedder(), settings.DATA_DIR / "cache" / "vectors.sqlite3")
        noted = measure_version(version, cases, path=Path(file), embedder=embedder)
        low, high = wilson(noted.polluted / max(noted.lines, 1), max(noted.lines, 1), 1.96)
        self.stdout.write(
            f"version {number}: {noted.polluted} of {noted.lines} lines beside the point"
            f" ({noted.polluted / max(noted.lines, 1):.1%}, {low:.1%} to {high:.1%}),"
            f" {noted.missing} of {noted.needed} needed memories missing, {noted.questions} questions"
        )
        if noted.lines < LEAST_JUDGED:
            self.stdout.write(
                f"{LEAST_JUDGED} lines are needed before a policy that tells more comes into force"
            )
