"""Reads of different shapes come back from one statement as they would alone."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.database.prepared import prepared_cursor
from memoryhub.recall.together import Read, read_together

pytestmark = pytest.mark.django_db

AT = datetime(2026, 3, 1, 8, 30, 15, 123456, tzinfo=UTC)
ID = UUID(int=7)
SHAPES = Read(
    "SELECT %(id)s::uuid AS a, %(at)s::timestamptz AS a, ARRAY['茶', 'tea'] AS tags, '\\x00ff'::bytea, NULL::text",
    {"id": ID, "at": AT},
)
NUMBERS = Read(
    "WITH n AS (SELECT generate_series(3, 1, -1) AS i) SELECT n.i, 0.5::real FROM n ORDER BY n.i DESC", {}
)
NONE = Read("SELECT 1 WHERE false", {})


def test_each_row_keeps_its_types_and_its_order() -> None:
    with CaptureQueriesContext(connection) as captured, prepared_cursor() as cursor:
        rows = read_together(cursor, {"shapes": SHAPES, "numbers": NUMBERS, "none": NONE})
    assert len(captured) == 1
    assert rows["shapes"] == [(ID, AT, ["茶", "tea"], b"\x00\xff", None)]
    assert rows["shapes"][0][1].utcoffset() is not None
    assert rows["numbers"] == [(3, 0.5), (2, 0.5), (1, 0.5)]
    assert rows["none"] == []


def test_nothing_to_read_asks_nothing() -> None:
    with CaptureQueriesContext(connection) as captured, prepared_cursor() as cursor:
        assert read_together(cursor, {}) == {}
    assert len(captured) == 0
