"""The writes of the last days as the changes and the audit keep them, grouped by everything a rule looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

import orjson
from django.db import connection

type Found = Literal["change", "event", "owner"]
type ItemKind = Literal["episodic", "semantic", "procedural", "knowledge"]

EXAMPLES = 5
UUID_TEXT = 36
# What agents wrote; decisions, rollbacks and conclusions of our own are no writes that a policy judged at the door.
_ACTS = ("process_event", "pipeline", "write_field", "write_memory", "remove_field", "edit_memory")

# One key holds everything a rule looks at: sorting one text bytewise is three times as fast as sorting by thirteen columns.
# What was claimed is the sum of the parts, held within [0, 1] (`writing.importance`); without parts nothing was.
_CHANGES = f"""
SELECT key, count(*), (array_agg(owner_id::text || id::text ORDER BY id DESC))[1:{EXAMPLES}] FROM (
  SELECT c.owner_id, c.id, jsonb_build_array(
    CASE WHEN c.target_kind = 'item' THEN coalesce(c.candidate ->> 'item_kind', c.after ->> 'kind', 'semantic') END,
    c.form_type, c.field_name,
    CASE WHEN c.importance_parts <> '[]' THEN (SELECT round(least(greatest(sum((part ->> 1)::numeric), 0), 1), 4)::float
      FROM jsonb_array_elements(c.importance_parts) part) END,
    coalesce(c.target_kind <> 'item' AND c.importance_parts -> 0 ->> 0 = 'default', false),
    coalesce((c.candidate ->> 'confidence')::float, c.confidence), c.trust_tier, c.agent_id, c.basis = 'staff',
    coalesce(e.role, ''), c.gates, c.candidate IS NOT NULL,
    c.event_id IS NULL OR (c.quote = '' AND c.basis <> 'observed'))::text COLLATE "C" AS key
  FROM memoryhub_change c
  JOIN memoryhub_changeset s ON s.owner_id = c.owner_id AND s.id = c.change_set_id
  JOIN memoryhub_owner o ON o.id = c.owner_id AND o.state <> 'erasing'
  LEFT JOIN memoryhub_event e ON e.owner_id = c.owner_id AND e.id = c.event_id
  WHERE c.workspace_id = %(workspace)s AND c.created_at >= %(since)s AND s.act = ANY(%(acts)s) AND c.action <> 'reinforce' AND c.target_kind <> 'relation'
    AND (%(field)s = '' OR (c.form_type = %(form_type)s AND c.field_name = %(field)s))
) written GROUP BY key
"""

_REFUSED = f"""
SELECT a.details ->> 'code', a.details - 'code', count(*),
  (array_agg(a.owner_id::text || coalesce(a.object_id::text, '') ORDER BY a.id DESC))[1:{EXAMPLES}]
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

    `item_kind` is None for a form value. `importance` and `confidence` are what was claimed (None: nothing was);
    `on_default` says that the claimed importance is the field's default and something more or less.
    `without_evidence`: there was no event or no quote to look for. `gates` are all that were noted; of a write that was not
    stored only those that no number decides.
    """

    item_kind: ItemKind | None
    form_type: str
    field: str
    importance: float | None
    on_default: bool
    confidence: float | None
    trust_tier: int
    agent_id: UUID | None
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


def _change_group(row: tuple[str, int, list[str]]) -> WriteGroup:
    key, count, examples = row
    (item_kind, form_type, field, importance, on_default, confidence, tier, agent_id, by_staff, role, gates, waited,
     without_evidence) = orjson.loads(key)  # fmt: skip
    return WriteGroup(
        item_kind=item_kind,
        form_type=form_type,
        field=field,
        importance=importance,
        on_default=on_default,
        confidence=confidence,
        trust_tier=tier,
        agent_id=UUID(agent_id) if agent_id else None,
        by_staff=by_staff,
        role=role,
        gates=frozenset(gates),
        without_evidence=without_evidence,
        stood="waits" if waited else "stored",
        count=count,
        examples=_examples(examples, "change"),
    )


def _refused_group(code: str, noted: dict[str, Any], count: int, examples: list[str]) -> WriteGroup:
    what, _dot, field = str(noted["what"]).partition(".")
    return WriteGroup(
        item_kind=None if field else cast("ItemKind", what),
        form_type=what if field else "",
        field=field,
        importance=noted["importance"],
        on_default=noted["on_default"],
        confidence=noted["confidence"],
        trust_tier=noted["tier"],
        agent_id=UUID(noted["agent"]) if noted["agent"] else None,
        by_staff=noted["staff"],
        role=noted["role"],
        gates=frozenset(noted["gates"]),
        without_evidence=noted["quote"] is None,
        stood="session_only" if code == "low_importance" else "refused",
        count=count,
        examples=_examples(examples, "event"),
    )


def _examples(ids: Sequence[str], kind: Found) -> tuple[Example, ...]:
    """From texts of two ids, the owner's and the row's; the second may be missing."""
    pairs = [(UUID(text[:UUID_TEXT]), text[UUID_TEXT:]) for text in ids]
    return tuple(
        Example(owner, kind if found else "owner", UUID(found) if found else None) for owner, found in pairs
    )
