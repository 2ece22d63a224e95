"""Make and check what the first migration needs: server, roles, database, extension."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memoryhub.database import bootstrap, embedded


class Command(BaseCommand):
    """Safe to repeat; exit status 1 with one sentence when the server cannot be used."""

    help = "Prepare the embedded database, or check and prepare the server the URLs name."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if settings.USES_EMBEDDED_DATABASE:
                embedded.ensure_running(settings.DATA_DIR)
            else:
                bootstrap.prepare_external()
        except (embedded.DatabaseUnavailable, bootstrap.ServerUnsuitable) as error:
            raise CommandError(str(error)) from None
        self.stdout.write("The database is ready.")
