"""The check before a turn: what speaks against what is about to be said or done."""

from __future__ import annotations

from rest_framework.response import Response

from api.access import find_owner
from api.authentication import AgentRequest
from api.idempotency import given_key
from api.queries.recalls import refs_of
from api.reading import read_body, read_query
from api.schema import ABOUT_OWNER, IDEMPOTENCY_KEY, operation
from api.serializers.fields import Strict
from api.serializers.state_check import (
    STATE_CHECK_EXAMPLE,
    StateCheckAsk,
    StateCheckBody,
    as_state_check,
    owners_in,
    state_check_body,
)
from api.views.base import AgentView
from memoryhub.checking.state_check import check_state


class StateCheckView(AgentView):
    scopes = {"POST": "recall"}

    @operation(
        "state_check",
        tag="recall",
        summary="What speaks against what is about to be said or done",
        description=(
            "`conflicts`: a claim and the stored value it contradicts, with evidence and a question that is ready to be asked. "
            "`questions`: open ones that it touches. `rules`: business rules, safety facts, dislikes, refusals and past values "
            "that bind the action. Nothing is stored; Idempotency-Key is accepted and changes nothing."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=StateCheckAsk,
        request_examples={
            "Before a recommendation": {"owner": "customer-4711", "action": "recommend a latte"},
            "A value": {
                "owner": "customer-4711",
                "session": "chat-18",
                "claims": [{"field": "user_profile.budget", "value": 8000}],
            },
            "What was just said": {"owner": "customer-4711", "text": "我的地址是徐汇"},
        },
        answers={200: StateCheckBody},
        examples={200: STATE_CHECK_EXAMPLE},
        errors=(*ABOUT_OWNER, 413, 415),
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        given_key(request)
        asked = read_body(request, StateCheckAsk)
        owner = find_owner(request.user, asked["owner"])
        workspace_id = request.user.workspace_id
        check = check_state(workspace_id=workspace_id, owner_id=owner.id, request=as_state_check(asked))
        refs = refs_of(workspace_id=workspace_id, asked=(owner.id, asked["owner"]), served=owners_in(check))
        return Response(state_check_body(check, refs=refs))
