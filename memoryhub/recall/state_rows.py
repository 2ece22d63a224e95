"""What a state check looks at, in one statement: values that hold and that did, what was refused, what is asked already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.db.backends.utils import CursorWrapper

from memoryhub.language.masking import masked
from memoryhub.models import as_of_sql
from memoryhub.recall.knowing import Known
from memoryhub.recall.looking import Moment

MOST_HOLDING = 1_000
MOST_PAST = 500
MOST_REFUSED = 200
MOST_QUESTIONS = 50

_VERSIONS = f"""
SELECT v.owner_id, v.id, t.name AS form_type, f.subject, d.name AS field, d.label_en, d.label_zh, d.value_type, d.safety,
  d.multi_valued, v.version, v.value, v.value_norm, v.confidence, v.basis, v.trust_tier, v.valid_from, v.quote, v.event_id,
  coalesce(e.role, '') AS role, true AS holds,
  EXISTS (SELECT FROM memoryhub_change c WHERE c.owner_id = v.owner_id AND c.state = 'proposed'
    AND c.form_type = t.name AND c.form_subject = f.subject AND c.field_name = d.name) AS being_confirmed
FROM (SELECT DISTINCT ON (h.owner_id, h.form_id, h.field_id, h.value_key) h.* FROM memoryhub_fieldversion h
  WHERE h.owner_id = ANY(%(owners)s) AND h.status <> 'archived' AND {as_of_sql("h")}
  ORDER BY h.owner_id, h.form_id, h.field_id, h.value_key, h.valid_from DESC, h.version DESC) v
JOIN memoryhub_form f ON f.owner_id = v.owner_id AND f.id = v.form_id
JOIN memoryhub_fielddefinition d ON d.id = v.field_id JOIN memoryhub_formtype t ON t.id = d.form_type_id
LEFT JOIN memoryhub_event e ON e.owner_id = v.owner_id AND e.id = v.event_id
WHERE v.owner_id = %(owner)s OR d.safety OR t.name = 'business_rule'
ORDER BY v.importance DESC, v.id LIMIT {MOST_HOLDING}"""
_PAST = f"""
SELECT v.owner_id, v.id, t.name, f.subject, d.name, d.label_en, d.label_zh, d.value_type, d.safety, d.multi_valued, v.version,
  v.value, v.value_norm, v.confidence, v.basis, v.trust_tier, v.valid_from, v.quote, v.event_id, '', false, false
FROM (SELECT * FROM memoryhub_fieldversion p WHERE p.owner_id = %(owner)s
    AND p.status IN ('superseded', 'retracted', 'historical', 'expired') ORDER BY p.known_from DESC LIMIT {MOST_PAST}) v
JOIN memoryhub_form f ON f.owner_id = v.owner_id AND f.id = v.form_id
JOIN memoryhub_fielddefinition d ON d.id = v.field_id JOIN memoryhub_formtype t ON t.id = d.form_type_id"""
_REFUSED = f"""
SELECT i.id, i.attribute AS option, i.content, i.valid_from, i.quote, i.event_id, i.confidence, i.basis, i.trust_tier
FROM memoryhub_memoryitem i WHERE i.owner_id = %(owner)s AND i.value_key = 'refused' AND i.attribute <> ''
  AND i.status NOT IN ('forgotten', 'expired') AND {as_of_sql("i")}
  AND NOT EXISTS (SELECT FROM memoryhub_memoryitem l WHERE l.owner_id = i.owner_id AND l.subject_entity = i.subject_entity
    AND l.attribute = i.attribute AND (l.valid_from, l.seq) > (i.valid_from, i.seq) AND {as_of_sql("l")})
ORDER BY i.valid_from DESC LIMIT {MOST_REFUSED}"""
_QUESTIONS = f"""
SELECT q.id, q.kind, q.text, q.choices, q.form_type, q.form_subject AS subject, q.field_name AS field, q.change_id,
  q.created_at, q.expires_at
FROM memoryhub_question q WHERE q.owner_id = %(owner)s AND q.state = 'open' AND q.expires_at > clock_timestamp()
ORDER BY q.created_at DESC, q.id DESC LIMIT {MOST_QUESTIONS}"""
_BURIED = """
SELECT encode(b.digest, 'hex') AS digest, b.id, b.reason_code, b.created_at FROM memoryhub_tombstone b
WHERE b.owner_id = %(owner)s AND b.lifted_at IS NULL AND b.digest = ANY(%(digests)s)"""
_EXCEPTIONS = """
SELECT s.id FROM memoryhub_sessionslot s WHERE s.owner_id = %(owner)s AND s.id = ANY(%(slots)s) AND s.fate_code = 'exception'"""

_LOAD = "SELECT " + ", ".join(
    f"(SELECT coalesce(jsonb_agg(to_jsonb(x)), '[]') FROM ({part}) x)::text"
    for part in (f"({_VERSIONS}) UNION ALL ({_PAST})", _REFUSED, _QUESTIONS, _BURIED, _EXCEPTIONS)
)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredValue:
    """One version of one field. `holds` now, or it did once."""

    owner_id: UUID
    id: UUID
    form_type: str
    subject: str
    field: str
    label_en: str
    label_zh: str
    value_type: str
    safety: bool
    multi_valued: bool
    version: int
    value: Any
    value_norm: str
    confidence: float
    basis: str
    trust_tier: int
    valid_from: datetime
    quote: str
    event_id: UUID | None
    role: str
    holds: bool
    being_confirmed: bool

    @property
    def is_rule(self) -> bool:
        return self.form_type == "business_rule"


@dataclass(frozen=True, kw_only=True, slots=True)
class RefusedOption:
    """A plan or another option that the owner refused, by its normalised name."""

    id: UUID
    option: str
    content: str
    valid_from: datetime
    quote: str
    event_id: UUID | None
    confidence: float
    basis: str
    trust_tier: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenQuestion:
    id: UUID
    kind: str
    text: str
    choices: tuple[dict[str, Any], ...]
    form_type: str
    subject: str
    field: str
    change_id: UUID | None
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Burial:
    """A value that was rejected or rolled back, known by its digest alone."""

    id: UUID
    digest: bytes
    reason_code: str
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class StateRows:
    """Everything a check compares with."""

    values: tuple[StoredValue, ...] = ()
    refused: tuple[RefusedOption, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    buried: tuple[Burial, ...] = ()
    exceptions: frozenset[UUID] = field(default_factory=frozenset)
    """Slots whose value the owner meant for this once."""

    @property
    def holding(self) -> list[StoredValue]:
        return [value for value in self.values if value.holds]


def load_state(
    cursor: CursorWrapper, *, known: Known, moment: Moment, digests: Sequence[bytes], slots: Sequence[UUID]
) -> StateRows:
    """One statement. Of linked owners only rules and safety values that the link lets through."""
    cursor.execute(
        _LOAD,
        {
            "owner": known.owner_id,
            "owners": known.owner_ids,
            "valid_at": moment.valid_at,
            "known_at": moment.known_at,
            "digests": list(digests),
            "slots": list(slots),
        },
    )
    values, refused, questions, buried, exceptions = (orjson.loads(part) for part in cursor.fetchone())
    return StateRows(
        values=tuple(row for row in map(_stored, values) if _may_read(row, known)),
        refused=tuple(RefusedOption(**_typed(row)) for row in refused),
        questions=tuple(
            OpenQuestion(**{**_typed(row), "choices": tuple(row["choices"])}) for row in questions
        ),
        buried=tuple(Burial(**{**_typed(row), "digest": bytes.fromhex(row["digest"])}) for row in buried),
        exceptions=frozenset(UUID(row["id"]) for row in exceptions),
    )


def _may_read(row: StoredValue, known: Known) -> bool:
    link = known.link_to(row.owner_id)
    if link is None:
        return row.owner_id == known.owner_id
    return link.lets_through("rule", form_type=row.form_type)


def _stored(row: dict[str, Any]) -> StoredValue:
    return StoredValue(**{**_typed(row), "value": masked(row["value"]), "quote": masked(row["quote"])})


_IDS = ("id", "owner_id", "event_id", "change_id")
_TIMES = ("valid_from", "created_at", "expires_at")


def _typed(row: dict[str, Any]) -> dict[str, Any]:
    """Ids and times of a row of JSON as what they are."""
    ids = {name: UUID(row[name]) for name in _IDS if row.get(name)}
    times = {name: datetime.fromisoformat(row[name]) for name in _TIMES if row.get(name)}
    return {**row, **ids, **times}
