"""Two policies side by side: the figures of a trial with their intervals, as the desk shows them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console
from rich.table import Table

from memoryhub.evaluation.ab_comparing import Comparison, Figure, compare_trial
from memoryhub.evaluation.intervals import FEW, Estimate
from memoryhub.models import PolicyTrial, Workspace

WORDS = {
    "answered": "anything told",
    "hit": "hit rate (judged recalls that told something used)",
    "pollution": "pollution rate (judged lines useless or harmful)",
    "stale": "stale told (lines that did not hold any more)",
    "repeated": "asked again within 7 days",
    "resolved": "resolved at first contact",
    "tokens": "tokens of an answer",
    "milliseconds": "milliseconds of a recall",
}


class Command(BaseCommand):
    help = "The figures of a trial: both policies, the difference and 95 % intervals, reckoned by owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--workspace", metavar="SLUG", help="needed where there are several")
        parser.add_argument(
            "--trial", type=int, metavar="N", help="number of the trial (else: the newest that ran)"
        )
        parser.add_argument("--json", metavar="PATH", help="also write the figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        comparison = compare_trial(
            trial=_trial(_workspace(options["workspace"]), options["trial"]), now=timezone.now()
        )
        if comparison is None:
            raise CommandError("this trial never ran")
        _show(comparison)
        if options["json"]:
            Path(options["json"]).write_text(json.dumps(comparison.as_json(), indent=2) + "\n", "utf-8")


def _workspace(slug: str | None) -> Workspace:
    found = Workspace.objects.filter(is_scratch=False)
    chosen = list(found.filter(slug=slug) if slug else found[:2])
    if len(chosen) != 1:
        raise CommandError(f"no workspace {slug}" if slug else "name the workspace")
    return chosen[0]


def _trial(workspace: Workspace, number: int | None) -> PolicyTrial:
    trials = PolicyTrial.objects.filter(workspace=workspace).select_related("version", "control")
    trial = (
        trials.filter(started_at__isnull=False).order_by("-number").first()
        if number is None
        else trials.filter(number=number).first()
    )
    if trial is None:
        raise CommandError("no trial ran yet" if number is None else f"no trial {number}")
    return trial


def _show(comparison: Comparison) -> None:
    trial = comparison.trial
    table = Table(
        "figure",
        f"in force: version {trial.control.number}",
        f"in trial: version {trial.version.number}",
        "difference",
        "",
    )
    for figure in comparison.figures:
        verdict = figure.verdict.replace("_", " ")
        table.add_row(
            WORDS[figure.name],
            _said(figure.control, figure),
            _said(figure.trial, figure),
            _apart(figure),
            verdict,
        )
    # A pipe has no width; the table wants this much.
    console = Console() if Console().is_terminal else Console(width=140)
    console.print(
        f"trial {trial.number}, {trial.state}, {trial.share} % of the owners since {comparison.since:%Y-%m-%d %H:%M} UTC"
    )
    console.print(table)
    for side, (p50, p95) in comparison.percentiles.items():
        console.print(f"{side}: half the recalls took up to {p50:.0f} ms, 19 of 20 up to {p95:.0f} ms")
    console.print(f"95 % intervals, reckoned by owner; fewer than {FEW} cases: no rate.")


def _said(estimate: Estimate, figure: Figure) -> str:
    counted = f"n = {estimate.n}, {estimate.clusters} owners"
    if estimate.value is None:
        return f"too few ({counted})"
    return f"{_number(estimate.value, figure)}{_interval(estimate.low, estimate.high, figure)}\n{counted}"


def _apart(figure: Figure) -> str:
    difference = figure.difference
    if difference.value is None:
        return "—"
    sign = "+" if difference.value > 0 else ""
    return f"{sign}{_number(difference.value, figure)}{_interval(difference.low, difference.high, figure)}"


def _interval(low: float | None, high: float | None, figure: Figure) -> str:
    return "" if low is None or high is None else f" ({_number(low, figure)} to {_number(high, figure)})"


def _number(value: float, figure: Figure) -> str:
    return f"{value:.1%}" if figure.kind == "share" else f"{value:.1f}"
