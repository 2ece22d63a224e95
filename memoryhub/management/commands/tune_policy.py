"""Which way to move a policy: replay a labelled set over a small grid of importance threshold, λ, top_k and budget."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from memoryhub.evaluation.dialogues import UnreadableFile
from memoryhub.evaluation.policy_cases import LabelledCase, read_cases
from memoryhub.evaluation.policy_tuning import Advice, Grid, Tried, Tuning, grid_around, tune_policy
from memoryhub.language.embedders import current_embedder
from memoryhub.language.embedders.cached import FileCachedEmbedder
from memoryhub.models import Workspace
from memoryhub.policies import Policy, current_policy

TROUBLES = {"lacking_background": "lacking background", "disturbed_by_old_matter": "disturbed by old matter"}


class Command(BaseCommand):
    help = "Missing and irrelevant context of a labelled set per setting, and which way to move."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", help="labelled cases, one JSON object per line (memoryhub/evaluation/data)"
        )
        parser.add_argument(
            "--workspace", metavar="SLUG", help="start from its policy in force (else: the defaults)"
        )
        for name, said in (
            ("importance", "importance thresholds"),
            ("decay", "λ: shares of recency lost per day"),
            ("top-k", "numbers of fragments"),
            ("budget", "budgets in tokens"),
        ):
            parser.add_argument(f"--{name}", metavar="A,B,…", type=_numbers, help=f"{said} to try")
        parser.add_argument("--json", metavar="PATH", help="also write everything as JSON")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            cases = read_cases(Path(file))
        except UnreadableFile as error:
            raise CommandError(str(error)) from error
        base = _base(options["workspace"])
        grid = grid_around(
            base,
            importances=options["importance"],
            decays=options["decay"],
            top_ks=options["top_k"],
            budgets=options["budget"],
        )
        tuning = _tune(cases, base, grid)
        _show(tuning)
        if options["json"]:
            Path(options["json"]).write_text(json.dumps(tuning.as_json(), indent=2) + "\n", "utf-8")


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def _base(slug: str | None) -> Policy:
    if slug is None:
        return Policy()
    workspace = Workspace.objects.filter(slug=slug).first()
    if workspace is None:
        raise CommandError(f"no workspace {slug}")
    return current_policy(workspace_id=workspace.id).policy


def _tune(cases: list[LabelledCase], base: Policy, grid: Grid) -> Tuning:
    embedder = FileCachedEmbedder(current_embedder(), settings.DATA_DIR / "cache" / "vectors.sqlite3")
    asked = sum(len(case.questions) for case in cases) * len(grid.settings)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        task = bars.add_task("questions", total=asked)
        return tune_policy(
            cases,
            base=base,
            grid=grid,
            embedder=embedder,
            told=lambda number: bars.advance(task, number),
        )


def _show(tuning: Tuning) -> None:
    # A pipe has no width; the table wants this much.
    console = Console(soft_wrap=True) if Console().is_terminal else Console(soft_wrap=True, width=120)
    table = Table(
        "importance",
        "λ per day",
        "top_k",
        "budget",
        "missing",
        "held back",
        "irrelevant",
        "held back",
        "tokens",
        "",
    )
    for tried in tuning.tried:
        marks = {id(tuning.base): "in force", id(tuning.best): "least errors"}
        table.add_row(*_cells(tried), marks.get(id(tried), ""))
    console.print(table)
    errors = tuning.base.errors
    console.print(
        f"In force: {errors['tuning'].questions} questions to tune on, {errors['held_back'].questions} held back;"
        f" {errors['tuning'].old} of {errors['tuning'].irrelevant} irrelevant lines are older than what was needed."
    )
    for advice in tuning.advice:
        console.print(_said(advice, tuning.base))
    if not any(advice.helps for advice in tuning.advice):
        console.print("No move of one number lessens an error that is worth it: leave it as it is.")


def _cells(tried: Tried) -> list[str]:
    setting, (tuning, held) = tried.setting, (tried.errors["tuning"], tried.errors["held_back"])
    return [
        f"{setting.importance:g}",
        f"{setting.decay:.4f}",
        str(setting.top_k),
        str(setting.budget),
        f"{tuning.missing_rate:.1%}",
        f"{held.missing_rate:.1%}",
        f"{tuning.irrelevant_rate:.1%}",
        f"{held.irrelevant_rate:.1%}",
        f"{tuning.tokens / max(tuning.questions, 1):.0f}",
    ]


def _said(advice: Advice, base: Tried) -> str:
    """'lacking background → lower the importance threshold (0.6 → 0.5): missing 18.2 % → 4.5 %, …'."""
    name = "missing_rate" if advice.trouble == "lacking_background" else "irrelevant_rate"
    other = "irrelevant_rate" if name == "missing_rate" else "missing_rate"
    before, after = base.errors, advice.tried.errors

    def moved(rate: str, part: Any) -> str:
        return f"{getattr(before[part], rate):.1%} → {getattr(after[part], rate):.1%}"

    words = {"missing_rate": "missing", "irrelevant_rate": "irrelevant"}
    doubt = "" if advice.is_confirmed else ", not confirmed" if advice.helps else ""
    return (
        f"{TROUBLES[advice.trouble]} → {advice.move} to {_moved_to(advice)}:"
        f"{'' if advice.helps else ' does not help,'} {words[name]} {moved(name, 'tuning')}"
        f" (held back {moved(name, 'held_back')}{doubt}), {words[other]} {moved(other, 'tuning')}"
    )


def _moved_to(advice: Advice) -> str:
    setting = advice.tried.setting
    if "importance" in advice.move:
        return f"{setting.importance:g}"
    if "λ" in advice.move:
        return f"{setting.decay:.4f}"
    return str(setting.top_k if "top_k" in advice.move else setting.budget)
