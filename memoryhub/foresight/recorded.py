"""The writes of the last days as the changes and the audit keep them, grouped by everything a rule looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import orjson
from django.db import connection

type Found = Literal["change", "event", "owner"]

EXAMPLES = 5
# What agents wrote; decisions, rollbacks and conclusions of our own are no writes that a policy judged at the door.
_ACTS = ("process_event", "pipeline", "write_field", "write_memory", "remove_field", "edit_memory")

_CHANGES = f"""
SELECT c.target_kind, c.form_type, c.field_name, c.importance, c.importance_parts = '[]', c.confidence, c.trust_tier,
  c.agent_id, c.basis, coalesce(e.role, ''), c.gates, c.candidate IS NOT NULL,
  c.event_id IS NULL OR (c.quote = '' AND c.basis <> 'observed'), count(*),
  to_jsonb((array_agg(jsonb_build_array(c.owner_id, c.id) ORDER BY c.created_at DESC, c.id DESC))[1:{EXAMPLES}])::text
FROM memoryhub_change c
JOIN memoryhub_changeset s ON s.owner_id = c.owner_id AND s.id = c.change_set_id
JOIN memoryhub_owner o ON o.id = c.owner_id AND o.state <> 'erasing'
LEFT JOIN memoryhub_event e ON e.owner_id = c.owner_id AND e.id = c.event_id
WHERE c.workspace_id = %(workspace)s AND c.created_at >= %(since)s AND s.act = ANY(%(acts)s) AND c.action <> 'reinforce'
  AND (%(field)s = '' OR (c.form_type = %(form_type)s AND c.field_name = %(field)s))
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
"""

_REFUSED = f"""
SELECT a.details ->> 'code', a.details - 'code', count(*),
  to_jsonb((array_agg(jsonb_build_array(a.owner_id, a.object_id) ORDER BY a.at DESC, a.id DESC))[1:{EXAMPLES}])::text
FROM memoryhub_auditentry a JOIN memoryhub_owner o ON o.id = a.owner_id AND o.state <> 'erasing'
WHERE a.workspace_id = %(workspace)s AND a.at >= %(since)s AND a.action = 'write.refused'
  AND a.details ->> 'code' IN ('low_confidence', 'low_importance', 'writer_not_allowed')
  AND (%(field)s = '' OR a.details ->> 'what' = %(form_type)s || '.' || %(field)s)
GROUP BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class Example:
    """Where one write can be looked at: its change, its event, or with neither only its owner."""

    owner_id: UUID
    kind: Found
    id: UUID | None


@dataclass(frozen=True, kw_only=True, slots=True)
class WriteGroup:
    """`count` writes that no rule can tell apart. `stood`: what became of them then.

    `importance_is_default`: nobody claimed one. `without_evidence`: there was no event or no quote to look for. `gates` are all
    that were noted; of a write that was not stored only those that no number decides.
    """

    is_item: bool
    form_type: str
    field: str
    importance: float
    importance_is_default: bool
    confidence: float
    trust_tier: int
    agent_id: str
    by_staff: bool
    role: str
    gates: frozenset[str]
    without_evidence: bool
    stood: Literal["stored", "waits", "session_only", "refused"]
    count: int
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """`unknown` counts writes that were turned away without a note of their numbers, by the reason."""

    writes: Sequence[WriteGroup]
    unknown: dict[str, int]


def load_writes(*, workspace_id: UUID, since: datetime, form_type: str = "", field: str = "") -> Recorded:
    """Everything written since then, or what was written to one field: two statements. Call inside a workspace scope."""
    asked: dict[str, UUID | datetime | str | list[str]] = {
        "workspace": workspace_id,
        "since": since,
        "form_type": form_type,
        "field": field,
        "acts": list(_ACTS),
    }
    with connection.cursor() as cursor:
        cursor.execute(_CHANGES, asked)
        writes = [_change_group(row) for row in cursor.fetchall()]
        cursor.execute(_REFUSED, asked)
        refused = cursor.fetchall()
    unknown: dict[str, int] = {}
    for code, details, count, examples in refused:
        noted = orjson.loads(details) if isinstance(details, str) else details
        if "importance" in noted:
            writes.append(_refused_group(code, noted, count, examples))
        else:
            unknown[code] = unknown.get(code, 0) + count
    return Recorded(writes, unknown)


def _change_group(row: Sequence[Any]) -> WriteGroup:
    (kind, form_type, field, importance, is_default, confidence, tier, agent_id, basis, role, gates, waited,
     without_evidence, count, examples) = row  # fmt: skip
    return WriteGroup(
        is_item=kind == "item",
        form_type=form_type,
        field=field,
        importance=importance,
        importance_is_default=is_default,
        confidence=confidence,
        trust_tier=tier,
        agent_id=str(agent_id or ""),
        by_staff=basis == "staff",
        role=role,
        gates=frozenset(gates),
        without_evidence=without_evidence,
        stood="waits" if waited else "stored",
        count=count,
        examples=_examples(examples, "change"),
    )


def _refused_group(code: str, noted: dict[str, Any], count: int, examples: str) -> WriteGroup:
    form_type, _dot, field = str(noted["what"]).partition(".")
    return WriteGroup(
        is_item=not field,
        form_type=form_type if field else "",
        field=field,
        importance=noted["importance"],
        importance_is_default=noted["default"],
        confidence=noted["confidence"],
        trust_tier=noted["tier"],
        agent_id=noted["agent"],
        by_staff=noted["staff"],
        role=noted["role"],
        gates=frozenset(noted["gates"]),
        without_evidence=noted["quote"] is None,
        stood="session_only" if code == "low_importance" else "refused",
        count=count,
        examples=_examples(examples, "event"),
    )


def _examples(text: str, kind: Found) -> tuple[Example, ...]:
    return tuple(
        Example(UUID(owner), kind if found else "owner", UUID(found) if found else None)
        for owner, found in orjson.loads(text)
    )
