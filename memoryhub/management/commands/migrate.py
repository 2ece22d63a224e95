"""Django's `migrate`, by the owner of the tables, followed by the grants."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands.migrate import Command as Migrate
from django.db import connections

from memoryhub import staff
from memoryhub.database import bootstrap
from memoryhub.database.roles import apply_grants


class Command(Migrate):
    """`--database` is `admin` unless said otherwise; the desk's groups and the grants follow every run."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="admin")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["database"] == "admin" and not settings.USES_EMBEDDED_DATABASE:
            self._prepare_server()
        super().handle(*args, **options)
        if options["plan"] or options["check_unapplied"] or options["database"] != "admin":
            return
        staff.ensure_groups(using="admin")
        tables = apply_grants(connections["admin"])
        if options["verbosity"]:
            self.stdout.write(f"Granted on {tables} tables.")

    def _prepare_server(self) -> None:
        try:
            bootstrap.prepare_external()
        except bootstrap.ServerUnsuitable as error:
            raise CommandError(str(error)) from None
