"""Several reads in one statement: each row comes as a record beside the name of the read it belongs to.

A round trip and a snapshot for all of them. The records carry their types (binary format), so a row reads as it would alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.backends.utils import CursorWrapper


@dataclass(frozen=True, slots=True)
class Read:
    """One SELECT. A parameter that several reads name must mean the same in all of them."""

    sql: str
    parameters: Mapping[str, Any]


def read_together(cursor: CursorWrapper, reads: Mapping[str, Read]) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of every read under its name, each in the order of its own statement; one statement in all, none for no reads.

    The cursor must read binary results (`prepared_cursor`). Names are written by us, never given from outside.
    """
    rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in reads}
    if not reads:
        return rows
    parameters: dict[str, Any] = {}
    for read in reads.values():
        parameters |= read.parameters
    cursor.execute(statement_of(reads), parameters)
    for name, row in cursor.fetchall():
        rows[name].append(row)
    return rows


def statement_of(reads: Mapping[str, Read]) -> str:
    """The one statement."""
    return "\nUNION ALL\n".join(
        f"SELECT '{name}' AS read, r FROM ({read.sql.strip()}) r" for name, read in reads.items()
    )
