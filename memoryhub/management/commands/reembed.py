"""Give everything vectors of the embedding model that the settings name, then switch to it. Safe to stop and to run again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryhub.reembedding import reembed


class Command(BaseCommand):
    help = "Embed what has no vector of the current embedding model yet and switch to that model when nothing is missing."

    def handle(self, *args: Any, **options: Any) -> None:
        done = reembed(report=self._told if options["verbosity"] > 1 else lambda stored, missing: None)
        self.stdout.write(f"{done.model} ({done.dims} dimensions): {done.stored} vectors made.")
        if done.skipped_owners:
            self.stdout.write(f"{done.skipped_owners} owners are frozen or being erased and were left alone.")
        if done.missing:
            raise CommandError(
                f"{done.missing} entries are still without a vector: the model did not answer for them. The earlier vectors "
                "stay, these entries are found by their words. Run it again to go on."
            )
        self.stdout.write("Nothing is missing; this is the current model.")

    def _told(self, stored: int, missing: int) -> None:
        self.stdout.write(f"  {stored} made, {missing} failed")
