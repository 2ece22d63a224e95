"""The one function that writes an audit entry: in the transaction of the act, with ids and codes, never content."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memoryhub import owner_keys
from memoryhub.models import AuditEntry


@dataclass(frozen=True, kw_only=True, slots=True)
class Actor:
    """Who acts, and by which way in."""

    kind: str
    id: str = ""
    transport: str = ""
    request_id: str = ""


SYSTEM = Actor(kind="system")
current_actor: ContextVar[Actor] = ContextVar("current_actor", default=SYSTEM)
"""Set once at the edge (API view, desk view, job); services need not hand it through."""


def entry(
    *,
    action: str,
    workspace_id: UUID | None,
    owner_id: UUID | None = None,
    object_kind: str = "",
    object_id: UUID | None = None,
    content: bytes | None = None,
    details: dict[str, Any] | None = None,
) -> AuditEntry:
    """An unsaved entry about one act. `content` is turned into a commitment under the owner's key and not kept."""
    actor = current_actor.get()
    return AuditEntry(
        workspace_id=workspace_id,
        owner_id=owner_id,
        action=action,
        actor_kind=actor.kind,
        actor_id=actor.id,
        object_kind=object_kind,
        object_id=object_id,
        transport=actor.transport,
        request_id=actor.request_id,
        commitment=owner_keys.commitment(owner_id, content) if owner_id and content is not None else None,
        details=details or {},
    )


def record(*entries: AuditEntry) -> None:
    """Write the entries. Raises when they cannot be written, which undoes the act they are about."""
    AuditEntry.objects.bulk_create(entries)
