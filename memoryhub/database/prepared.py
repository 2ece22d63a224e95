"""Cursors for the few statements that must be fast: bound and prepared on the server, vectors sent in binary.

Django binds parameters on the client, which costs the server a parse and a plan each time and turns a vector into text.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format


class HalfVec:
    """A vector to be bound as `%s::halfvec`; the cast tells the server the type, so no type id has to be looked up."""

    __slots__ = ("values",)

    def __init__(self, values: npt.NDArray[np.float32]) -> None:
        self.values = values


class _HalfVecDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: HalfVec) -> Buffer:
        head = np.array([len(obj.values), 0], dtype=">u2").tobytes()
        return head + obj.values.astype(">f2").tobytes()


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """A cursor on the current connection that reads binary results too.

    Wrappers and the query log of Django see its statements like any other. A jsonb column is to be cast to text.
    """
    connection.ensure_connection()
    raw: Any = psycopg.Cursor(connection.connection)
    raw.format = Format.BINARY
    raw.adapters.register_dumper(HalfVec, _HalfVecDumper)
    make = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    with make(raw) as cursor:
        yield cursor
