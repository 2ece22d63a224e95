"""Import conversations (public LoCoMo layout) or events (JSON lines) through the write path."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from memoryhub.evaluation.dialogues import UnreadableFile, read_dialogues
from memoryhub.evaluation.event_lines import read_event_lines
from memoryhub.evaluation.importing import (
    IMPORT_TIER,
    Imported,
    import_dialogue,
    import_event_lines,
    import_source,
)
from memoryhub.models import Workspace
from memoryhub.writing.source import Source


class Command(BaseCommand):
    help = "Import conversations or events. Run again after an interruption: what is there already is left as it is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", help="*.jsonl holds one event a line, anything else the LoCoMo JSON layout"
        )
        parser.add_argument("--workspace", metavar="SLUG", help="needed when there are several")
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")

    def handle(self, *args: Any, file: str, workspace: str | None, json: str | None, **options: Any) -> None:
        source = import_source(_workspace(workspace))
        try:
            imported = _import(Path(file), source)
        except UnreadableFile as error:
            raise CommandError(str(error)) from error
        _report(imported, json)
        if any(owner.refused for owner in imported):
            raise CommandError("some events were refused")


def _workspace(slug: str | None) -> Workspace:
    candidates = list(Workspace.objects.filter(is_scratch=False, **({"slug": slug} if slug else {}))[:2])
    if len(candidates) != 1:
        raise CommandError(
            "no such workspace" if slug or not candidates else "several workspaces: name one with --workspace"
        )
    return candidates[0]


def _import(path: Path, source: Source) -> list[Imported]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        tasks = {step: bars.add_task(step, total=None) for step in ("turns", "vectors")}

        def tick(step: str, count: int) -> None:
            bars.advance(tasks[step], count)

        if path.suffix == ".jsonl":
            bars.update(tasks["turns"], total=sum(1 for _ in read_event_lines(path)))
            return import_event_lines(read_event_lines(path), source=source, progress=tick)
        dialogues = read_dialogues(path)
        bars.update(tasks["turns"], total=sum(len(dialogue.turns) for dialogue in dialogues))
        return [import_dialogue(dialogue, source=source, progress=tick) for dialogue in dialogues]


def _report(imported: list[Imported], path: str | None) -> None:
    table = Table(
        "owner", "recorded", "known before", "refused", title=f"imported at trust tier {IMPORT_TIER}"
    )
    rows = [
        {"owner": owner.ref, "recorded": owner.recorded, "known": owner.known, "refused": owner.refused}
        for owner in imported
    ]
    for owner in imported:
        table.add_row(owner.ref, str(owner.recorded), str(owner.known), "\n".join(owner.refused) or "0")
    Console().print(table)
    if path:
        Path(path).write_text(json.dumps({"owners": rows}, ensure_ascii=False, indent=2), "utf-8")
