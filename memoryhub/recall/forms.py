"""The forms leg: typed values that hold at the asked moment, and the path of those that changed.

The as-of predicate decides what holds, never the status, so a value scheduled for today is served today even when the job
that marks it is late; of two that hold in one slot the later one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.db.backends.utils import CursorWrapper

from memoryhub.language.masking import masked
from memoryhub.models import as_of_sql
from memoryhub.recall.knowing import Known
from memoryhub.recall.looking import Moment
from memoryhub.recall.together import Read

MOST_ROWS = 500
MOST_CHANGED = 40

_LOAD = f"""
WITH holding AS (
  SELECT DISTINCT ON (v.owner_id, v.form_id, v.field_id, v.value_key) v.owner_id, v.id, v.form_id, v.field_id
  FROM memoryhub_fieldversion v
  WHERE v.owner_id = ANY(%(owners)s) AND v.status <> 'archived' AND {as_of_sql("v")}
  ORDER BY v.owner_id, v.form_id, v.field_id, v.value_key, v.valid_from DESC, v.version DESC
), changed AS (
  SELECT DISTINCT recent.form_id, recent.field_id FROM (
    SELECT s.form_id, s.field_id FROM memoryhub_fieldversion s
    WHERE s.owner_id = %(owner)s AND s.status IN ('superseded', 'historical') ORDER BY s.known_from DESC LIMIT {MOST_CHANGED}) recent
), picked AS (
  SELECT h.owner_id, h.id, true AS holds FROM holding h JOIN memoryhub_fielddefinition d ON d.id = h.field_id
  WHERE %(everything)s OR d.safety OR h.field_id = ANY(%(fields)s) OR h.id = ANY(%(ids)s)
    OR (h.owner_id = %(owner)s AND (h.form_id, h.field_id) IN (SELECT c.form_id, c.field_id FROM changed c))
  UNION ALL
  SELECT v.owner_id, v.id, false FROM memoryhub_fieldversion v
  WHERE v.owner_id = %(owner)s AND (v.form_id, v.field_id) IN (SELECT c.form_id, c.field_id FROM changed c)
    AND v.valid_from <= %(valid_at)s AND v.known_from <= %(known_at)s
    AND (v.known_until IS NULL OR v.known_until > %(known_at)s)
    AND NOT EXISTS (SELECT FROM holding h WHERE h.owner_id = v.owner_id AND h.id = v.id)
)
SELECT v.owner_id, v.id, p.holds, t.name, f.subject, d.id, d.name, d.label_en, d.label_zh, d.value_type, d.safety,
  d.key_attribute, d.multi_valued, v.version, v.value::text, v.importance, v.confidence, v.basis, v.trust_tier,
  v.valid_from, v.valid_until, v.last_confirmed_at, v.quote, v.event_id,
  coalesce(NULLIF(e.reason, ''), e.learned ->> 'reason', ''),
  coalesce(NULLIF(to_jsonb(e.alternatives), '[]'), e.learned -> 'alternatives', '[]')::text, coalesce(e.role, ''),
  coalesce(e.learned ->> 'action', e.action, ''),
  EXISTS (SELECT FROM memoryhub_change c WHERE c.owner_id = v.owner_id AND c.state = 'proposed'
    AND c.form_type = t.name AND c.form_subject = f.subject AND c.field_name = d.name)
FROM picked p
JOIN memoryhub_fieldversion v ON v.owner_id = p.owner_id AND v.id = p.id
JOIN memoryhub_form f ON f.owner_id = v.owner_id AND f.id = v.form_id
JOIN memoryhub_fielddefinition d ON d.id = v.field_id
JOIN memoryhub_formtype t ON t.id = d.form_type_id
LEFT JOIN memoryhub_event e ON e.owner_id = v.owner_id AND e.id = v.event_id
ORDER BY p.holds DESC, (d.id = ANY(%(fields)s)) DESC, d.safety DESC, v.importance DESC, v.valid_from DESC, v.id
LIMIT {MOST_ROWS}
"""


@dataclass(frozen=True, slots=True)
class FormRow:
    """One field version. `holds`: at the asked moment; the others are its earlier steps. `reason`, `alternatives`: why then."""

    owner_id: UUID
    id: UUID
    holds: bool
    form_type: str
    subject: str
    field_id: UUID
    field: str
    label_en: str
    label_zh: str
    value_type: str
    safety: bool
    key_attribute: bool
    multi_valued: bool
    version: int
    value: Any
    importance: float
    confidence: float
    basis: str
    trust_tier: int
    valid_from: datetime
    valid_until: datetime | None
    last_confirmed_at: datetime | None
    quote: str
    event_id: UUID | None
    reason: str
    alternatives: tuple[str, ...]
    role: str
    action: str
    being_confirmed: bool

    @property
    def slot(self) -> tuple[UUID, str, str, str]:
        return self.owner_id, self.form_type, self.subject, self.field

    @property
    def is_rule(self) -> bool:
        return self.form_type == "business_rule"


def load_forms(
    cursor: CursorWrapper,
    *,
    known: Known,
    moment: Moment,
    fields: Sequence[UUID],
    ids: Sequence[UUID],
    everything: bool = False,
) -> list[FormRow]:
    """One statement: safety values and rules of the owner and of linked owners, values of the named fields, the versions
    in `ids`, and every step of the owner's fields that changed lately. With `everything` all values that hold."""
    read = forms_read(known=known, moment=moment, fields=fields, ids=ids, everything=everything)
    cursor.execute(read.sql, read.parameters)
    return form_rows(cursor.fetchall(), known=known)


def forms_read(
    *, known: Known, moment: Moment, fields: Sequence[UUID], ids: Sequence[UUID], everything: bool = False
) -> Read:
    """What `load_forms` asks, to be read together with other legs."""
    parameters = {
        "owners": known.owner_ids,
        "owner": known.owner_id,
        "valid_at": moment.valid_at,
        "known_at": moment.known_at,
        "fields": list(fields),
        "ids": list(ids),
        "everything": everything,
    }
    return Read(_LOAD, parameters)


def form_rows(rows: Iterable[tuple[Any, ...]], *, known: Known) -> list[FormRow]:
    """The owner's own rows, and of a linked owner those that the link lets through."""
    read = (_row(values) for values in rows)
    return [row for row in read if _may_read(row, known)]


def _row(values: tuple[Any, ...]) -> FormRow:
    columns: list[Any] = list(values)
    columns[14], columns[25] = orjson.loads(values[14]), tuple(orjson.loads(values[25]))
    columns[24:26] = masked(columns[24:26])
    return FormRow(*columns)


def _may_read(row: FormRow, known: Known) -> bool:
    link = known.link_to(row.owner_id)
    if link is None:
        return row.owner_id == known.owner_id
    return link.lets_through("rule" if row.is_rule or row.safety else "form", form_type=row.form_type)


def is_decision(chain: Sequence[FormRow]) -> bool:
    """Whether any step of the path was decided, or changed by a tool; the other paths are history, told when asked for."""
    return any(row.action in {"decision", "change"} for row in chain)


def paths(rows: Sequence[FormRow]) -> list[list[FormRow]]:
    """Of each single-valued slot that changed, its versions in the order they were true."""
    slots: dict[tuple[UUID, str, str, str], list[FormRow]] = {}
    for row in rows:
        if not row.multi_valued:
            slots.setdefault(row.slot, []).append(row)
    chains = (sorted(slot, key=lambda row: (row.valid_from, row.version)) for slot in slots.values())
    return [chain for chain in chains if len(chain) > 1]
