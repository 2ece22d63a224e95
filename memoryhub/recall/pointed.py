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
SELECT jsonb_agg(jsonb_build_array(v.id, v.form_type, v.subject, v.field, v.value, v.at) ORDER BY v.at DESC, v.id)
FROM (SELECT v.id, t.name AS form_type, f.subject, d.name AS field, v.value,
    greatest(v.valid_from, v.last_confirmed_at) AS at
  FROM memoryhub_formtype t JOIN memoryhub_fielddefinition d ON d.form_type_id = t.id
  JOIN memoryhub_fieldversion v ON v.field_id = d.id AND v.owner_id = %(owner)s
  JOIN memoryhub_form f ON f.owner_id = v.owner_id AND f.id = v.form_id
  WHERE cardinality(%(pointed_types)s::text[]) > 0 AND t.workspace_id = %(workspace)s AND t.name = ANY(%(pointed_types)s::text[]) AND v.owner_id = %(owner)s
    AND v.status <> 'archived' AND {_HOLDS}
  ORDER BY at DESC, v.id LIMIT {MOST_VALUES}) v
"""
"""The values that hold in forms of the pointed types, the one last said first; NULL when there are none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pointing:
    """What to read for the pointers of a question: turns of its session, values of form types, and when they must hold."""

    turns: bool = False
    types: tuple[str, ...] = ()
    valid_at: datetime | None = None
    known_at: datetime | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        return {
            "turns": self.turns,
            "pointed_types": list(self.types),
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
    """A value of a form that holds."""

    id: UUID
    form_type: str
    subject: str
    field: str
    value: Any
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Pointed:
    """Both newest first."""

    turns: tuple[Turn, ...] = ()
    values: tuple[PointedValue, ...] = ()


def pointed_of(turns: str | None, values: str | None) -> Pointed:
    """What the two statements answered."""
    return Pointed(
        turns=tuple(
            Turn(UUID(id_), role, masked(content), datetime.fromisoformat(at))
            for id_, role, content, at in orjson.loads(turns or "[]")
        ),
        values=tuple(
            PointedValue(UUID(id_), form_type, subject, field, masked(value), datetime.fromisoformat(at))
            for id_, form_type, subject, field, value, at in orjson.loads(values or "[]")
        ),
    )
