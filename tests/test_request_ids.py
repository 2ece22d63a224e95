"""Every answer carries an id; a caller may bring his own."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from memoryhub.request_ids import RequestIdMiddleware


def answer(**headers: str) -> HttpResponse:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(request.id)  # type: ignore[attr-defined]

    return RequestIdMiddleware(view)(RequestFactory().get("/", headers=headers))


def test_an_id_is_made_and_told() -> None:
    response = answer()
    assert UUID(response["X-Request-Id"]).version == 7
    assert response.content.decode() == response["X-Request-Id"]


def test_a_callers_id_is_kept() -> None:
    assert answer(**{"X-Request-Id": "trace-0123456789"})["X-Request-Id"] == "trace-0123456789"


@pytest.mark.parametrize(
    "given", ["short", "x" * 65, "has spaces in it", "line\nbreak-0123", '{"json": 12345}']
)
def test_a_malformed_id_is_replaced(given: str) -> None:
    assert answer(**{"X-Request-Id": given})["X-Request-Id"] != given
