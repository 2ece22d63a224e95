"""The events leg: what happened in a named time, decisions and changes, promises of the agent, and what is recent.

Heat is computed here and never stored over. It hides an old event from the default timeline and from the open look at what
is recent; a named time or entity, `kinds=event` and the meaning leg still reach it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import orjson
from django.db.backends.utils import CursorWrapper

from memoryhub.language.dates import TimeExpression
from memoryhub.language.masking import masked
from memoryhub.models import as_of_sql
from memoryhub.policies import Policy
from memoryhub.recall.looking import Moment
from memoryhub.recall.together import Read

type Standing = Literal["stands", "partly_superseded", "superseded", "pending", "refused"]

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
  e.heat_anchor, r.whys, made.held, made.gone, coalesce(proposed.is_open, false),
  coalesce(proposed.was_refused, false) OR e.outcome @> '[{{"code": "joke"}}]'
FROM reasons r JOIN memoryhub_event e ON e.owner_id = %(owner)s AND e.id = r.id
LEFT JOIN memoryhub_searchentry s ON s.owner_id = e.owner_id AND s.id = e.id
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE x.holds) AS held, count(*) FILTER (WHERE NOT x.holds) AS gone FROM (
    SELECT {as_of_sql("v")} AS holds FROM memoryhub_fieldversion v WHERE v.owner_id = e.owner_id AND v.event_id = e.id
    UNION ALL
    SELECT {as_of_sql("i")} FROM memoryhub_memoryitem i WHERE i.owner_id = e.owner_id AND i.event_id = e.id) x) made
CROSS JOIN LATERAL (
  SELECT bool_or(c.state = 'proposed') AS is_open, bool_or(c.state IN ('rejected', 'reverted')) AS was_refused
  FROM memoryhub_change c WHERE c.owner_id = e.owner_id AND c.event_id = e.id) proposed
WHERE coalesce(s.cleared, e.role IN ('user', 'staff') AND e.trust_tier >= 3) AND e.tier <> 'compacted'
  AND (%(is_now)s OR (e.recorded_at <= %(known_at)s AND e.occurred_at <= %(valid_at)s))
"""


_SPOKEN = (3, 5, 7, 8, 9, 10, 11, 14)
"""Columns that hold somebody's words: actor, subject, content, before, after, reason, alternatives, form subject."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event with what the extractor read in it. `whys`: `meaning | time | key | recent`.

    `held` and `gone` count the values and items it gave that hold at the asked moment and that do not.
    """

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
    held: int
    gone: int
    is_open: bool
    was_refused: bool

    @property
    def standing(self) -> Standing:
        """What became of what it says. Refused words and jokes stay out whatever else it says: the rest lives on in forms."""
        if self.was_refused:
            return "refused"
        if self.held:
            return "partly_superseded" if self.gone else "stands"
        if self.gone:
            return "superseded"
        return "pending" if self.is_open else "stands"

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
    read = events_read(owner_id=owner_id, moment=moment, ids=ids, times=times, recent=recent)
    cursor.execute(read.sql, read.parameters)
    return event_rows(cursor.fetchall())


def events_read(
    *, owner_id: UUID, moment: Moment, ids: Sequence[UUID], times: Sequence[TimeExpression], recent: bool
) -> Read:
    """What `load_events` asks, to be read together with other legs."""
    parameters = {
        "owner": owner_id,
        "ids": list(ids),
        "starts": [time.start for time in times],
        "ends": [time.end for time in times],
        "recent": recent,
        "is_now": moment.is_now,
        "known_at": moment.known_at,
        "valid_at": moment.valid_at,
    }
    return Read(_SELECT, parameters)


def event_rows(rows: Iterable[tuple[Any, ...]]) -> list[EventRow]:
    """The events of the leg's rows."""
    return [_row(values) for values in rows]


def _row(values: tuple[Any, ...]) -> EventRow:
    columns: list[Any] = list(values)
    columns[8], columns[9] = (orjson.loads(value) if value else None for value in values[8:10])
    columns[11], columns[12] = (tuple(orjson.loads(value)) for value in values[11:13])
    columns[19] = tuple(values[19])
    for place in _SPOKEN:
        columns[place] = masked(columns[place])
    return EventRow(*columns)


def kept_out_by(event: EventRow, *, asks_for_history: bool, asks_for_events: bool) -> str:
    """The rule that keeps an event out of recall, or ''.

    A value that was refused does not come back by way of the event that said it; one that waits or is past comes back only
    when events, their time or history were asked for.
    """
    is_asked = asks_for_events or "time" in event.whys
    match event.standing:
        case "refused":
            return "refused"
        case "pending" if not is_asked:
            return "pending"
        case "superseded" if not (is_asked or asks_for_history):
            return "superseded"
        case _:
            return ""


def heat_of(event: EventRow, *, moment: Moment, policy: Policy) -> float:
    """`anchor · exp(−λ · days)`; decisions and changes fade slower. Never above the anchor, also for a date ahead."""
    decay = policy.decision_decay_per_day if event.is_change_of_mind else policy.heat_decay_per_day
    return event.heat_anchor * math.exp(-decay * moment.days_since(event.occurred_at))
