"""Windows: a turn together with the one before and the one after it, and the date in front.

A window is scored and never served; its score goes to its middle event. Turn and window fail differently, so half of
each finds more than either. It is made once the next turn is there or the session has been idle, and never updated.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import connection
from django.utils import timezone

from memoryhub.database.scope import scope
from memoryhub.language.text import language_of
from memoryhub.models import Owner, new_id
from memoryhub.search_index import LEAST_CLEARED_TIER, NewEntry, add_entries, window_id

IDLE = timedelta(minutes=10)
MOST_AT_ONCE = 500

_NEIGHBOUR = """
  LEFT JOIN LATERAL (
    SELECT n.id, s.text FROM memoryhub_event n
      JOIN memoryhub_searchentry s ON s.owner_id = n.owner_id AND s.id = n.id
    WHERE n.owner_id = e.owner_id AND n.session_ref = e.session_ref
      AND (n.occurred_at, n.id) {compare} (e.occurred_at, e.id)
      AND (s.cleared OR (n.role = 'assistant' AND n.trust_tier >= {tier}))
    ORDER BY n.occurred_at {order}, n.id {order} LIMIT 1
  ) {name} ON true"""

_TURNS = (
    "SELECT e.id, e.session_ref, e.occurred_at, t.text, t.cleared, earlier.id, earlier.text, later.id, later.text"
    " FROM memoryhub_event e JOIN memoryhub_searchentry t ON t.owner_id = e.owner_id AND t.id = e.id"
    + _NEIGHBOUR.format(compare="<", order="DESC", name="earlier", tier=LEAST_CLEARED_TIER)
    + _NEIGHBOUR.format(compare=">", order="ASC", name="later", tier=LEAST_CLEARED_TIER)
    + " WHERE e.owner_id = %(owner)s AND e.id = ANY(%(events)s) AND e.session_ref <> '' AND t.cleared"
    " AND t.known_until IS NULL AND (later.id IS NOT NULL OR e.recorded_at <= %(idle_before)s)"
    " AND NOT EXISTS (SELECT FROM memoryhub_searchentry w"
    " WHERE w.owner_id = e.owner_id AND w.kind = 'window' AND w.target_id = e.id)"
)

_AND_BEFORE = (
    "SELECT DISTINCT b.id FROM memoryhub_event e CROSS JOIN LATERAL ("
    " SELECT n.id FROM memoryhub_event n WHERE n.owner_id = e.owner_id AND n.session_ref = e.session_ref"
    " AND (n.occurred_at, n.id) <= (e.occurred_at, e.id) ORDER BY n.occurred_at DESC, n.id DESC LIMIT 4) b"
    " WHERE e.owner_id = %(owner)s AND e.id = ANY(%(events)s) AND e.session_ref <> ''"
)

_WITHOUT = (
    "SELECT e.id FROM memoryhub_event e JOIN memoryhub_searchentry t ON t.owner_id = e.owner_id AND t.id = e.id"
    " WHERE e.owner_id = %(owner)s AND e.session_ref <> '' AND t.cleared AND t.known_until IS NULL"
    " AND (e.recorded_at <= %(idle_before)s OR EXISTS (SELECT FROM memoryhub_event n WHERE n.owner_id = e.owner_id"
    "  AND n.session_ref = e.session_ref AND (n.occurred_at, n.id) > (e.occurred_at, e.id)))"
    " AND NOT EXISTS (SELECT FROM memoryhub_searchentry w"
    " WHERE w.owner_id = e.owner_id AND w.kind = 'window' AND w.target_id = e.id)"
    " ORDER BY e.id LIMIT %(limit)s"
)


class _Turn(NamedTuple):
    id: UUID
    session_ref: str
    occurred_at: datetime
    text: str
    cleared: bool
    earlier_id: UUID | None
    earlier: str | None
    later_id: UUID | None
    later: str | None


def add_windows(
    *, workspace_id: UUID, owner_id: UUID, event_ids: Sequence[UUID], zone: str, idle_before: datetime
) -> int:
    """Make the windows that these newly recorded events complete: their own, and those of the turns before them.

    An event without a next turn gets its window when it was recorded at or before `idle_before` (usually now − 10
    minutes). `zone` is the owner's, for the date in front. Inside the caller's transaction; returns how many were made.
    """
    if not event_ids:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_AND_BEFORE, {"owner": owner_id, "events": list(event_ids)})
        touched = [row[0] for row in cursor.fetchall()]
        cursor.execute(_TURNS, {"owner": owner_id, "events": touched, "idle_before": idle_before})
        turns = [_Turn(*row) for row in cursor.fetchall()]
    made = add_entries(
        workspace_id=workspace_id,
        owner_id=owner_id,
        entries=[_as_entry(turn, ZoneInfo(zone)) for turn in turns],
    )
    _name_sources(workspace_id, owner_id, turns)
    return made


def make_windows(*, workspace_id: UUID, owner_id: UUID) -> int:
    """Make all windows of the owner that are due, a few hundred per transaction; safe to repeat. Returns how many."""
    idle_before = timezone.now() - IDLE
    total = 0
    while True:
        with scope(workspace_id=workspace_id, owners=[owner_id], purpose="index", write=True):
            zone, event_ids = _due(owner_id, idle_before)
            made = add_windows(
                workspace_id=workspace_id,
                owner_id=owner_id,
                event_ids=event_ids,
                zone=zone,
                idle_before=idle_before,
            )
        total += made
        if not made:
            return total


def _due(owner_id: UUID, idle_before: datetime) -> tuple[str, list[UUID]]:
    parameters: dict[str, Any] = {"owner": owner_id, "idle_before": idle_before, "limit": MOST_AT_ONCE}
    with connection.cursor() as cursor:
        cursor.execute(_WITHOUT, parameters)
        event_ids = [row[0] for row in cursor.fetchall()]
    return Owner.objects.select_related("workspace").get(id=owner_id).zone, event_ids


def window_text(*, texts: Sequence[str], occurred_at: datetime, zone: ZoneInfo) -> str:
    """The session's date, then the turns, a line each: '8 May 2023' or 2023年5月8日, by the language of the turns."""
    local = occurred_at.astimezone(zone)
    body = "\n".join(texts)
    if language_of(body) == "zh":
        return f"{local.year}年{local.month}月{local.day}日\n{body}"
    return f"{local.day} {local:%B %Y}\n{body}"


def _as_entry(turn: _Turn, zone: ZoneInfo) -> NewEntry:
    texts = [text for text in (turn.earlier, turn.text, turn.later) if text]
    return NewEntry(
        kind="window",
        target_id=turn.id,
        text=window_text(texts=texts, occurred_at=turn.occurred_at, zone=zone),
        occurred_at=turn.occurred_at,
        session_ref=turn.session_ref,
        cleared=turn.cleared,
    )


def _name_sources(workspace_id: UUID, owner_id: UUID, turns: Sequence[_Turn]) -> None:
    rows: list[Any] = []
    for turn in turns:
        for position, event_id in enumerate((turn.earlier_id, turn.id, turn.later_id)):
            if event_id:
                rows += [owner_id, new_id(), workspace_id, window_id(turn.id), event_id, position]
    if not rows:
        return
    values = ", ".join(["(%s, %s, %s, %s, %s, %s)"] * (len(rows) // 6))
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memoryhub_searchsource (owner_id, id, workspace_id, entry_id, event_id, position)"
            f" VALUES {values} ON CONFLICT DO NOTHING",
            rows,
        )
