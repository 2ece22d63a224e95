"""The trace: one row per recall, written in the recall's own transaction, before the answer.

A crash of PostgreSQL may lose the last 0.6 s of traces unless the policy says `recall_durability = sync`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.db.backends.utils import CursorWrapper

from memoryhub.language.masking import mask_secrets
from memoryhub.models import new_id
from memoryhub.recall.answers import Caller, Excluded, Leg, Parts, RecallRequest, Served
from memoryhub.recall.assembling import Block
from memoryhub.recall.knowing import Known

_INSERT = """
INSERT INTO memoryhub_recall (owner_id, id, workspace_id, query, session_ref, agent_id, user_id, valid_at, known_at,
  policy_version_id, request, legs, served, excluded, excluded_counts, tokens, milliseconds, session_hit)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s::jsonb, %s::jsonb, %s::jsonb, %s::jsonb, %s::jsonb, %s, %s, %s)
"""


def make_durable(cursor: CursorWrapper, *, durability: str) -> None:
    """Whether the commit of this transaction waits for the disk."""
    commit = "on" if durability == "sync" else "off"
    cursor.execute("SELECT set_config('synchronous_commit', %s, true)", [commit])


def trace(
    cursor: CursorWrapper,
    *,
    known: Known,
    request: RecallRequest,
    caller: Caller,
    block: Block,
    legs: dict[str, Leg],
    milliseconds: float,
    session_hit: bool | None = None,
) -> UUID:
    """Insert the row and return its id. Ids, scores and reasons; of the owner's words only the question."""
    recall_id = new_id()
    values: list[Any] = [
        known.owner_id,
        recall_id,
        known.workspace_id,
        mask_secrets(request.query)[0],
        request.session_ref,
        caller.agent_id,
        caller.user_id,
        request.valid_at,
        request.known_at,
        known.policy_version_id,
        _json(_request(request)),
        _json({name: leg.as_json() for name, leg in legs.items()}),
        _json([served_json(entry) for entry in block.served]),
        _json([excluded_json(entry) for entry in block.excluded]),
        _json(block.excluded_counts),
        block.tokens,
        milliseconds,
        session_hit,
    ]
    cursor.execute(_INSERT, values)
    return recall_id


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def _request(request: RecallRequest) -> dict[str, Any]:
    asked: dict[str, Any] = {
        "entities": list(request.entities),
        "kinds": list(request.kinds),
        "budget_tokens": request.budget_tokens,
        "top_k": request.top_k,
        "min_authority": request.min_authority,
        "clock": request.clock,
    }
    return {name: value for name, value in asked.items() if value not in (None, [])}


def parts_json(parts: Parts) -> dict[str, float | None]:
    """The parts of a score, to six places."""
    return {
        "meaning": round(parts.meaning, 6),
        "entity": round(parts.entity, 6),
        "recency": round(parts.recency, 6),
        "importance": round(parts.importance, 6),
        "gate": round(parts.gate, 6),
        "cosine": None if parts.cosine is None else round(parts.cosine, 6),
        "cover": round(parts.cover, 6),
    }


def served_json(entry: Served) -> dict[str, Any]:
    """One served line as the trace keeps it."""
    return {
        "section": entry.section,
        "kind": entry.kind,
        "id": str(entry.target_id),
        "owner": str(entry.owner_id),
        "layer": entry.layer,
        "ids": [str(target_id) for target_id in entry.ids],
        "event_ids": [str(event_id) for event_id in entry.event_ids],
        "legs": list(entry.legs),
        "tokens": entry.tokens,
        "certainty": entry.certainty,
        "being_confirmed": entry.being_confirmed,
        "at": _instant(entry.occurred_at),
        "score": None if entry.score is None else round(entry.score, 6),
        "parts": None if entry.parts is None else parts_json(entry.parts),
    }


def excluded_json(entry: Excluded) -> dict[str, Any]:
    """One thing left out as the trace keeps it."""
    return {"kind": entry.kind, "id": str(entry.target_id), "rule": entry.rule, "score": entry.score}


def _instant(when: datetime) -> str:
    return when.isoformat()
