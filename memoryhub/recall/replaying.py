"""A recall asked again as at the moment it was asked: its clocks, its policy, the values of its session and the words of fields.

What people decided since is known by then as by now; the embedding model is today's.
"""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from memoryhub.database.scope import scope
from memoryhub.models import PolicyVersion, Recall, WhitelistEdit
from memoryhub.policies import Policy
from memoryhub.recall.answers import RecallRequest
from memoryhub.recall.knowing import Field, Known
from memoryhub.recall.slots import SlotRow, slots_of

# A value that was cleared since (the session ended) cannot be brought back; those that still are kept can.
_SLOTS = """
SELECT jsonb_agg(jsonb_build_array(t.id, t.context, t.name, t.value, t.said_by, t.form_type, t.form_subject, t.field_name,
    t.event_id, t.trust_tier, t.set_at, least(t.touched_at, %(then)s)) ORDER BY t.context, t.name)::text
  FROM memoryhub_session s JOIN memoryhub_sessionslot t ON t.owner_id = s.owner_id AND t.session_id = s.id
  WHERE s.owner_id = %(owner)s AND s.ref = %(session)s AND s.opened_at <= %(then)s
    AND (s.ended_at IS NULL OR s.ended_at > %(then)s) AND t.set_at <= %(then)s AND t.held_for = ''
    AND (t.deprecated_at IS NULL OR t.deprecated_at > %(then)s) AND t.cleared_at IS NULL
"""


def request_of(recall: Recall, *, as_then: bool) -> RecallRequest:
    """The question of a logged recall, to be asked again: as at its moment, or now."""
    asked: dict[str, Any] = recall.request
    clock = asked.get("clock")
    return RecallRequest(
        query=recall.query,
        session_ref=recall.session_ref,
        entities=tuple(asked.get("entities", ())),
        kinds=tuple(asked.get("kinds", ())),
        valid_at=recall.valid_at,
        known_at=recall.known_at,
        budget_tokens=asked.get("budget_tokens"),
        top_k=asked.get("top_k"),
        min_authority=asked.get("min_authority"),
        explain=True,
        evaluation=True,
        clock=datetime.fromisoformat(clock) if clock else None,
        replayed_at=recall.created_at if as_then else None,
        replayed_policy=recall.policy_version_id if as_then else None,
    )


def as_it_was(known: Known, request: RecallRequest) -> Known:
    """What was known about the owner at `request.replayed_at`: at most three statements."""
    then = request.replayed_at
    assert then is not None
    with scope(workspace_id=known.workspace_id, owners=[known.owner_id], purpose="recall"):
        version = _version(known.workspace_id, request.replayed_policy)
        slots = _slots(known.owner_id, request.session_ref, then)
        words = _words(known.workspace_id, then)
    return replace(
        known,
        now=then,
        policy=_policy(version.values) if version else known.policy,
        policy_version_id=version.id if version else known.policy_version_id,
        slots=slots,
        fields=tuple(_as_worded(field, words.get(field.id)) for field in known.fields),
    )


def _version(workspace_id: UUID, version_id: UUID | None) -> PolicyVersion | None:
    if version_id is None:
        return None
    return PolicyVersion.objects.filter(workspace_id=workspace_id, id=version_id).first()


def _policy(values: dict[str, Any]) -> Policy:
    """A stored version as rules; what a later program does not know any more is left out."""
    known = {field.name for field in fields(Policy)}
    return Policy(**{name: value for name, value in values.items() if name in known})


def _slots(owner_id: UUID, session_ref: str, then: datetime) -> tuple[SlotRow, ...]:
    if not session_ref:
        return ()
    with connection.cursor() as cursor:
        cursor.execute(_SLOTS, {"owner": owner_id, "session": session_ref, "then": then})
        return slots_of(cursor.fetchone()[0])


def _words(workspace_id: UUID, then: datetime) -> dict[UUID, dict[str, Any]]:
    """Of fields that were edited since: what the first edit after the moment found."""
    edits = WhitelistEdit.objects.filter(workspace_id=workspace_id, at__gt=then, field__isnull=False)
    newest_first = (
        edits.filter(before__isnull=False).order_by("-at", "-version").values_list("field_id", "before")
    )
    return {field_id: before for field_id, before in newest_first if before}


def _as_worded(field: Field, before: dict[str, Any] | None) -> Field:
    if not before:
        return field
    return replace(
        field,
        label_en=before.get("label_en", field.label_en),
        label_zh=before.get("label_zh", field.label_zh),
        aliases=tuple(before.get("aliases", field.aliases)),
    )
