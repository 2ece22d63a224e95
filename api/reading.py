"""What a view reads from a request: its query, its body, its conditions. All of it or a 400 that names the place."""

from __future__ import annotations

import re
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request

from api.parsing import refuse_unstorable_text
from api.serializers.fields import Strict
from memoryhub.exceptions import InvalidInput, VersionMoved, VersionRequired

PAGING = ("cursor", "limit")
ETAG = re.compile(r'"([0-9]{1,15})"')


def read_query(request: Request, expected: type[Strict], *, paged: bool = False) -> dict[str, Any]:
    """The query parameters as `expected` says. Unknown, repeated and malformed ones are 400."""
    given: dict[str, str] = {}
    for name, values in request.query_params.lists():
        if len(values) > 1:
            raise ValidationError({name: [ErrorDetail("given more than once", code="repeated_parameter")]})
        given[name] = values[0]
    refuse_unstorable_text(given)
    known = set(expected().fields) | (set(PAGING) if paged else set())
    if unknown := sorted(set(given) - known):
        raise ValidationError(
            {name: [ErrorDetail("unknown parameter", code="unknown_parameter")] for name in unknown[:20]}
        )
    return _checked(
        expected, {name: value for name, value in given.items() if not (paged and name in PAGING)}
    )


def read_body(request: Request, expected: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    """The JSON body as `expected` says."""
    refuse_unstorable_text(request.data)
    return _checked(expected, request.data)


def refuse_body(request: Request) -> None:
    """For requests that say everything in their address."""
    if request.data not in ({}, None):
        raise InvalidInput("no body is expected", field="", code="unexpected_body")


def _checked(expected: type[serializers.Serializer[Any]], given: Any) -> dict[str, Any]:
    reader = expected(data=given)
    reader.is_valid(raise_exception=True)
    values: dict[str, Any] = reader.validated_data
    return values


def expected_version(request: Request) -> int | None:
    """The version If-Match names; None when the caller says, or leaves open, that there is none yet.

    Raises InvalidInput for a header that is neither a version nor `*` in If-None-Match.
    """
    none_match = request.headers.get("If-None-Match")
    given = request.headers.get("If-Match")
    if none_match is not None and none_match.strip() != "*":
        raise InvalidInput(
            "only If-None-Match: * is understood here", field="If-None-Match", code="bad_condition"
        )
    if given is None:
        return None
    found = ETAG.fullmatch(given.strip())
    if found is None or none_match is not None:
        raise InvalidInput(
            'If-Match takes one version, for example "3"', field="If-Match", code="bad_condition"
        )
    return int(found[1])


def required_version(request: Request) -> int:
    """The version If-Match names. Raises VersionRequired (428) without one."""
    version = expected_version(request)
    if version is None:
        raise VersionRequired(field="If-Match")
    return version


def check_version(*, expected: int | None, current: int | None) -> None:
    """Raise VersionRequired when a current version was not named, VersionMoved when another one was."""
    if current is not None and expected is None:
        raise VersionRequired(field="If-Match", details={"current": current})
    if expected is not None and expected != current:
        raise VersionMoved(field="If-Match", details={"current": current})
