"""Who writes: read from the credential, never from what was sent."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """`responsible_user_id` is the person answerable for the write: of an agent the creator of its key."""

    workspace_id: UUID
    trust_tier: int
    transport: str = "api"
    agent_id: UUID | None = None
    api_key_id: UUID | None = None
    user_id: int | None = None
    responsible_user_id: int | None = None
