"""Whether the database is ready for a command: one sentence instead of a traceback when it is not."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

WHAT_TO_DO = "run `manage.py migrate` first (`make up` does it on its own)"


def check_migrated() -> None:
    """Raises CommandError when tables are missing, all of them or those of newer migrations."""
    connection = connections["admin" if "admin" in connections else "default"]
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise CommandError(f"the database cannot be read ({_first_line(error)}); {WHAT_TO_DO}") from error
    if waiting:
        raise CommandError(f"{len(waiting)} migrations are not applied to this database; {WHAT_TO_DO}")


def _first_line(error: DatabaseError) -> str:
    return str(error).partition("\n")[0]
