"""Cursor pages over an order that ends in a unique id: rows that come or go meanwhile shift nothing.

A cursor is the place of a row in the order, not an offset: `next` goes on after the last row served, `previous` ends before
the first one. It carries no secret and opens nothing: every page is looked up under the caller's own owner again.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from django.utils.dateparse import parse_datetime
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from memoryhub.exceptions import InvalidInput

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
MAX_CURSOR = 2_000


@dataclass(frozen=True, slots=True)
class Cursor:
    """`backwards`: the page before the place, not after it."""

    place: tuple[Any, ...]
    backwards: bool = False

    def encode(self) -> str:
        values = [value.isoformat() if isinstance(value, date) else str(value) for value in self.place]
        text = json.dumps([int(self.backwards), *values], ensure_ascii=False, separators=(",", ":"))
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Order:
    """Field paths, the last one unique, all rising or all falling. `kinds` are the types of their values."""

    fields: tuple[str, ...]
    kinds: tuple[type, ...]
    falling: bool = True

    def applied(self, rows: QuerySet[Any], *, reverse: bool) -> QuerySet[Any]:
        sign = "-" if self.falling != reverse else ""
        return rows.order_by(*(sign + field for field in self.fields))

    def beyond(self, place: tuple[Any, ...], *, reverse: bool) -> Q:
        """The rows after a place (before it with `reverse`). The first line lets an index bound the scan."""
        comparison = "lt" if self.falling != reverse else "gt"
        found = Q(**{f"{self.fields[-1]}__{comparison}": place[-1]})
        for field, value in list(zip(self.fields, place, strict=True))[-2::-1]:
            found = Q(**{f"{field}__{comparison}": value}) | Q(**{field: value}) & found
        return Q(**{f"{self.fields[0]}__{comparison}e": place[0]}) & found

    def place_of(self, row: Model) -> tuple[Any, ...]:
        place = []
        for path in self.fields:
            value: Any = row
            for name in path.split("__"):
                value = getattr(value, name)
            place.append(value)
        return tuple(place)

    def read(self, text: str) -> Cursor:
        """The cursor of a text. Raises InvalidInput for anything we did not write for this order."""
        try:
            if len(text) > MAX_CURSOR:
                raise ValueError("too long")
            backwards, *values = json.loads(
                base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
            )
            if backwards not in (0, 1):
                raise ValueError("no direction")
            place = tuple(_typed(value, kind) for value, kind in zip(values, self.kinds, strict=True))
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, binascii.Error):
            raise InvalidInput("not a cursor of this list", field="cursor", code="bad_cursor") from None
        return Cursor(place, backwards=bool(backwards))


@dataclass(frozen=True, slots=True)
class Page:
    rows: Sequence[Any]
    next: Cursor | None
    previous: Cursor | None

    def answered(self, request: Request, results: Iterable[Any]) -> dict[str, Any]:
        """The body of a list answer."""
        return {
            "results": results,
            "next": _link(request, self.next),
            "previous": _link(request, self.previous),
        }


def take_page(request: Request, rows: QuerySet[Any], *, order: Order) -> Page:
    """One page of `rows`: two statements with a cursor, one without. Raises InvalidInput for a bad cursor or limit."""
    limit = _limit(request)
    text = request.query_params.get("cursor")
    cursor = order.read(text) if text is not None else None
    backwards = cursor is not None and cursor.backwards
    found = order.applied(rows, reverse=backwards)
    if cursor:
        found = found.filter(order.beyond(cursor.place, reverse=backwards))
    taken = list(found[: limit + 1])
    more = len(taken) > limit
    taken = taken[:limit]
    behind = cursor is not None and _anything_behind(rows, order, cursor, taken)
    if backwards:
        taken.reverse()
    has_next, has_previous = (behind, more) if backwards else (more, behind)
    if not taken:
        return Page(taken, None, Cursor(cursor.place, backwards=True) if cursor and has_previous else None)
    return Page(
        taken,
        Cursor(order.place_of(taken[-1])) if has_next else None,
        Cursor(order.place_of(taken[0]), backwards=True) if has_previous else None,
    )


def _anything_behind(rows: QuerySet[Any], order: Order, cursor: Cursor, taken: Sequence[Any]) -> bool:
    """Whether there are rows on the side the page was not read towards."""
    place = order.place_of(taken[0]) if taken else cursor.place
    return rows.filter(order.beyond(place, reverse=not cursor.backwards)).exists()


def _limit(request: Request) -> int:
    text = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_LIMIT):
        raise InvalidInput(
            f"limit is 1 to {MAX_LIMIT}", field="limit", code="bad_limit", details={"most": MAX_LIMIT}
        )
    return int(text)


def _typed(value: Any, kind: type) -> Any:
    if not isinstance(value, str) or "\x00" in value:
        raise ValueError("not text")
    value.encode()
    if kind is datetime:
        moment = parse_datetime(value)
        if moment is None or moment.tzinfo is None:
            raise ValueError("not an instant")
        return moment.astimezone(UTC)
    if kind is int:
        number = int(value) if len(value) < 19 else None
        if number is None:
            raise ValueError("not a number")
        return number
    return UUID(value) if kind is UUID else value


def _link(request: Request, cursor: Cursor | None) -> str | None:
    if cursor is None:
        return None
    return replace_query_param(request.build_absolute_uri(), "cursor", cursor.encode())
