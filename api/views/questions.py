"""Questions: what an agent should ask its user, and the user's answer."""

from __future__ import annotations

from collections.abc import Callable
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
    EXPIRED_EXAMPLE,
    QUESTION_EXAMPLE,
    QuestionAnswer,
    QuestionAnswering,
    QuestionEnding,
    QuestionQuery,
)
from api.views.base import AgentView
from memoryhub.changes.questions import Reply, answer_question, close_question
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
            "`exception` reject it, a third `value` is written in its place by the ordinary steps. `text` alone is read, in "
            "Chinese and English; words that are not plain leave the decision to a person. The answer is itself evidence: "
            "without `event` an event is recorded. 409 with the state when the question is not open any more."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=QuestionAnswering,
        request_examples={
            "He moved": {"owner": "customer-4711", "answer": "new", "event": ANSWERED_EXAMPLE["event"]},
            "Neither": {"owner": "customer-4711", "value": "静安", "text": "都不是，现在寄到静安"},
            "In his words": {"owner": "customer-4711", "text": "这次例外，以后还是寄到浦东"},
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
                reply=Reply(answer=sent["answer"], value=sent["value"], text=sent["text"]),
                event_id=sent["event"],
                source=request.user.as_source(),
            )
            return {"question": str(question.id)}

        return _told(request, owner.id, question_id, "answer", work)


class QuestionExpiry(AgentView):
    scopes = {"POST": "questions:answer"}

    @operation(
        "questions_expire",
        tag=TAG,
        summary="End a question that the owner did not answer",
        description=(
            "The change it was about goes back to the people of the desk, with the reason. Questions nobody answered end by "
            "themselves (`unanswered`). 409 with the state when it is not open any more."
        ),
        parameters=[IDEMPOTENCY_KEY],
        request=QuestionEnding,
        request_examples={"He did not want to say": {"owner": "customer-4711", "reason": "declined"}},
        answers={200: QuestionAnswer},
        examples={200: EXPIRED_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, *WITH_KEY),
    )
    def post(self, request: AgentRequest, question_id: UUID) -> Response:
        read_query(request, Strict)
        sent = read_body(request, QuestionEnding)
        owner = find_owner(request.user, sent["owner"])

        def work() -> Any:
            question = close_question(
                workspace_id=request.user.workspace_id,
                owner_id=owner.id,
                question_id=question_id,
                code=sent["reason"],
                source=request.user.as_source(),
            )
            return {"question": str(question.id)}

        return _told(request, owner.id, question_id, "expire", work)


def _told(
    request: AgentRequest, owner_id: UUID, question_id: UUID, act: str, work: Callable[[], Any]
) -> Response:
    """Do it once, and answer how the question stands."""
    route = f"questions/{question_id}/{act}"
    answer = run_once(request, owner_id=owner_id, route=route, work=work, status_of=lambda _: 200)
    with scope(workspace_id=request.user.workspace_id, owners=[owner_id], purpose="api"):
        body = QuestionAnswer(questions_of(owner_id, {}).get(id=answer.content["question"])).data
    return Response(body, status=answer.status)
