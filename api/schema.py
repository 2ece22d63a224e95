"""How the OpenAPI description is made: every operation says its id, its errors and its examples in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    inline_serializer,
)
from rest_framework import serializers

from api.errors import MESSAGES
from api.pagination import DEFAULT_LIMIT, MAX_LIMIT
from api.serializers.errors import ErrorBody

ALWAYS = (400, 401, 403, 405, 406, 500, 503)
ABOUT_OWNER = (404, 410)
WITH_BODY = (413, 415, 423)
WITH_KEY = (409, 422)
CONDITIONAL = (412, 428)
CODES = {
    400: "invalid", 401: "invalid_key", 403: "missing_scope", 404: "not_found", 405: "method_not_allowed",
    406: "not_acceptable", 409: "idempotency_in_progress", 410: "owner_erased", 412: "version_moved",
    413: "body_too_large", 415: "unsupported_media_type", 422: "idempotency_key_reused", 423: "owner_frozen",
    428: "version_required", 429: "too_many_unprocessed", 500: "internal_error", 503: "database_unavailable",
}  # fmt: skip
REQUEST_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e11"

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="Send the same key with the same body again and you get the same answer and no second effect.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": '^"[0-9]{1,15}"$'},
    OpenApiParameter.HEADER,
    description="The ETag you saw. Needed as soon as there is a version (428), and it must be the current one (412).",
)
CURSOR = OpenApiParameter("cursor", {"type": "string"}, description="From `next` or `previous` of a page.")
LIMIT = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
    description="Rows per page.",
)


def operation(
    operation_id: str,
    *,
    tag: str,
    summary: str,
    answers: Mapping[Any, Any],
    examples: Mapping[Any, Any],
    description: str = "",
    query: type[serializers.Serializer[Any]] | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    paged: bool = False,
    request: Any = None,
    request_examples: Mapping[str, Any] | None = None,
    errors: Sequence[int] = (),
    is_open: bool = False,
) -> Callable[[Any], Any]:
    """Document one method of a view. `examples` are bodies by status; `request_examples` bodies by title.

    An answer that is not JSON has the key (status, media type).
    """
    failing = {405, 406, 500} if is_open else {*ALWAYS, *errors}
    shown = [
        OpenApiExample(title, value=value, request_only=True)
        for title, value in (request_examples or {}).items()
    ]
    return extend_schema(
        operation_id=operation_id,
        tags=[tag],
        summary=summary,
        description=description or summary,
        parameters=[*([query] if query else []), *([CURSOR, LIMIT] if paged else []), *parameters],
        request=request,
        examples=shown,
        responses={
            **{status: _answer(answer, status, examples.get(status)) for status, answer in answers.items()},
            **{status: _error(status) for status in sorted(failing - set(answers))},
        },
    )


def page_of(name: str, row: type[serializers.Serializer[Any]]) -> Any:
    """The serializer of a page of rows, for the schema."""
    link = serializers.URLField
    return inline_serializer(
        name, {"results": row(many=True), "next": link(allow_null=True), "previous": link(allow_null=True)}
    )


def page_example(*rows: Any) -> dict[str, Any]:
    return {"results": list(rows), "next": None, "previous": None}


def _answer(answer: Any, key: int | tuple[int, str], example: Any) -> OpenApiResponse:
    status, media = key if isinstance(key, tuple) else (key, "application/json")
    shown = []
    if example is not None:
        shown = [OpenApiExample("example", value=example, media_type=media, status_codes=[str(status)])]
    return OpenApiResponse(answer, description="", examples=shown)


def _error(status: int) -> OpenApiResponse:
    content = {
        "code": CODES[status],
        "message": MESSAGES[status],
        "field": "",
        "details": {},
        "request_id": REQUEST_ID,
    }
    example = OpenApiExample("example", value={"error": content}, status_codes=[str(status)])
    return OpenApiResponse(ErrorBody, description=MESSAGES[status], examples=[example])


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "api.authentication.ApiKeyAuthentication"
    name = "ApiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "mhk_…"}


class StrictScheme(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A Strict body knows its fields and no others."""

    target_class = "api.serializers.fields.Strict"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_basic_serializer(self.target, direction)
        return {**schema, "additionalProperties": False}


def instant(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.DATETIME, description=description)
