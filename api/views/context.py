"""Context: the current state of an owner with how it came about, no question asked."""

from __future__ import annotations

from rest_framework.response import Response

from api.access import find_owner
from api.authentication import AgentRequest
from api.queries.recalls import refs_of
from api.reading import read_query
from api.schema import ABOUT_OWNER, operation
from api.serializers.context import (
    CONTEXT_DATA,
    CONTEXT_EXAMPLE,
    ContextBody,
    ContextQuery,
    context_body,
    owners_in,
)
from api.serializers.recall_parts import in_format
from api.views.base import AgentView
from memoryhub.recall.answers import Caller
from memoryhub.recall.context import context


class ContextView(AgentView):
    scopes = {"GET": "recall"}

    @operation(
        "context_get",
        tag="recall",
        summary="What to know about an owner before saying anything",
        description="Rules, current values, decisions with their path and reasons, what was refused, recent key events, open proposals.",
        query=ContextQuery,
        answers={200: ContextBody},
        examples={200: CONTEXT_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, ContextQuery)
        workspace_id = request.user.workspace_id
        owner = find_owner(request.user, asked["owner"])
        answer = context(
            workspace_id=workspace_id,
            owner_id=owner.id,
            caller=Caller(agent_id=request.user.agent.id, api_key_id=request.user.key.id),
            session_ref=asked["session"],
            budget_tokens=asked.get("budget_tokens"),
            valid_at=asked.get("valid_at"),
            known_at=asked.get("known_at"),
        )
        refs = refs_of(workspace_id=workspace_id, asked=(owner.id, asked["owner"]), served=owners_in(answer))
        body = context_body(answer, refs=refs)
        return Response(in_format(body, asked["format"], data=CONTEXT_DATA))
