"""Sessions: the working memory of one conversation."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from api.access import find_or_make_owner, find_owner, reading
from api.authentication import AgentRequest
from api.idempotency import run_once
from api.pagination import take_page
from api.queries.sessions import NEWEST_FIRST, sessions_of
from api.reading import read_body, read_query
from api.schema import (
    ABOUT_OWNER,
    IDEMPOTENCY_KEY,
    WITH_BODY,
    WITH_KEY,
    operation,
    page_example,
    page_of,
)
from api.serializers.fields import Strict
from api.serializers.sessions import (
    ENDED_EXAMPLE,
    SESSION_EXAMPLE,
    SUMMARY_EXAMPLE,
    WRITE_EXAMPLE,
    WRITTEN_EXAMPLE,
    SessionAnswer,
    SessionLookQuery,
    SessionOpening,
    SessionOutcomeWrite,
    SessionOwner,
    SessionQuery,
    SessionSummaryAnswer,
    SlotOutcomeAnswer,
    SlotRestoring,
    SlotsWrite,
    SlotsWrittenAnswer,
    as_new_slot,
)
from api.views.base import AgentView
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.models import Session
from memoryhub.sessions.contexts import is_context, normal_context
from memoryhub.sessions.ending import end_session
from memoryhub.sessions.looking import read_session
from memoryhub.sessions.opening import open_session
from memoryhub.sessions.outcomes import note_outcome
from memoryhub.sessions.setting import restore_slot, set_slots

TAG = "sessions"
NAMED = OpenApiParameter(
    "session_id",
    {"type": "string", "minLength": 1, "maxLength": 200},
    OpenApiParameter.PATH,
    description="Your own id of the session, or the `id` we gave it. The open one when several had this name.",
)


class SessionList(AgentView):
    scopes = {"GET": "memory:read", "POST": "sessions:write"}

    @operation(
        "sessions_list",
        tag=TAG,
        summary="The sessions of an owner, opened last first",
        query=SessionQuery,
        paged=True,
        answers={200: page_of("SessionPage", SessionSummaryAnswer)},
        examples={200: page_example(SUMMARY_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, SessionQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            page = take_page(request, sessions_of(owner.id, asked), order=NEWEST_FIRST)
            results = SessionSummaryAnswer(page.rows, many=True).data
        return Response(page.answered(request, results))

    @operation(
        "sessions_open",
        tag=TAG,
        summary="Open a session",
        description="Answers the open one (200) when there is one of this name. An ended one is never reopened: a new one begins.",
        parameters=[IDEMPOTENCY_KEY],
        request=SessionOpening,
        request_examples={"A chat": {"owner": "customer-4711", "session": "chat-18"}},
        answers={200: SessionSummaryAnswer, 201: SessionSummaryAnswer},
        examples={200: SUMMARY_EXAMPLE, 201: SUMMARY_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, *WITH_KEY),
    )
    def post(self, request: AgentRequest) -> Response:
        read_query(request, Strict)
        sent = read_body(request, SessionOpening)
        owner = find_or_make_owner(request.user, sent["owner"])

        def work() -> Any:
            source = request.user.as_source()
            session, is_new = open_session(owner_id=owner.id, ref=sent["session"], source=source)
            return {"session": str(session.id), "is_new": is_new}

        answer = run_once(
            request,
            owner_id=owner.id,
            route="sessions",
            work=work,
            status_of=lambda kept: 201 if kept["is_new"] else 200,
        )
        return Response(_summary(request, owner.id, answer.content["session"]), status=answer.status)


class SessionDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "sessions_get",
        tag=TAG,
        summary="What a conversation holds, by order, ticket or task",
        description="With `query` only the one or two contexts that matter for it. Ended: what became of every value.",
        query=SessionLookQuery,
        parameters=[NAMED],
        answers={200: SessionAnswer},
        examples={200: SESSION_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, session_id: str) -> Response:
        asked = read_query(request, SessionLookQuery)
        with reading(request.user, asked["owner"]) as owner:
            view = read_session(owner_id=owner.id, given=session_id, query=asked.get("query"))
            if view is None:
                raise NotFound
        return Response(SessionAnswer(view).data)


class SessionSlots(AgentView):
    scopes = {"PUT": "sessions:write", "PATCH": "sessions:write"}

    @operation(
        "sessions_replace_slots",
        tag=TAG,
        summary="Say all that holds in some contexts",
        description="As PATCH; whatever else stands in the contexts that are named is emptied.",
        parameters=[NAMED],
        request=SlotsWrite,
        request_examples={"An address": WRITE_EXAMPLE},
        answers={200: SlotsWrittenAnswer},
        examples={200: WRITTEN_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, 409, 412, 429),
    )
    def put(self, request: AgentRequest, session_id: str) -> Response:
        return _set(request, session_id, replace=True)

    @operation(
        "sessions_set_slots",
        tag=TAG,
        summary="Set values of a session",
        description=(
            "Another value deprecates the one before with the reason; an earlier one that comes back is restored; `null` empties. "
            "All or nothing. 409 once the session has ended, 412 when a slot is not at the `version` you saw."
        ),
        parameters=[NAMED],
        request=SlotsWrite,
        request_examples={"An address": WRITE_EXAMPLE},
        answers={200: SlotsWrittenAnswer},
        examples={200: WRITTEN_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, 409, 412, 429),
    )
    def patch(self, request: AgentRequest, session_id: str) -> Response:
        return _set(request, session_id, replace=False)


class SessionRestore(AgentView):
    scopes = {"POST": "sessions:write"}

    @operation(
        "sessions_restore",
        tag=TAG,
        summary="Go back to an earlier value",
        description="To `version`, or to the value before the standing one; 409 when there is none.",
        parameters=[NAMED, IDEMPOTENCY_KEY],
        request=SlotRestoring,
        request_examples={
            "The old address": {"owner": "customer-4711", "context": "order:A", "name": "address"}
        },
        answers={200: SlotOutcomeAnswer},
        examples={200: {**WRITTEN_EXAMPLE["slots"][0], "outcome": "restored", "version": 3}},
        errors=(*ABOUT_OWNER, *WITH_BODY, *WITH_KEY),
    )
    def post(self, request: AgentRequest, session_id: str) -> Response:
        read_query(request, Strict)
        sent = read_body(request, SlotRestoring)
        owner = find_owner(request.user, sent["owner"])

        def work() -> Any:
            return restore_slot(
                owner_id=owner.id,
                given=session_id,
                context=_context(sent["context"]),
                name=sent["name"],
                version=sent["version"],
                source=request.user.as_source(),
                now=timezone.now(),
            ).as_json()

        answer = run_once(
            request,
            owner_id=owner.id,
            route=f"sessions/{session_id}/restore",
            work=work,
            status_of=lambda _: 200,
        )
        return Response(SlotOutcomeAnswer(answer.content).data)


class SessionEnd(AgentView):
    scopes = {"POST": "sessions:write"}

    @operation(
        "sessions_end",
        tag=TAG,
        summary="End a session",
        description=(
            "The last value of every name walks the normal write path with its evidence; what admission accepts is kept for good, "
            "the rest is cleared. `report` says what became of each and why. 409 when it has ended before."
        ),
        parameters=[NAMED, IDEMPOTENCY_KEY],
        request=SessionOwner,
        request_examples={"An end": {"owner": "customer-4711"}},
        answers={200: SessionAnswer},
        examples={200: ENDED_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, *WITH_KEY),
    )
    def post(self, request: AgentRequest, session_id: str) -> Response:
        read_query(request, Strict)
        sent = read_body(request, SessionOwner)
        owner = find_owner(request.user, sent["owner"])

        def work() -> Any:
            source = request.user.as_source()
            ended = end_session(owner_id=owner.id, given=session_id, source=source)
            return {"session": str(ended)}

        route = f"sessions/{session_id}/end"
        answer = run_once(request, owner_id=owner.id, route=route, work=work, status_of=lambda _: 200)
        with scope(workspace_id=request.user.workspace_id, owners=[owner.id], purpose="api"):
            view = read_session(owner_id=owner.id, given=answer.content["session"])
        return Response(SessionAnswer(view).data)


class SessionOutcome(AgentView):
    scopes = {"POST": "sessions:write"}

    @operation(
        "sessions_outcome",
        tag=TAG,
        summary="Say how a conversation came out",
        description="Of an open or an ended session; the last word counts.",
        parameters=[NAMED, IDEMPOTENCY_KEY],
        request=SessionOutcomeWrite,
        request_examples={"Resolved": {"owner": "customer-4711", "outcome": "resolved"}},
        answers={200: SessionSummaryAnswer},
        examples={
            200: {**SUMMARY_EXAMPLE, "outcome": "resolved", "outcome_at": "2026-03-01T08:05:00.000000Z"}
        },
        errors=(*ABOUT_OWNER, *WITH_BODY, *WITH_KEY),
    )
    def post(self, request: AgentRequest, session_id: str) -> Response:
        read_query(request, Strict)
        sent = read_body(request, SessionOutcomeWrite)
        owner = find_owner(request.user, sent["owner"])

        def work() -> Any:
            noted = note_outcome(
                owner_id=owner.id,
                given=session_id,
                outcome=sent["outcome"],
                source=request.user.as_source(),
            )
            return {"session": str(noted)}

        route = f"sessions/{session_id}/outcome"
        answer = run_once(request, owner_id=owner.id, route=route, work=work, status_of=lambda _: 200)
        return Response(_summary(request, owner.id, answer.content["session"]))


def _set(request: AgentRequest, session_id: str, *, replace: bool) -> Response:
    read_query(request, Strict)
    sent = read_body(request, SlotsWrite)
    owner = find_owner(request.user, sent["owner"])
    results = set_slots(
        owner_id=owner.id,
        given=session_id,
        slots=[as_new_slot(slot) for slot in sent["slots"]],
        source=request.user.as_source(),
        now=timezone.now(),
        replace=replace,
    )
    return Response(SlotsWrittenAnswer({"slots": results}).data)


def _context(context: str) -> str:
    if not is_context(context):
        raise InvalidInput("a context is empty or kind:name, as order:A", field="context", code="bad_context")
    return normal_context(context)


def _summary(request: AgentRequest, owner_id: Any, session_id: str) -> Any:
    with scope(workspace_id=request.user.workspace_id, owners=[owner_id], purpose="api"):
        return SessionSummaryAnswer(Session.objects.of(owner_id).get(id=session_id)).data
