"""The one door through which an owner's rows leave the database."""

from __future__ import annotations

import json
from typing import Literal
from uuid import UUID

from django.db import connection

from memoryhub.models import new_id


def purge(*, owner_id: UUID, reason: Literal["erasure", "retention", "test_data"]) -> dict[str, int]:
    """Delete everything of one owner, the owner included, leaf to root; answer the number of rows per table.

    Audited in the same transaction. Raises DataError for a blank owner or reason, and deletes nothing then.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT mh_purge(%s, %s, %s)", [owner_id, reason, new_id()])
        row = cursor.fetchone()
    assert row is not None
    counts: dict[str, int] = json.loads(row[0]) if isinstance(row[0], str) else row[0]
    return counts
