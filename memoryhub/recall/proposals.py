"""Proposals that wait for a person: told as 'being confirmed', never as what is true.

The words of a source that is not trusted, or that look like an instruction, are not told at all before a person has read them:
only that something waits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.db.backends.utils import CursorWrapper

from memoryhub.recall.looking import Moment

MOST_PROPOSALS = 50
LEAST_TOLD_TIER = 3
UNREAD = frozenset({"instruction_like", "low_trust", "promotion"})

_LOAD = f"""
SELECT c.id, c.target_kind, c.action, c.form_type, c.form_subject, c.field_name, c.before::text, c.after::text, c.gates,
  c.reason_code, c.importance, c.event_id, c.quote, c.created_at, c.trust_tier
FROM memoryhub_change c WHERE c.owner_id = %(owner)s AND c.created_at <= %(known_at)s
  AND CASE WHEN %(is_now)s THEN c.state = 'proposed' ELSE 'proposed' = (
    SELECT t.to_state FROM memoryhub_changetransition t WHERE t.owner_id = c.owner_id AND t.change_id = c.id
      AND t.at <= %(known_at)s ORDER BY t.at DESC, t.id DESC LIMIT 1) END
ORDER BY c.created_at DESC, c.id DESC LIMIT {MOST_PROPOSALS}
"""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One open change. `before` is what holds until somebody decides."""

    id: UUID
    target_kind: str
    action: str
    form_type: str
    form_subject: str
    field: str
    before: Any
    after: Any
    gates: tuple[str, ...]
    reason_code: str
    importance: float
    event_id: UUID | None
    quote: str
    created_at: datetime


def load_proposals(cursor: CursorWrapper, *, owner_id: UUID, moment: Moment) -> list[Proposal]:
    """The owner's newest open proposals, at most 50; of another time, those that were open then."""
    cursor.execute(_LOAD, {"owner": owner_id, "known_at": moment.known_at, "is_now": moment.is_now})
    return [_row(values) for values in cursor.fetchall()]


def _row(values: tuple[Any, ...]) -> Proposal:
    columns: list[Any] = list(values[:-1])
    columns[6], columns[7] = (orjson.loads(value) if value else None for value in values[6:8])
    columns[8] = tuple(values[8])
    proposal = Proposal(*columns)
    is_told = values[-1] >= LEAST_TOLD_TIER and not UNREAD.intersection(proposal.gates)
    return proposal if is_told else replace(proposal, after=None, quote="", form_subject="")
