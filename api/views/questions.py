"""Questions: what an agent should ask its user, and the user's answer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.response import Response

from api.access import find_owner, reading
from api.authentication import AgentRequest
from api.idempotency import run_once
from api.pagination import take_page
from api.queries.questions import NEWEST_FIRST, questions_of
from api.reading import read_body, read_query
from api.schema import ABOUT_OWNER, IDEMPOTENCY_KEY, WITH_BODY, WITH_KEY, operation, page_example, page_of
from api.serializers.events import ForOwner
from api.serializers.fields import Strict
from api.serializers.questions import (
    ANSWERED_EXAMPLE,
    QUESTION_EXAMPLE,
    QuestionAnswer,
    QuestionAnswering,
    QuestionQuery,
)
from api.views.base import AgentView
from memoryhub.changes.questions import answer_question
from memoryhub.database.scope import scope
from memoryhub.exceptions import NotFound

TAG = "questions"


class QuestionList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "questions_list",
        tag=TAG,
        summary="What to ask the owner, newest first",
        description="Open questions, or those of another `state`. `text` is ready to be said.",
        query=QuestionQuery,
        paged=True,
        answers={200: page_of("QuestionPage", QuestionAnswer)},
        examples={200: page_example(QUESTION_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, QuestionQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            page = take_page(request, questions_of(owner.id, asked), order=NEWEST_FIRST)
            results = QuestionAnswer(page.rows, many=True).data
        return Response(page.answered(request, results))


class QuestionDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "questions_get",
        tag=TAG,
        summary="One question, open or not",
        query=ForOwner,
        answers={200: QuestionAnswer},
        examples={200: QUESTION_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, question_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        with reading(request.user, asked["owner"]) as owner:
            question = questions_of(owner.id, {}).filter(id=question_id).first()
            if question is None:
                raise NotFound
            body = QuestionAnswer(question).data
        return Response(body)


class QuestionReply(AgentView):
    scopes = {"POST": "questions:answer"}

    @operation(
        "questions_answer",
        tag=TAG,
        summary="Pass on what the owner answered",
        description=(
            "`new` applies the change on the owner's word (in the highest class two people still decide), `keep` and "
            "`exception` reject it. 409 when the question is not open any more."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=QuestionAnswering,
        request_examples={
            "He moved": {"owner": "customer-4711", "answer": "new", "event": ANSWERED_EXAMPLE["event"]}
        },
        answers={200: QuestionAnswer},
        examples={200: ANSWERED_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, *WITH_KEY),
    )
    def post(self, request: AgentRequest, question_id: UUID) -> Response:
        read_query(request, Strict)
        sent = read_body(request, QuestionAnswering)
        owner = find_owner(request.user, sent["owner"])

        def work() -> Any:
            question = answer_question(
                workspace_id=request.user.workspace_id,
                owner_id=owner.id,
                question_id=question_id,
                answer=sent["answer"],
                event_id=sent["event"],
                source=request.user.as_source(),
            )
            return {"question": str(question.id)}

        route = f"questions/{question_id}/answer"
        answer = run_once(request, owner_id=owner.id, route=route, work=work, status_of=lambda _: 200)
        with scope(workspace_id=request.user.workspace_id, owners=[owner.id], purpose="api"):
            body = QuestionAnswer(questions_of(owner.id, {}).get(id=answer.content["question"])).data
        return Response(body, status=answer.status)
