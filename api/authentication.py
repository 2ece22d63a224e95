"""Who calls: the agent whose key stands in `Authorization: Bearer`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from memoryhub.audit import Actor
from memoryhub.keys import find_key, note_use
from memoryhub.models import Agent, ApiKey, Workspace
from memoryhub.writing.source import Source

TOKEN = re.compile(r"mhk_[a-z]{1,10}_[A-Za-z0-9]{1,16}_[A-Za-z0-9]{1,100}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """The agent behind a request. What it may do comes from its key and from nothing it sends."""

    key: ApiKey
    is_authenticated: bool = True
    acting_under: str = ""
    """The scope that the request needs; set when the key was found to have it."""

    @property
    def agent(self) -> Agent:
        return self.key.agent

    @property
    def workspace(self) -> Workspace:
        return self.key.agent.workspace

    @property
    def workspace_id(self) -> UUID:
        return self.key.agent.workspace_id

    def may(self, scope: str) -> bool:
        return scope in self.key.scopes

    def may_reach(self, owner_ref: str) -> bool:
        """Whether the key is not restricted, or restricted to owners among whom this one is."""
        return not self.key.owner_refs or owner_ref in self.key.owner_refs

    def as_actor(self, request_id: str) -> Actor:
        return Actor(kind="agent", id=str(self.agent.id), transport="http", request_id=request_id)

    def as_source(self) -> Source:
        return Source(
            workspace_id=self.workspace_id,
            agent_id=self.agent.id,
            api_key_id=self.key.id,
            trust_tier=self.key.trust_tier,
            responsible_user_id=self.key.created_by_id,
            transport="http",
        )


class AgentRequest(Request):
    """A request that passed authentication, for types: its user is the caller."""

    if TYPE_CHECKING:
        user: Caller  # type: ignore[assignment]


class ApiKeyAuthentication(BaseAuthentication):
    """Unknown, expired, revoked and malformed keys are one answer: 401, without saying which."""

    def authenticate(self, request: Request) -> tuple[Caller, ApiKey] | None:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        if not kind:
            return None
        key = find_key(token.strip()) if kind.lower() == "bearer" and TOKEN.fullmatch(token.strip()) else None
        if key is None:
            raise AuthenticationFailed
        note_use(key, now=timezone.now())
        return Caller(key=key), key

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="memoryhub"'
