"""The events leg: what happened in a named time, decisions and changes, promises of the agent, and what is recent.

Heat is computed here and never stored over. It hides an old event from the default timeline and from the open look at what
is recent; a named time or entity, `kinds=event` and the meaning leg still reach it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.db.backends.utils import CursorWrapper

from memoryhub.language.dates import TimeExpression
from memoryhub.policies import Policy
from memoryhub.recall.looking import Moment

KEY_ACTIONS = frozenset({"decision", "change", "commitment"})
MOST_IN_TIME = 60
MOST_KEY = 30
MOST_RECENT = 20

_SELECT = f"""
WITH picked AS (
  SELECT i.id, 'meaning' AS why FROM unnest(%(ids)s::uuid[]) AS i (id)
  UNION ALL
  (SELECT e.id, 'time' FROM unnest(%(starts)s::timestamptz[], %(ends)s::timestamptz[]) AS named (start, stop)
   JOIN memoryhub_event e ON e.owner_id = %(owner)s AND e.occurred_at >= named.start AND e.occurred_at < named.stop
   ORDER BY e.occurred_at, e.id LIMIT {MOST_IN_TIME})
  UNION ALL
  (SELECT e.id, 'key' FROM memoryhub_event e
   WHERE e.owner_id = %(owner)s AND (e.action IN ('decision', 'change', 'commitment')
     OR e.learned ->> 'action' IN ('decision', 'change', 'commitment'))
   ORDER BY e.occurred_at DESC, e.id DESC LIMIT {MOST_KEY})
  UNION ALL
  (SELECT e.id, 'recent' FROM memoryhub_event e WHERE %(recent)s AND e.owner_id = %(owner)s
   ORDER BY e.occurred_at DESC, e.id DESC LIMIT {MOST_RECENT})
), reasons AS (SELECT p.id, array_agg(DISTINCT p.why) AS whys FROM picked p GROUP BY p.id)
SELECT e.id, e.occurred_at, e.session_ref, e.actor, e.role, e.subject,
  coalesce(e.learned ->> 'action', NULLIF(e.action, 'message'), 'message'), e.content, e.before::text, e.after::text,
  coalesce(NULLIF(e.reason, ''), e.learned ->> 'reason', ''),
  coalesce(NULLIF(to_jsonb(e.alternatives), '[]'), e.learned -> 'alternatives', '[]')::text,
  coalesce(e.learned -> 'entities', '[]')::text, e.form_type, e.form_subject, e.field_name, e.trust_tier, e.tier,
  e.heat_anchor, r.whys
FROM reasons r JOIN memoryhub_event e ON e.owner_id = %(owner)s AND e.id = r.id
LEFT JOIN memoryhub_searchentry s ON s.owner_id = e.owner_id AND s.id = e.id
WHERE coalesce(s.cleared, e.role IN ('user', 'staff') AND e.trust_tier >= 3) AND e.tier <> 'compacted'
  AND (%(is_now)s OR (e.recorded_at <= %(known_at)s AND e.occurred_at <= %(valid_at)s))
"""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event with what the extractor read in it. `whys`: `meaning | time | key | recent`."""

    id: UUID
    occurred_at: datetime
    session_ref: str
    actor: str
    role: str
    subject: str
    action: str
    content: str
    before: Any
    after: Any
    reason: str
    alternatives: tuple[str, ...]
    entities: tuple[str, ...]
    form_type: str
    form_subject: str
    field: str
    trust_tier: int
    tier: str
    heat_anchor: float
    whys: tuple[str, ...]

    @property
    def is_key(self) -> bool:
        return self.action in KEY_ACTIONS

    @property
    def is_change_of_mind(self) -> bool:
        return self.action in {"decision", "change"}


def load_events(
    cursor: CursorWrapper,
    *,
    owner_id: UUID,
    moment: Moment,
    ids: Sequence[UUID],
    times: Sequence[TimeExpression],
    recent: bool,
) -> list[EventRow]:
    """One statement: the events in `ids`, those in the named times, the newest key events, and with `recent` the newest."""
    cursor.execute(
        _SELECT,
        {
            "owner": owner_id,
            "ids": list(ids),
            "starts": [time.start for time in times],
            "ends": [time.end for time in times],
            "recent": recent,
            "is_now": moment.is_now,
            "known_at": moment.known_at,
            "valid_at": moment.valid_at,
        },
    )
    return [_row(values) for values in cursor.fetchall()]


def _row(values: tuple[Any, ...]) -> EventRow:
    columns: list[Any] = list(values)
    columns[8], columns[9] = (orjson.loads(value) if value else None for value in values[8:10])
    columns[11], columns[12] = (tuple(orjson.loads(value)) for value in values[11:13])
    columns[19] = tuple(values[19])
    return EventRow(*columns)


def heat_of(event: EventRow, *, moment: Moment, policy: Policy) -> float:
    """`anchor · exp(−λ · days)`; decisions and changes fade slower. Never above the anchor, also for a date ahead."""
    decay = policy.decision_decay_per_day if event.is_change_of_mind else policy.heat_decay_per_day
    return event.heat_anchor * math.exp(-decay * moment.days_since(event.occurred_at))
