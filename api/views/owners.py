"""Owners: whose memory it is. Made by PUT or by the first write about them, found by the caller's own id."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from api.access import find_or_make_owner, find_owner, reading
from api.authentication import AgentRequest
from api.pagination import Order, take_page
from api.parsing import refuse_unstorable_text
from api.queries.owners import owners_in_reach
from api.reading import expected_version, read_body, read_query
from api.schema import ABOUT_OWNER, IF_MATCH, WITH_BODY, operation, page_example, page_of
from api.serializers.fields import Strict
from api.serializers.owners import OWNER_EXAMPLE, OwnerAnswer, OwnerChanges, OwnerQuery
from api.views.base import AgentView, with_version
from memoryhub.exceptions import Forbidden
from memoryhub.models import Owner
from memoryhub.owners import change_owner, version_of

ORDER = Order(fields=("id",), kinds=(UUID,), falling=False)
REF = OpenApiParameter(
    "ref",
    {"type": "string", "minLength": 1, "maxLength": 200},
    OpenApiParameter.PATH,
    description="Your own id of the owner, percent-encoded as a whole: `a/b` is `a%2Fb`. One that ends in `/links` or "
    "`/promotions` cannot be addressed.",
)
TAG = "owners"


class OwnerList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "owners_list",
        tag=TAG,
        summary="List the owners the key reaches",
        query=OwnerQuery,
        paged=True,
        answers={200: page_of("OwnerPage", OwnerAnswer)},
        examples={200: page_example(OWNER_EXAMPLE)},
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, OwnerQuery, paged=True)
        with owners_in_reach(request.user, asked) as owners:
            page = take_page(request, owners, order=ORDER)
        return Response(page.answered(request, OwnerAnswer(page.rows, many=True).data))


class OwnerDetail(AgentView):
    scopes = {"GET": "memory:read", "PUT": "owners:create", "PATCH": "owners:write"}

    @operation(
        "owners_get",
        tag=TAG,
        summary="One owner",
        parameters=[REF],
        answers={200: OwnerAnswer},
        examples={200: OWNER_EXAMPLE},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, ref: str) -> Response:
        read_query(request, Strict)
        with reading(request.user, owner_ref(ref)) as found:
            owner = Owner.objects.get(id=found.id)
        return _answered(owner)

    @operation(
        "owners_put",
        tag=TAG,
        summary="Make an owner, or set the attributes of one",
        description="201 when the owner was made. The first write about an unknown owner makes one too.",
        parameters=[REF, IF_MATCH],
        request=OwnerChanges,
        request_examples={
            "A customer": {"display_name": "王芳", "locale": "zh-Hans", "time_zone": "Asia/Shanghai"}
        },
        answers={200: OwnerAnswer, 201: OwnerAnswer},
        examples={200: OWNER_EXAMPLE, 201: OWNER_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, 412),
    )
    def put(self, request: AgentRequest, ref: str) -> Response:
        read_query(request, Strict)
        changes = read_body(request, OwnerChanges)
        found = find_or_make_owner(request.user, owner_ref(ref), kind=changes.get("kind", Owner.Kind.USER))
        if not found.was_made and changes and not request.user.may("owners:write"):
            raise Forbidden("the owner exists and the key lacks the scope owners:write")
        return _changed(request, found.id, changes, status=201 if found.was_made else 200)

    @operation(
        "owners_change",
        tag=TAG,
        summary="Change attributes of an owner",
        description="If-Match is optional here: with it the change is refused when somebody else was faster.",
        parameters=[REF, IF_MATCH],
        request=OwnerChanges,
        request_examples={"Moved": {"time_zone": "Europe/Berlin"}},
        answers={200: OwnerAnswer},
        examples={200: OWNER_EXAMPLE},
        errors=(*ABOUT_OWNER, *WITH_BODY, 412),
    )
    def patch(self, request: AgentRequest, ref: str) -> Response:
        read_query(request, Strict)
        changes = read_body(request, OwnerChanges)
        return _changed(request, find_owner(request.user, owner_ref(ref)).id, changes)


def owner_ref(text: str) -> str:
    """The owner's id in an address. Raises a validation error that names it."""
    refuse_unstorable_text({"ref": text})
    reader = OwnerQuery(data={"ref": text})
    reader.is_valid(raise_exception=True)
    return str(reader.validated_data["ref"])


def _changed(
    request: AgentRequest, owner_id: UUID, changes: dict[str, Any], *, status: int = 200
) -> Response:
    version = expected_version(request)
    owner = change_owner(
        workspace_id=request.user.workspace_id, owner_id=owner_id, changes=changes, expected_version=version
    )
    return _answered(owner, status=status)


def _answered(owner: Owner, *, status: int = 200) -> Response:
    return with_version(Response(OwnerAnswer(owner).data, status=status), version_of(owner))
