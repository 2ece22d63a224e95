"""Recall: what is known that matters now, and the trace of every answer."""

from __future__ import annotations

from uuid import UUID

from rest_framework.response import Response

from api.access import find_owner, reading
from api.authentication import AgentRequest
from api.idempotency import given_key
from api.pagination import take_page
from api.queries.recalls import NEWEST_FIRST, recalls_of, refs_of
from api.reading import read_body, read_query
from api.schema import ABOUT_OWNER, IDEMPOTENCY_KEY, operation, page_example, page_of
from api.serializers.events import ForOwner
from api.serializers.fields import Strict
from api.serializers.recall import (
    RECALL_EXAMPLE,
    SUMMARY_EXAMPLE,
    TRACE_EXAMPLE,
    RecallAnswerBody,
    RecallAsk,
    RecallQuery,
    RecallSummaryAnswer,
    RecallTraceAnswer,
    as_recall_request,
    recall_body,
)
from api.serializers.recall_parts import in_format
from api.views.base import AgentView
from memoryhub.exceptions import NotFound
from memoryhub.recall.answers import Caller
from memoryhub.recall.pipeline import recall


class RecallView(AgentView):
    scopes = {"POST": "recall"}

    @operation(
        "recall",
        tag="recall",
        summary="What is known about an owner that matters for a question",
        description=(
            "Ranked, under a token budget, with a fenced block for the model. Never makes an owner. Idempotency-Key is "
            "accepted and changes nothing: a recall has no effect but its trace, and is always answered from now."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=RecallAsk,
        request_examples={
            "A question": {"owner": "customer-4711", "query": "有什么零食推荐", "session": "chat-18"},
            "As a message for a chat model": {
                "owner": "customer-4711",
                "query": "How is that issue going?",
                "session": "chat-18",
                "format": "messages",
            },
        },
        answers={200: RecallAnswerBody},
        examples={200: RECALL_EXAMPLE},
        errors=(*ABOUT_OWNER, 413, 415),
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        given_key(request)
        asked = read_body(request, RecallAsk)
        owner = find_owner(request.user, asked["owner"])
        answer = recall(
            workspace_id=request.user.workspace_id,
            owner_id=owner.id,
            request=as_recall_request(asked),
            caller=Caller(agent_id=request.user.agent.id, api_key_id=request.user.key.id),
        )
        refs = refs_of(
            workspace_id=request.user.workspace_id,
            asked=(owner.id, asked["owner"]),
            served=(entry.owner_id for entry in answer.served),
        )
        body = recall_body(answer, refs=refs, explain=asked["explain"])
        return Response(in_format(body, asked["format"], data=("served",)))


class RecallList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "recalls_list",
        tag="recall",
        summary="What was asked about an owner, newest first",
        query=RecallQuery,
        paged=True,
        answers={200: page_of("RecallPage", RecallSummaryAnswer)},
        examples={200: page_example(SUMMARY_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, RecallQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            page = take_page(request, recalls_of(owner.id, asked), order=NEWEST_FIRST)
            results = RecallSummaryAnswer(page.rows, many=True).data
        return Response(page.answered(request, results))


class RecallDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "recalls_get",
        tag="recall",
        summary="Why an answer was what it was",
        query=ForOwner,
        answers={200: RecallTraceAnswer},
        examples={200: TRACE_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, recall_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        with reading(request.user, asked["owner"]) as owner:
            found = recalls_of(owner.id, {}).filter(id=recall_id).first()
            if found is None:
                raise NotFound
            body = RecallTraceAnswer(found).data
        return Response(body)
