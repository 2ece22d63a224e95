"""Feedback: what of a recall was used, useless or harmful."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.response import Response

from api.access import find_owner
from api.authentication import AgentRequest
from api.idempotency import run_once
from api.reading import read_body, read_query
from api.schema import ABOUT_OWNER, IDEMPOTENCY_KEY, WITH_BODY, WITH_KEY, operation
from api.serializers.feedback import (
    FEEDBACK_ANSWER_EXAMPLE,
    FEEDBACK_EXAMPLE,
    HARMFUL_EXAMPLE,
    FeedbackAnswer,
    FeedbackGiven,
)
from api.serializers.fields import Strict
from api.views.base import AgentView
from memoryhub.changes.feedback import VERDICTS, record_feedback
from memoryhub.exceptions import InvalidInput


class RecallFeedback(AgentView):
    scopes = {"POST": "recall"}

    @operation(
        "recalls_feedback",
        tag="recall",
        summary="Say what of a recall was used, useless or harmful",
        description=(
            "A harmful memory is put before a person at once. The verdicts count as signals; none of them changes memory by "
            "itself."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=FeedbackGiven,
        request_examples={"It helped": FEEDBACK_EXAMPLE, "It is wrong": HARMFUL_EXAMPLE},
        answers={200: FeedbackAnswer},
        examples={200: FEEDBACK_ANSWER_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, *WITH_KEY),
    )
    def post(self, request: AgentRequest, recall_id: UUID) -> Response:
        read_query(request, Strict)
        sent = read_body(request, FeedbackGiven)
        owner = find_owner(request.user, sent["owner"])

        def work() -> dict[str, Any]:
            result = record_feedback(
                workspace_id=request.user.workspace_id,
                owner_id=owner.id,
                recall_id=recall_id,
                verdicts=[(target, verdict) for verdict in VERDICTS for target in sent[verdict]],
                agent_id=request.user.agent.id,
            )
            return result.as_json()

        route = f"recalls/{recall_id}/feedback"
        try:
            answer = run_once(request, owner_id=owner.id, route=route, work=work, status_of=lambda _: 200)
        except InvalidInput as error:
            raise _at_its_place(error, sent) from None
        return Response(FeedbackAnswer(answer.content).data, status=answer.status)


def _at_its_place(error: InvalidInput, sent: dict[str, Any]) -> InvalidInput:
    """The error with the place in the body of the memory it is about."""
    places = {
        str(target): f"{verdict}[{index}]"
        for verdict in VERDICTS
        for index, target in reversed(list(enumerate(sent[verdict])))
    }
    error.field = places.get(error.details.get("memory", ""), error.field)
    return error
