"""What a pointer may point at, read with what is known about the owner: turns of the session, usual requests, incidents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from memoryhub.language.masking import masked
from memoryhub.models import as_of_sql

MOST_TURNS = 8
MOST_VALUES = 60
LONGEST_TURN = 500
MOST_SEARCHED = 500

# What was not asked for is now, by the database's clock.
_HOLDS = (
    as_of_sql("v")
    .replace("%(valid_at)s", "coalesce(%(valid_at)s::timestamptz, clock_timestamp())")
    .replace("%(known_at)s", "coalesce(%(known_at)s::timestamptz, clock_timestamp())")
)

SESSION_TURNS = f"""
SELECT jsonb_agg(jsonb_build_array(e.id, e.role, left(e.content, {LONGEST_TURN}), e.occurred_at) ORDER BY e.occurred_at DESC, e.id DESC)
FROM (SELECT x.owner_id, x.id, x.role, x.content, x.occurred_at, x.trust_tier FROM memoryhub_event x
  WHERE %(turns)s AND x.owner_id = %(owner)s AND x.session_ref = %(session)s AND x.session_ref <> '' AND x.content <> ''
    AND x.tier <> 'compacted' AND (%(known_at)s::timestamptz IS NULL OR x.recorded_at <= %(known_at)s)
  ORDER BY x.occurred_at DESC, x.id DESC LIMIT {MOST_TURNS}) e
LEFT JOIN memoryhub_searchentry s ON s.owner_id = e.owner_id AND s.id = e.id
WHERE coalesce(s.cleared, e.role IN ('user', 'staff') AND e.trust_tier >= 3)
"""
"""The newest turns of the session that may be told, newest first; NULL when there are none or nothing points at them."""

POINTED_VALUES = f"""
SELECT jsonb_agg(jsonb_build_array(v.id, v.form_type, v.subject, v.field, v.value, v.at, v.event_id) ORDER BY v.at DESC, v.id)
FROM (SELECT v.id, t.name AS form_type, f.subject, d.name AS field, v.value, v.event_id,
    greatest(v.valid_from, v.last_confirmed_at) AS at
  FROM memoryhub_formtype t JOIN memoryhub_fielddefinition d ON d.form_type_id = t.id
  JOIN memoryhub_fieldversion v ON v.field_id = d.id AND v.owner_id = %(owner)s
  JOIN memoryhub_form f ON f.owner_id = v.owner_id AND f.id = v.form_id
  WHERE cardinality(%(pointed_types)s::text[]) > 0 AND t.workspace_id = %(workspace)s AND t.name = ANY(%(pointed_types)s::text[]) AND v.owner_id = %(owner)s
    AND v.status <> 'archived' AND {_HOLDS}
  ORDER BY at DESC, v.id LIMIT {MOST_VALUES}) v
"""
"""The values that hold in forms of the pointed types, the one last said first; NULL when there are none."""


COMPLAINTS = ("complaint", "incident", "ticket", "issue")
"""Actions of events that tell of trouble."""

POINTED_TROUBLES = f"""
SELECT jsonb_agg(jsonb_build_array(x.id, x.what, x.name, 'status', x.value, x.at, x.event_id) ORDER BY x.at DESC, x.id)
FROM (
  (SELECT v.id, 'relation' AS what, e.name, v.resolution AS value, greatest(v.valid_from, v.last_confirmed_at) AS at, v.event_id
   FROM memoryhub_relation v JOIN memoryhub_relationkind k ON k.id = v.kind_id AND k.name = 'experienced'
   JOIN memoryhub_entity e ON e.owner_id = v.owner_id AND e.id = v.to_entity_id
   WHERE %(troubles)s AND v.owner_id = %(owner)s AND v.resolution IN ('open', 'pending') AND {_HOLDS}
   ORDER BY at DESC, v.id LIMIT {MOST_VALUES})
  UNION ALL
  (SELECT n.id, 'event', '', left(n.content, {LONGEST_TURN}), n.occurred_at, n.id
   FROM (SELECT e.owner_id, e.id, e.action, e.role, e.content, e.occurred_at, e.recorded_at, e.trust_tier FROM memoryhub_event e
     WHERE %(troubles)s AND e.owner_id = %(owner)s AND e.tier <> 'compacted'
       AND e.occurred_at <= coalesce(%(valid_at)s::timestamptz, clock_timestamp())
     ORDER BY e.occurred_at DESC, e.id DESC LIMIT {MOST_SEARCHED}) n
   LEFT JOIN memoryhub_searchentry s ON s.owner_id = n.owner_id AND s.id = n.id
   WHERE n.action IN {COMPLAINTS} AND coalesce(s.cleared, n.role IN ('user', 'staff') AND n.trust_tier >= 3)
     AND (%(known_at)s::timestamptz IS NULL OR n.recorded_at <= %(known_at)s)
   ORDER BY n.occurred_at DESC, n.id LIMIT {MOST_VALUES})
) x
"""
"""Open problems that a relation tells of, and complaints among the newest events, newest first; NULL when there are none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pointing:
    """What to read for the pointers of a question: turns of its session, values of form types, open troubles; and when they must
    hold."""

    turns: bool = False
    types: tuple[str, ...] = ()
    troubles: bool = False
    valid_at: datetime | None = None
    known_at: datetime | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        return {
            "turns": self.turns,
            "pointed_types": list(self.types),
            "troubles": self.troubles,
            "valid_at": self.valid_at,
            "known_at": self.known_at,
        }


NOTHING_POINTED = Pointing()


@dataclass(frozen=True, slots=True)
class Turn:
    """Something said in the session."""

    id: UUID
    role: str
    content: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PointedValue:
    """A value of a form that holds; or how an open trouble stands: of a `relation`, or the words of an `event`."""

    id: UUID
    form_type: str
    subject: str
    field: str
    value: Any
    at: datetime
    event_id: UUID | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Pointed:
    """Each newest first."""

    turns: tuple[Turn, ...] = ()
    values: tuple[PointedValue, ...] = ()
    troubles: tuple[PointedValue, ...] = ()


def pointed_of(turns: str | None, values: str | None, troubles: str | None) -> Pointed:
    """What the three statements answered."""
    return Pointed(
        turns=tuple(
            Turn(UUID(id_), role, masked(content), datetime.fromisoformat(at))
            for id_, role, content, at in orjson.loads(turns or "[]")
        ),
        values=_values(values),
        troubles=_values(troubles),
    )


def _values(rows: str | None) -> tuple[PointedValue, ...]:
    return tuple(
        PointedValue(
            UUID(id_),
            form_type,
            subject,
            field,
            masked(value),
            datetime.fromisoformat(at),
            UUID(event_id) if event_id else None,
        )
        for id_, form_type, subject, field, value, at, event_id in orjson.loads(rows or "[]")
    )
