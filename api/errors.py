"""One shape for everything that is not a success: `{"error": {code, message, field, details, request_id}}`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from memoryhub.exceptions import InvalidInput, MemoryhubError

log = structlog.get_logger(__name__)

RETRY_AFTER_SECONDS = 1
"""What a client is told to wait when nothing more precise is known."""

MESSAGES = {
    400: "The request breaks a stated rule.",
    401: "A valid API key is needed in the Authorization header.",
    403: "The key may not do this.",
    404: "Nothing is known under this address.",
    405: "This address does not know the method.",
    406: "Only application/json is answered.",
    409: "The request meets another one or a state that does not allow it.",
    410: "The data of this owner is erased.",
    412: "The version named by If-Match is not the current one.",
    413: "The request is too large.",
    415: "Send application/json.",
    422: "The idempotency key was used with another body.",
    423: "The owner is frozen: reading works, writing does not.",
    428: "Name the version you saw in If-Match.",
    429: "Too much work is waiting.",
    500: "Something went wrong here; the request id finds it in our log.",
    503: "The database cannot be reached or is too busy.",
}
DRF_CODES = {
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "invalid_key",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "too_many_requests",
    exceptions.ParseError: "malformed_json",
}
OWNER_WALL = "MH423"
"""SQLSTATE of the trigger that refuses rows of a frozen or vanishing owner."""


def exception_handler(error: Exception, context: dict[str, Any]) -> Response:
    """The answer to any exception of a view; an unforeseen one is logged by type and place and becomes a 500."""
    request = context["request"]
    answer = _answer(error)
    set_rollback()
    if answer.status_code >= status.HTTP_500_INTERNAL_SERVER_ERROR:
        log.error("request_failed", status=answer.status_code, exc_info=error)
    answer.data["error"]["request_id"] = getattr(request, "id", "")
    return answer


def problem(
    status_code: int,
    code: str,
    message: str = "",
    *,
    field: str = "",
    details: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """An error response without its request id."""
    body = {
        "code": code,
        "message": message or MESSAGES.get(status_code, ""),
        "field": field,
        "details": details or {},
        "request_id": "",
    }
    return Response({"error": body}, status=status_code, headers=headers)


def _answer(error: Exception) -> Response:
    match error:
        case MemoryhubError():
            return _from_domain(error)
        case exceptions.ValidationError():
            return _from_validation(error)
        case Http404():
            return problem(404, "not_found")
        case PermissionDenied() | exceptions.PermissionDenied():
            code = getattr(error, "detail", None)
            return problem(403, getattr(code, "code", "forbidden"), str(code or ""))
        case exceptions.APIException():
            return _from_framework(error)
        case SuspiciousOperation():
            return problem(400, "malformed_request")
        case DatabaseError() | InterfaceError():
            return _from_database(error)
    return problem(500, "internal_error")


def _from_domain(error: MemoryhubError) -> Response:
    headers = {}
    if error.status in (409, 429, 503):
        headers["Retry-After"] = str(error.details.get("retry_after", RETRY_AFTER_SECONDS))
    message = str(error) if str(error) != error.code else ""
    return problem(
        error.status, error.code, message, field=error.field, details=error.details, headers=headers
    )


def _from_framework(error: exceptions.APIException) -> Response:
    code = next((name for kind, name in DRF_CODES.items() if isinstance(error, kind)), "error")
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait) + 1)
    return problem(error.status_code, code, headers=headers)


def _from_validation(error: exceptions.ValidationError) -> Response:
    found = [
        {"field": field, "code": detail.code, "message": str(detail)}
        for field, detail in flatten(error.detail)
    ]
    field, detail = next(flatten(error.detail))
    return problem(400, str(detail.code), str(detail), field=field, details={"errors": found[:50]})


def _from_database(error: Exception) -> Response:
    state = getattr(error.__cause__, "sqlstate", None) or ""
    if state == OWNER_WALL:
        return problem(423, "owner_frozen")
    if isinstance(error, OperationalError | InterfaceError):
        code = "too_busy" if state[:2] in ("40", "55", "57") and state != "57P03" else "database_unavailable"
        return problem(503, code, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})
    return problem(500, "internal_error")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 before any view is reached (a host that is not ours): in our shape for agents, Django's page for people."""
    if not request.path.startswith(("/api/", "/health/")):
        return defaults.bad_request(request, exception)
    answer = problem(400, "malformed_request")
    answer.data["error"]["request_id"] = getattr(request, "id", "")
    return JsonResponse(answer.data, status=400)


def flatten(detail: Any, path: str = "") -> Iterator[tuple[str, exceptions.ErrorDetail]]:
    """Each message of a validation error with the path of the input it is about: `metadata.note`, `events[3].content`."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            own = (
                path
                if name == "non_field_errors"
                else f"{path}[{name}]"
                if isinstance(name, int)
                else _join(path, name)
            )
            yield from flatten(inner, own)
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            if isinstance(inner, exceptions.ErrorDetail):
                yield path, inner
            elif inner:
                yield from flatten(inner, f"{path}[{index}]")
    else:
        yield path, detail


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def as_item_error(error: exceptions.ValidationError | InvalidInput) -> dict[str, str]:
    """The first fault of one item of a batch."""
    if isinstance(error, InvalidInput):
        return {"code": error.code, "field": error.field, "message": str(error)}
    field, detail = next(flatten(error.detail))
    return {"code": str(detail.code), "field": field, "message": str(detail)}
