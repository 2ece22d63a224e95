"""How a drill's command tells what was found: a table, JSON when asked, and the exit status."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError
from rich.console import Console

from memoryhub.evaluation.checks import Checks


def add_report_options(parser: ArgumentParser, *, has_workspace: bool = True) -> None:
    """`--json`, and `--keep` for a drill in a scratch workspace."""
    parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")
    if has_workspace:
        parser.add_argument("--keep", action="store_true", help="keep the scratch workspace for looking at")


def tell(checks: Checks, *, json_path: str | None) -> None:
    """Print the checks and write them where asked. Raises CommandError when one does not hold."""
    Console().print(checks.as_table())
    if json_path:
        told = json.dumps(checks.as_json(), default=str, ensure_ascii=False, indent=2)
        Path(json_path).write_text(told, encoding="utf-8")
    if not checks.holds:
        raise CommandError("not every check held")
