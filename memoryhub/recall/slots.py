"""The values that stand in the session a question names, as they are read together with what is known about the owner."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

STANDING_SLOTS = """
SELECT jsonb_agg(jsonb_build_array(t.id, t.context, t.name, t.value, t.said_by, t.form_type, t.form_subject, t.field_name,
    t.event_id, t.trust_tier, t.set_at, t.touched_at) ORDER BY t.context, t.name)
  FROM memoryhub_session s JOIN memoryhub_sessionslot t ON t.owner_id = s.owner_id AND t.session_id = s.id
  WHERE s.owner_id = %(owner)s AND s.ref = %(session)s AND s.state = 'open' AND t.state = 'active' AND t.held_for = ''
    AND t.expires_at > clock_timestamp()
"""
"""One index look-up for the open session and one for its standing slots; NULL when there are none."""


@dataclass(frozen=True, slots=True)
class SlotRow:
    """One value that stands and may be served. The three field columns are '' when it belongs to no field."""

    id: UUID
    context: str
    name: str
    value: Any
    said_by: str
    form_type: str
    form_subject: str
    field: str
    event_id: UUID | None
    trust_tier: int
    set_at: datetime
    touched_at: datetime

    @property
    def place(self) -> tuple[str, str, str] | None:
        """The field it is a value of, as form type, subject and field."""
        return (self.form_type, self.form_subject, self.field) if self.field else None


def slots_of(rows: str | None) -> tuple[SlotRow, ...]:
    """What `STANDING_SLOTS` answered."""
    return tuple(_row(values) for values in orjson.loads(rows or "[]"))


def _row(values: list[Any]) -> SlotRow:
    id_, context, name, value, said_by, form_type, subject, field, event_id, tier, set_at, touched_at = values
    return SlotRow(
        UUID(id_),
        context,
        name,
        value,
        said_by,
        form_type,
        subject,
        field,
        UUID(event_id) if event_id else None,
        tier,
        datetime.fromisoformat(set_at),
        datetime.fromisoformat(touched_at),
    )
