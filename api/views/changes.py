"""Changes and change sets: every step of memory, and what became of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.response import Response

from api.access import reading
from api.authentication import AgentRequest
from api.pagination import take_page
from api.queries.changes import NEWEST_FIRST, change_sets_of, changes_of, states_in, transitions_of
from api.queries.reviews import reviews_about
from api.reading import read_query
from api.schema import ABOUT_OWNER, operation, page_example, page_of
from api.serializers.changes import (
    CHANGE_DETAIL_EXAMPLE,
    CHANGE_EXAMPLE,
    CHANGE_SET_DETAIL_EXAMPLE,
    CHANGE_SET_EXAMPLE,
    ChangeAnswer,
    ChangeDetailAnswer,
    ChangeQuery,
    ChangeSetAnswer,
    ChangeSetDetailAnswer,
    ChangeSetQuery,
    moves_of,
)
from api.serializers.events import ForOwner
from api.views.base import AgentView
from memoryhub.changes.evidence import evidence_stands
from memoryhub.exceptions import NotFound
from memoryhub.models import Change

TAG = "changes"


class ChangeList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "changes_list",
        tag=TAG,
        summary="The steps of an owner's memory, newest first",
        description=(
            "What was proposed, stored, rejected or rolled back, and why. What another agent's proposal says is withheld "
            "unless it took effect."
        ),
        query=ChangeQuery,
        paged=True,
        answers={200: page_of("ChangePage", ChangeAnswer)},
        examples={200: page_example(CHANGE_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, ChangeQuery, paged=True)
        agent_id = request.user.agent.id
        with reading(request.user, asked["owner"]) as owner:
            page = take_page(request, changes_of(owner.id, asked, agent_id=agent_id), order=NEWEST_FIRST)
            results = ChangeAnswer(page.rows, many=True, context={"agent_id": agent_id}).data
        return Response(page.answered(request, results))


class ChangeDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "changes_get",
        tag=TAG,
        summary="One step with its evidence, its moves and its reviews",
        query=ForOwner,
        answers={200: ChangeDetailAnswer},
        examples={200: CHANGE_DETAIL_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, change_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        agent_id = request.user.agent.id
        with reading(request.user, asked["owner"]) as owner:
            steps = changes_of(owner.id, {}, agent_id=agent_id).select_related("event")
            change = steps.filter(id=change_id).first()
            if change is None:
                raise NotFound
            context = {"agent_id": agent_id, "around": around(change)}
            body = ChangeDetailAnswer(change, context=context).data
        return Response(body)


class ChangeSetList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "changesets_list",
        tag=TAG,
        summary="The acts that changed an owner's memory, newest first",
        query=ChangeSetQuery,
        paged=True,
        answers={200: page_of("ChangeSetPage", ChangeSetAnswer)},
        examples={200: page_example(CHANGE_SET_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, ChangeSetQuery, paged=True)
        agent_id = request.user.agent.id
        with reading(request.user, asked["owner"]) as owner:
            page = take_page(request, change_sets_of(owner.id, asked, agent_id=agent_id), order=NEWEST_FIRST)
            results = ChangeSetAnswer(page.rows, many=True, context={"agent_id": agent_id}).data
        return Response(page.answered(request, results))


class ChangeSetDetail(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "changesets_get",
        tag=TAG,
        summary="One act, with how many of its changes are in which state",
        query=ForOwner,
        answers={200: ChangeSetDetailAnswer},
        examples={200: CHANGE_SET_DETAIL_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, change_set_id: UUID) -> Response:
        asked = read_query(request, ForOwner)
        agent_id = request.user.agent.id
        with reading(request.user, asked["owner"]) as owner:
            change_set = change_sets_of(owner.id, {}, agent_id=agent_id).filter(id=change_set_id).first()
            if change_set is None:
                raise NotFound
            context = {"agent_id": agent_id, "states": states_in(change_set)}
            body = ChangeSetDetailAnswer(change_set, context=context).data
        return Response(body)


def around(change: Change) -> dict[str, Any]:
    """What belongs to a step: its evidence, its moves and its reviews; two statements."""
    return {
        "source": change.event if change.event_id else None,
        "evidence_stands": evidence_stands(change, change.event if change.event_id else None),
        "transitions": moves_of(transitions_of(change)),
        "reviews": list(reviews_about(change.owner_id, change.id)),
    }
