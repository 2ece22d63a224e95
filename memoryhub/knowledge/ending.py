"""Passages of versions whose time is over are no longer looked through. Recall asks the dates anyway: this keeps it quick."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from memoryhub.database.scope import scope

MOST_AT_ONCE = 5_000

_CLOSE = """
UPDATE memoryhub_searchentry e SET known_until = now()
FROM (
  SELECT c.owner_id, c.id FROM memoryhub_documentversion v
  JOIN memoryhub_documentchunk c ON c.owner_id = v.owner_id AND c.version_id = v.id
  JOIN memoryhub_searchentry open ON open.owner_id = c.owner_id AND open.id = c.id AND open.known_until IS NULL
  WHERE v.workspace_id = %(workspace)s AND v.state = 'published' AND v.valid_until <= now()
  LIMIT %(most)s
) over
WHERE e.owner_id = over.owner_id AND e.id = over.id AND e.known_until IS NULL
"""


def close_ended_versions(*, workspace_id: UUID) -> int:
    """Close the entries of published versions that have ended; answers how many. Safe to run at any time and again."""
    with scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"), connection.cursor() as cursor:
        cursor.execute(_CLOSE, {"workspace": workspace_id, "most": MOST_AT_ONCE})
        return int(cursor.rowcount)
