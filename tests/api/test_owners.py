"""`/api/v1/owners/`."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.models import AuditEntry, Owner
from tests.api.clients import AgentClient, error_of

ODD_REFS = [
    "ann@example.org",
    "a-b",
    "o'neil",
    "100%",
    "a_b",
    "a/b",
    "a//b/",
    "用户 7",
    "x?y#z",
    "a+b",
    "..a",
    "q%2Fr",
]


def address(ref: str) -> str:
    return f"/api/v1/owners/{quote(ref, safe='')}/"


def test_put_makes_an_owner_and_get_shows_him(agent: AgentClient) -> None:
    made = agent.put(address("ann"), {"display_name": "Ann", "time_zone": "Asia/Shanghai"})
    assert made.status_code == 201
    assert made.json() | {"created_at": ""} == {
        "ref": "ann", "kind": "user", "display_name": "Ann", "locale": "", "time_zone": "Asia/Shanghai",
        "state": "active", "created_at": "",
    }  # fmt: skip
    assert agent.get(address("ann")).json() == made.json()
    assert agent.put(address("ann"), {"display_name": "Ann"}).status_code == 200


@pytest.mark.parametrize("ref", ODD_REFS)
def test_odd_ids_are_percent_encoded_and_never_wildcards(agent: AgentClient, ref: str) -> None:
    assert agent.put(address(ref), {}).status_code == 201
    assert agent.get(address(ref)).json()["ref"] == ref
    assert [owner["ref"] for owner in agent.get("/api/v1/owners/", {"ref": ref}).json()["results"]] == [ref]


@pytest.mark.parametrize(
    ("ref", "code"),
    [(" ", "blank"), ("a\x07", "unprintable"), ("a\x00", "nul_character"), ("a" * 201, "max_length")],
)
def test_ids_that_cannot_be_printed_or_kept_are_refused(agent: AgentClient, ref: str, code: str) -> None:
    answer = agent.put(address(ref), {})
    assert (answer.status_code, error_of(answer)["code"], error_of(answer)["field"]) == (400, code, "ref")


def test_dot_and_dot_dot_are_refused_because_no_address_carries_them(agent: AgentClient) -> None:
    answer = agent.get("/api/v1/owners/", {"ref": ".."})
    assert (answer.status_code, error_of(answer)["code"]) == (400, "not_addressable")


def test_patch_changes_what_is_named_and_is_audited(agent: AgentClient) -> None:
    agent.put(address("ann"), {"display_name": "Ann", "locale": "en"})
    answer = agent.patch(address("ann"), {"locale": "zh-Hans"})
    assert answer.status_code == 200
    assert (answer.json()["display_name"], answer.json()["locale"]) == ("Ann", "zh-Hans")
    entry = AuditEntry.objects.filter(action="owner.changed").latest("at")
    assert entry.details == {"fields": ["locale"]}
    assert (entry.actor_kind, entry.transport, entry.request_id) == ("agent", "http", answer["X-Request-Id"])


def test_the_audit_keeps_the_longest_request_id_whole(agent: AgentClient) -> None:
    agent.put(address("ann"), {"display_name": "Ann"})
    longest = "t" * 64
    assert agent.patch(address("ann"), {"locale": "zh-Hans"}, X_Request_Id=longest).status_code == 200
    assert AuditEntry.objects.filter(action="owner.changed").latest("at").request_id == longest


def test_a_stale_if_match_is_refused(agent: AgentClient) -> None:
    first = agent.put(address("ann"), {"display_name": "Ann"})
    assert agent.patch(address("ann"), {"display_name": "Anna"}, If_Match=first["ETag"]).status_code == 200
    stale = agent.patch(address("ann"), {"display_name": "Annie"}, If_Match=first["ETag"])
    assert (stale.status_code, error_of(stale)["code"]) == (412, "version_moved")


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"time_zone": "Mars/Olympus"}, "time_zone", "unknown_time_zone"),
        ({"kind": "robot"}, "kind", "invalid_choice"),
        ({"display_name": 7}, "display_name", "invalid"),
        ({"nickname": "A"}, "nickname", "unknown_field"),
        ({"state": "frozen"}, "state", "unknown_field"),
    ],
)
def test_a_bad_attribute_is_named(agent: AgentClient, body: dict[str, object], field: str, code: str) -> None:
    answer = agent.put(address("ann"), body)
    assert (answer.status_code, error_of(answer)["field"], error_of(answer)["code"]) == (400, field, code)
    assert not Owner.objects.filter(ref="ann").exists()


def test_another_agent_of_the_workspace_works_on_the_same_owner(
    agent: AgentClient, teammate: AgentClient
) -> None:
    agent.put(address("ann"), {})
    assert teammate.patch(address("ann"), {"display_name": "Ann"}).status_code == 200


def test_a_stranger_is_answered_as_about_an_unknown_owner(agent: AgentClient, stranger: AgentClient) -> None:
    agent.put(address("ann"), {"display_name": "Ann"})
    stranger.get(address("x"))
    with CaptureQueriesContext(connection) as foreign:
        about_foreign = stranger.get(address("ann"))
    with CaptureQueriesContext(connection) as unknown:
        about_unknown = stranger.get(address("zoe"))
    assert about_foreign.status_code == about_unknown.status_code == 404
    assert error_of(about_foreign) | {"request_id": ""} == error_of(about_unknown) | {"request_id": ""}
    assert len(foreign) == len(unknown)
    assert stranger.get("/api/v1/owners/").json()["results"] == []


def test_a_restricted_key_sees_its_owners_alone(agent: AgentClient, restricted: AgentClient) -> None:
    for ref in ("ann", "bob"):
        agent.put(address(ref), {})
    assert [owner["ref"] for owner in restricted.get("/api/v1/owners/").json()["results"]] == ["ann"]
    with CaptureQueriesContext(connection) as foreign:
        about_foreign = restricted.get(address("bob"))
    with CaptureQueriesContext(connection) as unknown:
        about_unknown = restricted.get(address("zoe"))
    assert error_of(about_foreign) | {"request_id": ""} == error_of(about_unknown) | {"request_id": ""}
    assert len(foreign) == len(unknown)
    assert restricted.put(address("zoe"), {}).status_code == 404
    assert not Owner.objects.filter(ref="zoe").exists()


def test_a_restricted_key_without_known_owners_lists_nothing(
    agent: AgentClient, restricted: AgentClient
) -> None:
    agent.put(address("bob"), {})
    assert restricted.get("/api/v1/owners/").json() == {"results": [], "next": None, "previous": None}


def test_a_read_only_key_may_look_and_not_write(agent: AgentClient, reader: AgentClient) -> None:
    agent.put(address("ann"), {})
    assert reader.get(address("ann")).status_code == 200
    for answer in (reader.put(address("ann"), {}), reader.patch(address("ann"), {})):
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_a_frozen_owner_is_read_and_not_changed(agent: AgentClient) -> None:
    agent.put(address("ann"), {})
    Owner.objects.filter(ref="ann").update(state="frozen")
    assert agent.get(address("ann")).json()["state"] == "frozen"
    assert agent.patch(address("ann"), {"locale": "en"}).status_code == 423


def test_an_owner_being_erased_is_gone(agent: AgentClient) -> None:
    agent.put(address("ann"), {})
    Owner.objects.filter(ref="ann").update(state="erasing")
    for answer in (agent.get(address("ann")), agent.patch(address("ann"), {"locale": "en"})):
        assert (answer.status_code, error_of(answer)["code"]) == (410, "owner_erased")
    assert agent.get("/api/v1/owners/").json()["results"] == []


def test_the_number_of_statements_does_not_grow_with_the_owners(agent: AgentClient) -> None:
    agent.put(address("first"), {})
    with CaptureQueriesContext(connection) as few:
        agent.get("/api/v1/owners/")
    for number in range(20):
        agent.put(address(f"owner-{number}"), {})
    with CaptureQueriesContext(connection) as many:
        assert len(agent.get("/api/v1/owners/").json()["results"]) == 21
    assert len(few) == len(many)
