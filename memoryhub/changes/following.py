"""How often a procedure was followed: counted where the procedure is kept, whoever's recall served it."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db import connection

from memoryhub.models import new_id

FOLLOWED = "procedure"
"""What a count of this kind is of; its target is the id the memory is known by."""

_COUNT = """
INSERT INTO memoryhub_usage (owner_id, id, workspace_id, target_kind, target_id, last_access_at, access_count)
SELECT i.owner_id, %(id)s, i.workspace_id, %(kind)s, COALESCE(i.first_id, i.id), now(), 1
FROM memoryhub_memoryitem i WHERE i.owner_id = %(owner)s AND i.id = %(item)s AND i.procedure IS NOT NULL
ON CONFLICT (owner_id, target_kind, target_id)
DO UPDATE SET access_count = memoryhub_usage.access_count + 1, last_access_at = excluded.last_access_at
"""


def count_followed(items: Mapping[UUID, UUID]) -> None:
    """Count each procedure (any of its versions → its owner) once more. In a scope that writes to these owners."""
    with connection.cursor() as cursor:
        for item_id, owner_id in sorted(items.items()):
            cursor.execute(_COUNT, {"id": new_id(), "kind": FOLLOWED, "owner": owner_id, "item": item_id})
