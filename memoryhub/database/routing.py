"""Migrations go through `admin` (the owner of the tables) and never through `default` (the runtime role)."""

from __future__ import annotations

from typing import Any


class MigrationRouter:
    """Reads and writes stay on `default`; only `admin` may change the schema."""

    def allow_migrate(self, db: str, app_label: str, model_name: str | None = None, **hints: Any) -> bool:
        return db == "admin"

    def allow_relation(self, obj1: Any, obj2: Any, **hints: Any) -> bool:
        """Both aliases are one database."""
        return True
