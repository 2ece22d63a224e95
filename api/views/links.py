"""Links of an owner to teams, projects and domains: what his recall reads along, and what of his is proposed to them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework.response import Response

from api.access import find_owner, reading
from api.authentication import AgentRequest
from api.idempotency import given_key, run_once
from api.pagination import Order, take_page
from api.reading import read_body, read_query, refuse_body
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
from api.serializers.links import LINK_EXAMPLE, LinkAnswer, LinkWrite, PromotionWrite, as_terms
from api.serializers.verdicts import (
    REFUSED_EXAMPLE,
    REVIEW_EXAMPLE,
    VerdictAnswer,
    status_of_verdict,
)
from api.views.base import AgentView
from api.views.owners import REF, owner_ref
from memoryhub.database.owners import ResolvedOwner
from memoryhub.database.scope import scope
from memoryhub.exceptions import NotFound, UnknownOwner
from memoryhub.models import OwnerLink
from memoryhub.sharing.linking import link_owner, unlink_owner
from memoryhub.sharing.promoting import Promoted, propose_to_shared
from memoryhub.writing.verdicts import as_json

TAG = "owners"
OLDEST_FIRST = Order(fields=("created_at", "id"), kinds=(datetime, UUID), falling=False)


class LinkList(AgentView):
    scopes = {"GET": "memory:read", "POST": "owners:link"}

    @operation(
        "owners_links_list",
        tag=TAG,
        summary="The links of an owner that stand, oldest first",
        parameters=[REF],
        paged=True,
        answers={200: page_of("LinkPage", LinkAnswer)},
        examples={200: page_example(LINK_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, ref: str) -> Response:
        read_query(request, Strict, paged=True)
        with reading(request.user, owner_ref(ref)) as owner:
            standing = OwnerLink.objects.of(owner.id).filter(ended_at=None).select_related("linked_owner")
            page = take_page(request, standing, order=OLDEST_FIRST)
        return Response(page.answered(request, LinkAnswer(page.rows, many=True).data))

    @operation(
        "owners_links_make",
        tag=TAG,
        summary="Link an owner to a team, project or domain",
        description=(
            "201 when the link is new. The same terms again are answered with the link that stands (200); other terms end it and "
            "make a new one. A key of trust tier 1 or 2 makes no links."
        ),
        parameters=[REF, IDEMPOTENCY_KEY],
        request=LinkWrite,
        request_examples={
            "Rules and values of a team": {"linked_owner": "support-team", "kinds": ["form", "rule"]}
        },
        answers={200: LinkAnswer, 201: LinkAnswer},
        examples={200: LINK_EXAMPLE, 201: LINK_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, *WITH_KEY),
    )
    def post(self, request: AgentRequest, ref: str) -> Response:
        read_query(request, Strict)
        given_key(request)
        sent = read_body(request, LinkWrite)
        owner = find_owner(request.user, owner_ref(ref))
        linked = _linked(request, sent["linked_owner"])

        def work() -> Any:
            done = link_owner(
                owner_id=owner.id,
                linked_owner_id=linked.id,
                terms=as_terms(sent),
                source=request.user.as_source(),
            )
            return {"link": str(done.link.id), "was_made": done.was_made}

        answer = run_once(
            request,
            owner_id=owner.id,
            route="owners/links",
            work=work,
            status_of=lambda done: 201 if done["was_made"] else 200,
        )
        return Response(_told(request, owner, answer.content["link"]), status=answer.status)


class LinkDetail(AgentView):
    scopes = {"DELETE": "owners:link"}

    @operation(
        "owners_links_end",
        tag=TAG,
        summary="End a link",
        description="From the next request on nothing passes over it. Ending an ended link answers the same.",
        parameters=[REF],
        answers={200: LinkAnswer},
        examples={200: {**LINK_EXAMPLE, "ended_at": "2026-03-02T08:00:00.000000Z"}},
        errors=(*ABOUT_OWNER, *WITH_BODY),
    )
    def delete(self, request: AgentRequest, ref: str, link_id: UUID) -> Response:
        read_query(request, Strict)
        refuse_body(request)
        owner = find_owner(request.user, owner_ref(ref))
        link = unlink_owner(owner_id=owner.id, link_id=link_id, source=request.user.as_source())
        return Response(LinkAnswer(link).data)


class PromotionList(AgentView):
    scopes = {"POST": "shared:write"}

    @operation(
        "owners_promote",
        tag=TAG,
        summary="Propose a memory of an owner to a team, project or domain",
        description=(
            "A value or a memory that stands, over a link of the owner that proposes. Always 202: a person decides, and until then "
            "nobody of the shared owner is told of it; 200 when it is known there or was rejected before, with the `code`. The "
            "proposal is withdrawn when the memory it came from does not stand any more."
        ),
        parameters=[REF, IDEMPOTENCY_KEY],
        request=PromotionWrite,
        request_examples={
            "A memory": {
                "shared_owner": "support-team",
                "kind": "item",
                "id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e04",
            }
        },
        answers=dict.fromkeys((200, 202), VerdictAnswer),
        examples={
            200: {**REFUSED_EXAMPLE, "kind": "item", "code": "already_shared"},
            202: {**REVIEW_EXAMPLE, "kind": "item", "code": "promotion", "field": ""},
        },
        errors=(*ABOUT_OWNER, *WITH_BODY, *WITH_KEY, 429),
    )
    def post(self, request: AgentRequest, ref: str) -> Response:
        read_query(request, Strict)
        given_key(request)
        sent = read_body(request, PromotionWrite)
        owner = find_owner(request.user, owner_ref(ref))
        shared = _linked(request, sent["shared_owner"], field="shared_owner")
        promoted = Promoted(
            owner_id=owner.id, kind=sent["kind"], memory_id=sent["id"], shared_owner_id=shared.id
        )

        def work() -> Any:
            return as_json([propose_to_shared(promoted=promoted, source=request.user.as_source())])[0]

        answer = run_once(
            request, owner_id=owner.id, route="owners/promotions", work=work, status_of=status_of_verdict
        )
        return Response(VerdictAnswer(answer.content).data, status=answer.status)


def _linked(request: AgentRequest, ref: str, *, field: str = "linked_owner") -> ResolvedOwner:
    """The owner to link to; one out of the key's reach is unknown to it."""
    try:
        return find_owner(request.user, ref)
    except UnknownOwner:
        raise NotFound("no such owner", field=field) from None


def _told(request: AgentRequest, owner: ResolvedOwner, link_id: str) -> dict[str, Any]:
    with scope(workspace_id=request.user.workspace_id, owners=[owner.id], purpose="api"):
        link = OwnerLink.objects.of(owner.id).select_related("linked_owner").get(id=UUID(link_id))
    body: dict[str, Any] = LinkAnswer(link).data
    return body
