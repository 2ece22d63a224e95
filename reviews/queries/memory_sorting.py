"""The columns that the explorer's list is sorted by, and pages of it in each order. The order ends in the id, so it is total."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import BadRequest
from django.db.models import Q

from reviews.paging import Cursor, Key

COLUMNS: Final = {
    "": "known_from",
    "importance": "importance",
    "confidence": "confidence",
    "strength": "strength_anchor",
}
"""By what; '' is when it was learned."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sorting:
    """A column, and whether the list begins with the least of it instead of the most."""

    by: str = ""
    is_rising: bool = False

    @property
    def column(self) -> str:
        return COLUMNS[self.by]

    def order(self, cursor: Cursor | None) -> tuple[str, str]:
        sign = "" if self._reads_rising(cursor) else "-"
        return f"{sign}{self.column}", f"{sign}id"

    def beyond(self, cursor: Cursor | None) -> Q:
        """Rows past the cursor. Raises BadRequest for a place that this order does not have."""
        if cursor is None:
            return Q()
        value, row_id = self._read(cursor)
        step = "gt" if self._reads_rising(cursor) else "lt"
        # The first, looser bound lets the index find the place; the second is exact.
        return Q(**{f"{self.column}__{step}e": value}) & (
            Q(**{f"{self.column}__{step}": value}) | Q(**{f"id__{step}": row_id})
        )

    def place_of(self, row: Any) -> Key:
        value = getattr(row, self.column)
        return (value.isoformat() if isinstance(value, datetime) else repr(value), str(row.id))

    def _reads_rising(self, cursor: Cursor | None) -> bool:
        backwards = cursor is not None and cursor.direction == "newer"
        return self.is_rising != backwards

    def _read(self, cursor: Cursor) -> tuple[datetime | float, UUID]:
        text, row_id = cursor.place
        try:
            value = float(text) if self.by else datetime.fromisoformat(text)
            if isinstance(value, datetime) and value.tzinfo is None:
                raise BadRequest("cursor")
            if isinstance(value, float) and not math.isfinite(value):
                raise BadRequest("cursor")
            return value, UUID(row_id)
        except ValueError as error:
            raise BadRequest("cursor") from error


LATEST_FIRST: Final = Sorting()


def read_sorting(text: str) -> Sorting:
    """The order of a query string: a column, with - in front rising; what is none is the usual order."""
    by = text.removeprefix("-")
    if by == "learned":
        by = ""
    return Sorting(by=by, is_rising=text.startswith("-")) if by in COLUMNS else LATEST_FIRST
