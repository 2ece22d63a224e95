"""Forms: typed facts. What holds, every version it had, and writing one with the version you saw."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from api.access import find_or_make_owner, find_owner, reading
from api.authentication import AgentRequest
from api.pagination import take_page
from api.queries.forms import BY_NAME, OLDEST_FIRST, chain_of, standing_version, values_in_slot, values_of
from api.reading import expected_version, read_body, read_query
from api.schema import ABOUT_OWNER, CONDITIONAL, IF_MATCH, WITH_BODY, operation, page_example, page_of
from api.serializers.evidence import as_claim
from api.serializers.fields import Strict
from api.serializers.forms import (
    VALUE_EXAMPLE,
    VERSION_EXAMPLE,
    FieldAnswer,
    FieldQuery,
    FieldValueAnswer,
    FieldWrite,
    FormQuery,
    RemovalQuery,
    SlotQuery,
    VersionAnswer,
    WrittenFieldAnswer,
)
from api.serializers.verdicts import REFUSED_EXAMPLE, REVIEW_EXAMPLE, VERDICT_EXAMPLE, status_of_verdict
from api.views.base import AgentView, with_version
from memoryhub.database.scope import scope
from memoryhub.exceptions import NotFound, VersionMoved, VersionRequired
from memoryhub.writing.structured import write_field
from memoryhub.writing.verdicts import as_json

TAG = "forms"
NAME = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 60}
PLACE = (
    OpenApiParameter("form_type", NAME, OpenApiParameter.PATH, description="For example `user_profile`."),
    OpenApiParameter("field", NAME, OpenApiParameter.PATH, description="For example `allergies`."),
)
FIRST_WRITE = OpenApiParameter(
    "If-None-Match",
    {"type": "string", "enum": ["*"]},
    OpenApiParameter.HEADER,
    description="`*` says that no value is known yet; leaving both conditions out says the same.",
)
WRITTEN = {
    200: {**REFUSED_EXAMPLE, "version": 1},
    201: {**VERDICT_EXAMPLE, "version": 1},
    202: {**REVIEW_EXAMPLE, "version": 1},
}


class FormList(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "forms_list",
        tag=TAG,
        summary="The values of an owner's forms",
        description="What holds now, or held at `valid_at`, as believed now or at `known_at`.",
        query=FormQuery,
        paged=True,
        answers={200: page_of("FormPage", FieldValueAnswer)},
        examples={200: page_example(VALUE_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest) -> Response:
        asked = read_query(request, FormQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            page = take_page(request, values_of(owner.id, asked), order=BY_NAME)
            results = FieldValueAnswer(page.rows, many=True).data
        return Response(page.answered(request, results))


class FieldDetail(AgentView):
    scopes = {"GET": "memory:read", "PUT": "forms:write", "DELETE": "forms:write"}

    @operation(
        "forms_get",
        tag=TAG,
        summary="What one field holds",
        query=FieldQuery,
        parameters=PLACE,
        answers={200: FieldAnswer},
        examples={200: {"values": [VALUE_EXAMPLE]}},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, form_type: str, field: str) -> Response:
        asked = read_query(request, FieldQuery)
        with reading(request.user, asked["owner"]) as owner:
            values = values_in_slot(owner.id, form_type, field, asked)
            if not values:
                raise NotFound
            body = {"values": FieldValueAnswer(values, many=True).data}
        return with_version(Response(body), max(value.version for value in values))

    @operation(
        "forms_write",
        tag=TAG,
        summary="Write a value",
        description=(
            "The value walks the same steps as one read in an event: it may be stored (201), wait for a person (202), or be "
            "refused or merely confirm what stands (200); `code` says why. Once a value stands, If-Match must name its version."
        ),
        parameters=[*PLACE, IF_MATCH, FIRST_WRITE],
        request=FieldWrite,
        request_examples={
            "A budget": {"owner": "customer-4711", "value": 5000},
            "With evidence": {
                "owner": "customer-4711",
                "value": "坚果",
                "evidence": {"event": VALUE_EXAMPLE["event"], "quote": "我对坚果过敏"},
            },
        },
        answers=dict.fromkeys((200, 201, 202), WrittenFieldAnswer),
        examples=WRITTEN,
        errors=(*ABOUT_OWNER, *WITH_BODY, *CONDITIONAL, 429),
    )
    def put(self, request: AgentRequest, form_type: str, field: str) -> Response:
        read_query(request, Strict)
        sent = read_body(request, FieldWrite)
        version = expected_version(request)
        owner = find_or_make_owner(request.user, sent["owner"])
        values = {"value": sent["value"], "world_change": sent["world_change"], **as_claim(sent)}
        return _written(request, owner.id, (form_type, field, sent["subject"]), values, version)

    @operation(
        "forms_remove",
        tag=TAG,
        summary="Remove a value",
        description="The value ends; its versions stay readable. Removing a key attribute waits for a person.",
        query=RemovalQuery,
        parameters=[*PLACE, IF_MATCH],
        answers=dict.fromkeys((200, 201, 202), WrittenFieldAnswer),
        examples=WRITTEN,
        errors=(*ABOUT_OWNER, 423, *CONDITIONAL, 429),
    )
    def delete(self, request: AgentRequest, form_type: str, field: str) -> Response:
        asked = read_query(request, RemovalQuery)
        version = expected_version(request)
        owner = find_owner(request.user, asked["owner"])
        values = {"value": asked.get("value"), "operation": "remove"}
        return _written(request, owner.id, (form_type, field, asked["subject"]), values, version)


class FieldVersions(AgentView):
    scopes = {"GET": "memory:read"}

    @operation(
        "forms_versions",
        tag=TAG,
        summary="Every version a field has had, oldest first, with the events they rest on",
        query=SlotQuery,
        parameters=PLACE,
        paged=True,
        answers={200: page_of("VersionPage", VersionAnswer)},
        examples={200: page_example(VERSION_EXAMPLE)},
        errors=ABOUT_OWNER,
    )
    def get(self, request: AgentRequest, form_type: str, field: str) -> Response:
        asked = read_query(request, SlotQuery, paged=True)
        with reading(request.user, asked["owner"]) as owner:
            chain = chain_of(owner.id, form_type, field, asked["subject"])
            page = take_page(request, chain, order=OLDEST_FIRST)
            results = VersionAnswer(page.rows, many=True).data
        return Response(page.answered(request, results))


def _written(
    request: AgentRequest,
    owner_id: UUID,
    slot: tuple[str, str, str],
    values: dict[str, Any],
    version: int | None,
) -> Response:
    """Write one slot; without a version none may stand (428), with another one than stands it is refused (412)."""
    form_type, field, subject = slot
    source = request.user.as_source()
    try:
        verdict = write_field(
            owner_id=owner_id,
            form_type=form_type,
            field=field,
            subject=subject,
            expected_version=version or 0,
            source=source,
            **values,
        )
    except VersionMoved as moved:
        if version is None:
            raise VersionRequired(field="If-Match", details=moved.details) from None
        raise
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="api"):
        stands = standing_version(owner_id, form_type, field, subject)
    kept = as_json([verdict])[0]
    body = WrittenFieldAnswer({**kept, "version": stands}).data
    return with_version(Response(body, status=status_of_verdict(kept)), stands)
