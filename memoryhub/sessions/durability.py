"""Working memory is written without waiting for the disk: a crash of PostgreSQL may lose the last 0.6 s of it."""

from __future__ import annotations

from django.db import connection


def commit_asynchronously() -> None:
    """Let the current transaction commit without waiting; nothing else of the connection is changed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('synchronous_commit', 'off', true)")
