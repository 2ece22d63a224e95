"""A command on a database that is not ready says so in one sentence."""

from __future__ import annotations

import pytest
from django.core.management.base import CommandError
from django.db import connections

from memoryhub.management.migrated import check_migrated


def test_a_missing_migration_is_one_sentence_that_says_what_to_do(committing_db: str) -> None:
    check_migrated()
    with connections["admin"].cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    with pytest.raises(CommandError, match=r"1 migrations are not applied .* `manage.py migrate` first"):
        check_migrated()


def test_a_database_without_any_table_is_one_sentence_too(committing_db: str) -> None:
    with connections["admin"].cursor() as cursor:
        cursor.execute("DROP TABLE django_migrations")
    with pytest.raises(CommandError, match="migrations are not applied"):
        check_migrated()
