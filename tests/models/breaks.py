"""A sound row with something broken in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.models.sound_rows import Model

UNIQUE, CHECK, EXCLUSION = "23505", "23514", "23P01"
NAN = float("nan")


@dataclass(frozen=True)
class Break:
    """Insert a sound row with these columns changed; the named constraint says no."""

    model: Model
    name: str
    state: str
    columns: dict[str, Any] = field(default_factory=dict)
    note: str = ""

    def __str__(self) -> str:
        return f"{self.model.__name__}-{self.name}{self.note}"


def shares(
    model: Model, *columns: str, called: str = "", others: dict[str, Any] | None = None
) -> list[Break]:
    """Each share below 0, above 1 and not a number (which PostgreSQL sorts above everything)."""
    return [
        Break(
            model,
            f"{called or f'{model.__name__.lower()}_{column}'}_is_a_share",
            CHECK,
            (others or {}) | {column: wrong},
            f"-{wrong}",
        )
        for column in columns
        for wrong in (-0.01, 1.01, NAN)
    ]
