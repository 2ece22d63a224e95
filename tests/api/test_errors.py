"""One error shape for every status, and hostile requests."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpRequest
from django.urls import URLPattern, get_resolver
from rest_framework.request import Request

from api.errors import exception_handler
from api.parsing import MAX_BODY_BYTES
from api.permissions import HasScope
from memoryhub.keys import mint_key
from memoryhub.workspaces import create_agent, create_workspace
from tests import database_clones
from tests.api.clients import AgentClient, error_of

EVENTS = "/api/v1/events/"


def test_an_unknown_address_is_answered_as_an_unknown_id(agent: AgentClient) -> None:
    answers = [
        agent.get("/api/v1/nothing/"),
        agent.post("/api/v1/events"),
        agent.get("/api/v2/"),
        agent.get("/health/x"),
        agent.get("/api/v1/events/0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01/x/"),
    ]
    for answer in answers:
        assert (answer.status_code, error_of(answer)["code"]) == (404, "not_found")


def test_a_method_that_is_not_there_is_405_with_the_ones_that_are(agent: AgentClient) -> None:
    answer = agent.delete(EVENTS)
    assert (answer.status_code, error_of(answer)["code"]) == (405, "method_not_allowed")
    assert answer["Allow"] == "GET, POST, HEAD" or set(answer["Allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert agent.send("OPTIONS", EVENTS).status_code == 405


def test_another_media_type_is_415_and_another_answer_is_406(agent: AgentClient) -> None:
    assert agent.minted is not None
    headers = {"Authorization": f"Bearer {agent.minted.token}"}
    sent = agent.client.post(EVENTS, {"owner": "ann"}, headers=headers)
    assert (sent.status_code, error_of(sent)["code"]) == (415, "unsupported_media_type")
    asked = agent.get("/api/v1/owners/", Accept="text/html")
    assert (asked.status_code, error_of(asked)["code"]) == (406, "not_acceptable")


def test_a_host_that_is_not_ours_is_400_in_the_same_shape(agent: AgentClient) -> None:
    answer = agent.get("/api/v1/owners/", Host="elsewhere.example")
    assert (answer.status_code, error_of(answer)["code"]) == (400, "malformed_request")


def test_a_given_request_id_is_kept(agent: AgentClient) -> None:
    answer = agent.get("/api/v1/nothing/", X_Request_Id="my-request-0001")
    assert (answer["X-Request-Id"], error_of(answer)["request_id"]) == ("my-request-0001", "my-request-0001")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "malformed_json"),
        (b"", 400, "required"),
        (b"[]", 400, "invalid"),
        (b'"text"', 400, "invalid"),
        (b"null", 400, "null"),
        (b"\xff\xfe", 400, "malformed_json"),
        (b'{"owner": "\xff"}', 400, "malformed_json"),
        (b'{"owner": "a", "owner": "b"}', 400, "duplicate_key"),
        (b'{"owner": NaN}', 400, "not_a_finite_number"),
        (b'{"owner": -Infinity}', 400, "not_a_finite_number"),
        (b'{"metadata": {"a": 1e999}}', 400, "not_a_finite_number"),
        (b'{"metadata": {"a": ' + b"9" * 5000 + b"}}", 400, "number_out_of_range"),
        (b'{"metadata": ' + b'{"a":' * 20 + b"1" + b"}" * 20 + b"}", 400, "too_deep"),
        (b"[" * 100_000, 400, "too_deep"),
        (b'{"a":' * 100_000, 400, "too_deep"),
        (b'"' + b'\\"' * 400_000, 400, "malformed_json"),
        (b" " * (MAX_BODY_BYTES + 1), 413, "body_too_large"),
        (b'{"metadata": {"\\u0000": 1}}', 400, "nul_character"),
        (b'{"metadata": {"\\ud800": 1}}', 400, "lone_surrogate"),
    ],
)
def test_a_hostile_body_is_refused_with_a_code(
    agent: AgentClient, body: bytes, status: int, code: str
) -> None:
    answer = agent.post(EVENTS, body)
    assert (answer.status_code, error_of(answer)["code"]) == (status, code)


def test_a_chunked_body_is_refused_and_not_taken_for_an_empty_one(agent: AgentClient) -> None:
    answer = agent.post(EVENTS, {"owner": "ann", "content": "x"}, Transfer_Encoding="chunked")
    assert (answer.status_code, error_of(answer)["code"]) == (400, "length_required")


def test_depth_is_counted_outside_strings(agent: AgentClient) -> None:
    body = {"owner": "ann", "content": '[{"' * 1000, "metadata": {"a": [[[['\\"']]]]}}
    assert agent.post(EVENTS, body).status_code == 202


def test_a_database_that_cannot_be_reached_is_503(committing_db: str) -> None:
    agent = AgentClient(
        mint_key(agent=create_agent(workspace=create_workspace(slug="w", name="W"), name="a"))
    )
    with database_clones.pointed_at("no_such_database"):
        answer = agent.get("/api/v1/owners/")
    assert (answer.status_code, error_of(answer)["code"]) == (503, "database_unavailable")
    assert answer["Retry-After"] == "1"
    assert "no_such_database" not in answer.content.decode()
    assert agent.get("/api/v1/owners/").status_code == 200


def test_what_was_not_foreseen_is_500_in_the_same_shape_and_tells_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answer = exception_handler(RuntimeError("我对坚果过敏"), {"request": Request(HttpRequest())})
    assert (answer.status_code, answer.data["error"]["code"]) == (500, "internal_error")
    assert "坚果" not in json.dumps(answer.data, ensure_ascii=False)
    assert caplog.records
    assert all("坚果" not in record.getMessage() for record in caplog.records)


def test_answers_are_not_cached(agent: AgentClient) -> None:
    assert agent.get("/api/v1/owners/")["Cache-Control"] == "no-store"
    assert agent.get("/api/v1/nothing/")["Cache-Control"] == "no-store"


def test_every_method_of_every_view_names_its_scope() -> None:
    for pattern in get_resolver("api.urls").url_patterns:
        assert isinstance(pattern, URLPattern)
        view: Any = getattr(pattern.callback, "view_class", None)
        if HasScope not in getattr(view, "permission_classes", ()):
            assert pattern.name in ("health-live", "health-ready", "schema", "docs", "unknown")
            continue
        offered = {name for name in ("get", "post", "put", "patch", "delete") if hasattr(view, name)}
        assert {name.lower() for name in view.scopes} == offered, pattern.name
