"""Cursor pages that neither repeat nor skip a row: the order always ends in a unique column, and a cursor is a place in it.

Rows that arrive or vanish while somebody pages cannot shift the others, because nothing is counted from the start.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from django.core.exceptions import BadRequest
from django.db.models import Q

PAGE_SIZE = 25

type Key = tuple[str, ...]
type Direction = Literal["older", "newer"]


class Placed(Protocol):
    """A row that knows its place in the order, as strings."""

    @property
    def place(self) -> Key: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Cursor:
    """Everything after (`older`) or before (`newer`) `place` in the list's order."""

    direction: Direction
    place: Key

    def encode(self) -> str:
        raw = json.dumps([self.direction, *self.place], ensure_ascii=False).encode()
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_cursor(text: str, *, parts: int) -> Cursor | None:
    """The cursor of a query string, None for the first page. Raises BadRequest when it was not made by us."""
    if not text:
        return None
    try:
        direction, *place = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, TypeError) as error:
        raise BadRequest("cursor") from error
    if (
        direction not in ("older", "newer")
        or len(place) != parts
        or not all(isinstance(part, str) for part in place)
    ):
        raise BadRequest("cursor")
    return Cursor(direction=direction, place=tuple(place))


@dataclass(frozen=True, kw_only=True, slots=True)
class Page[Row: Placed]:
    """One page in the list's order, with the cursors of its neighbours ('' where there is none)."""

    rows: Sequence[Row]
    older: str = ""
    newer: str = ""


def page_of[Row: Placed](found: Sequence[Row], *, cursor: Cursor | None, size: int = PAGE_SIZE) -> Page[Row]:
    """A page from up to `size + 1` rows, read in the cursor's direction (for `newer`: backwards)."""
    backwards = cursor is not None and cursor.direction == "newer"
    more = len(found) > size
    rows = list(found[:size])
    if backwards:
        rows.reverse()
    has_older, has_newer = (True, more) if backwards else (more, cursor is not None)
    return Page(
        rows=rows,
        older=Cursor(direction="older", place=rows[-1].place).encode() if rows and has_older else "",
        newer=Cursor(direction="newer", place=rows[0].place).encode() if rows and has_newer else "",
    )


def moment_place(at: datetime, row_id: UUID) -> Key:
    return (at.isoformat(), str(row_id))


def moment_of(cursor: Cursor) -> tuple[datetime, UUID]:
    """The place of a list ordered by (time, id). Raises BadRequest when it is none."""
    try:
        at, row_id = datetime.fromisoformat(cursor.place[0]), UUID(cursor.place[1])
    except ValueError as error:
        raise BadRequest("cursor") from error
    if at.tzinfo is None:
        raise BadRequest("cursor")
    return at, row_id


def beyond(cursor: Cursor | None, *, column: str) -> Q:
    """Rows past the cursor in a list ordered newest first by (`column`, id)."""
    if cursor is None:
        return Q()
    at, row_id = moment_of(cursor)
    step = "lt" if cursor.direction == "older" else "gt"
    # The first, looser bound lets the index find the place; the second is exact.
    return Q(**{f"{column}__{step}e": at}) & (Q(**{f"{column}__{step}": at}) | Q(**{f"id__{step}": row_id}))


def order(cursor: Cursor | None, *, column: str) -> tuple[str, str]:
    backwards = cursor is not None and cursor.direction == "newer"
    return (column, "id") if backwards else (f"-{column}", "-id")
