"""`/api/v1/events/`: one event, batches, the list and its filters."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.models import Event, Job, Owner
from tests.api.clients import AgentClient, error_of
from tests.builders import put_policy

EVENTS = "/api/v1/events/"
BATCH = "/api/v1/events/batch/"


def recorded(agent: AgentClient, **values: Any) -> str:
    answer = agent.post(EVENTS, {"owner": "ann", "content": "我对坚果过敏", **values})
    assert answer.status_code == 202, answer.content
    event_id: str = answer.json()["events"][0]["id"]
    return event_id


def test_an_event_is_recorded_and_its_work_is_queued(agent: AgentClient) -> None:
    answer = agent.post(EVENTS, {"owner": "ann", "content": "我对坚果过敏", "session": "s1"})
    assert answer.status_code == 202
    body = answer.json()
    event = Event.objects.get(owner_id=Owner.objects.get(ref="ann").id)
    assert body["events"] == [
        {"index": 0, "status": "recorded", "id": str(event.id), "code": "", "field": "", "message": ""}
    ]
    assert str(Job.objects.get(kind="process_events").id) == body["operation"]
    assert (event.content, event.session_ref, event.trust_tier) == ("我对坚果过敏", "s1", 3)


def test_every_field_comes_back_as_it_was_sent(agent: AgentClient) -> None:
    first = recorded(agent)
    sent = {
        "content": "改用方案B", "role": "tool", "actor": "planner", "subject": "plan", "action": "decision",
        "session": "s1", "before": "A", "after": {"plan": "B"}, "reason": "预算不够", "alternatives": ["C"],
        "caused_by": first, "form": {"type": "order", "subject": "A-1", "field": "status"}, "metadata": {"k": [1]},
        "is_test": True,
    }  # fmt: skip
    event_id = recorded(agent, **sent, occurred_at="2026-03-01T09:00:00+08:00")
    got = agent.get(f"{EVENTS}{event_id}/", {"owner": "ann"}).json()
    assert {name: got[name] for name in sent} == sent
    assert got["occurred_at"] == "2026-03-01T01:00:00.000000Z"
    assert (got["state"], got["outcome"]) == ("accepted", [])


def test_a_body_cannot_say_how_much_it_is_trusted(agent: AgentClient) -> None:
    answer = agent.post(EVENTS, {"owner": "ann", "content": "x", "trust_tier": 4})
    assert (answer.status_code, error_of(answer)["field"]) == (400, "trust_tier")


@pytest.mark.parametrize(
    ("change", "status", "field", "code"),
    [
        ({"owner": None}, 400, "owner", "null"),
        ({"owner": " "}, 400, "owner", "blank"),
        ({"content": ""}, 400, "content", "blank"),
        ({"content": 7}, 400, "content", "invalid"),
        ({"content": "x" * 16_001}, 400, "content", "max_length"),
        ({"role": "robot"}, 400, "role", "invalid_choice"),
        ({"occurred_at": "yesterday"}, 400, "occurred_at", "invalid"),
        ({"occurred_at": 5}, 400, "occurred_at", "invalid"),
        ({"metadata": {"k": "x" * 17_000}}, 400, "metadata", "too_large"),
        ({"metadata": []}, 400, "metadata", "invalid"),
        ({"metadata": {"k\x00": 1}}, 400, "metadata", "nul_character"),
        ({"metadata": {"k": ["a", "b\x00"]}}, 400, "metadata.k[1]", "nul_character"),
        ({"content": "a\ud800"}, 400, "content", "lone_surrogate"),
        ({"form": {"type": "order"}}, 400, "form.field", "required"),
        ({"form": {"type": "order", "field": "status", "x": 1}}, 400, "form.x", "unknown_field"),
        ({"alternatives": "C"}, 400, "alternatives", "not_a_list"),
        ({"is_test": "yes"}, 400, "is_test", "invalid"),
        ({"caused_by": "not-a-uuid"}, 400, "caused_by", "invalid"),
        ({"caused_by": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01"}, 400, "caused_by", "unknown_event"),
        ({"colour": "red"}, 400, "colour", "unknown_field"),
    ],
)
def test_a_broken_rule_is_named(
    agent: AgentClient, change: dict[str, Any], status: int, field: str, code: str
) -> None:
    answer = agent.post(EVENTS, {"owner": "ann", "content": "x", **change})
    error = error_of(answer)
    assert (answer.status_code, error["field"], error["code"]) == (status, field, code)
    assert not Job.objects.exists()


def test_a_missing_owner_is_400(agent: AgentClient) -> None:
    for answer in (agent.post(EVENTS, {"content": "x"}), agent.get(EVENTS)):
        assert (answer.status_code, error_of(answer)["field"], error_of(answer)["code"]) == (
            400,
            "owner",
            "required",
        )


def test_one_bad_event_of_a_batch_does_not_stop_the_others(agent: AgentClient) -> None:
    items: list[Any] = [{"content": f"event {number}"} for number in range(20)]
    items[7] = {"content": "a\x00b"}
    answer = agent.post(BATCH, {"owner": "ann", "events": items})
    assert answer.status_code == 202
    results = answer.json()["events"]
    assert [result["index"] for result in results] == list(range(20))
    assert [result["index"] for result in results if result["status"] == "refused"] == [7]
    assert (results[7]["code"], results[7]["field"]) == ("nul_character", "content")
    assert Event.objects.of(Owner.objects.get(ref="ann").id).count() == 19


def test_a_batch_finds_its_places_again_when_both_look_at_faults(agent: AgentClient) -> None:
    unknown = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01"
    items = [{"content": 1}, {"content": "a", "caused_by": unknown}, {"content": "b"}, "no object"]
    results = agent.post(BATCH, {"owner": "ann", "events": items}).json()["events"]
    assert [(result["status"], result["code"]) for result in results] == [
        ("refused", "invalid"), ("refused", "unknown_event"), ("recorded", ""), ("refused", "invalid"),
    ]  # fmt: skip


def test_a_batch_of_nothing_sound_or_of_too_many_is_400(agent: AgentClient) -> None:
    nothing = agent.post(BATCH, {"owner": "ann", "events": [{"content": 1}]})
    assert (nothing.status_code, error_of(nothing)["code"]) == (400, "nothing_to_record")
    assert error_of(nothing)["details"]["events"][0]["code"] == "invalid"
    for events in ([], [{"content": "x"}] * 501):
        answer = agent.post(BATCH, {"owner": "ann", "events": events})
        assert (answer.status_code, error_of(answer)["field"]) == (400, "events")


def test_the_list_is_filtered(agent: AgentClient) -> None:
    decision = recorded(agent, action="decision", session="s2", occurred_at="2026-03-01T00:00:00Z")
    spoken = recorded(agent, role="assistant", session="s1", occurred_at="2026-03-02T00:00:00Z")

    def ids(**asked: str) -> list[str]:
        return [event["id"] for event in agent.get(EVENTS, {"owner": "ann", **asked}).json()["results"]]

    assert ids() == [spoken, decision]
    assert ids(action="decision") == [decision]
    assert ids(role="assistant") == [spoken]
    assert ids(session="s2") == [decision]
    assert ids(since="2026-03-02T00:00:00Z") == [spoken]
    assert ids(until="2026-03-02T00:00:00Z") == [decision]
    assert ids(day="2026-03-02") == [spoken]
    assert ids(day="2026-03-01", time_zone="Asia/Shanghai") == [decision]


@pytest.mark.parametrize(
    ("asked", "field", "code"),
    [
        ({"onwer": "ann"}, "onwer", "unknown_parameter"),
        ({"limit": "0"}, "limit", "bad_limit"),
        ({"limit": "201"}, "limit", "bad_limit"),
        ({"limit": "ten"}, "limit", "bad_limit"),
        ({"cursor": "no"}, "cursor", "bad_cursor"),
        ({"cursor": "W10"}, "cursor", "bad_cursor"),
        ({"day": "2026-02-30"}, "day", "invalid"),
        ({"day": "0001-01-01"}, "day", "out_of_range"),
        ({"time_zone": "Nowhere"}, "time_zone", "unknown_time_zone"),
        ({"session": "a\x00"}, "session", "nul_character"),
        ({"since": "soon"}, "since", "invalid"),
    ],
)
def test_a_bad_parameter_is_named(agent: AgentClient, asked: dict[str, str], field: str, code: str) -> None:
    recorded(agent)
    answer = agent.get(EVENTS, {"owner": "ann", **asked})
    assert (answer.status_code, error_of(answer)["field"], error_of(answer)["code"]) == (400, field, code)


def test_a_parameter_given_twice_is_refused(agent: AgentClient) -> None:
    answer = agent.get(f"{EVENTS}?owner=ann&owner=bob")
    assert (answer.status_code, error_of(answer)["code"]) == (400, "repeated_parameter")


def test_another_agent_of_the_workspace_reads_the_event(agent: AgentClient, teammate: AgentClient) -> None:
    event_id = recorded(agent)
    assert teammate.get(f"{EVENTS}{event_id}/", {"owner": "ann"}).status_code == 200


def test_a_foreign_event_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    event_id = recorded(agent)
    recorded(stranger)
    unknown = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01"
    answers = []
    counts = []
    for wanted in (event_id, unknown):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.get(f"{EVENTS}{wanted}/", {"owner": "ann"}))
        counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404, 404]
    assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
    assert counts[0] == counts[1]
    malformed = stranger.get(f"{EVENTS}not-a-uuid/", {"owner": "ann"})
    assert error_of(malformed) | {"request_id": ""} == error_of(answers[0]) | {"request_id": ""}


def test_a_foreign_event_cannot_be_a_cause(agent: AgentClient, stranger: AgentClient) -> None:
    event_id = recorded(agent)
    answer = stranger.post(EVENTS, {"owner": "ann", "content": "x", "caused_by": event_id})
    assert (answer.status_code, error_of(answer)["code"]) == (400, "unknown_event")


def test_a_read_only_key_may_not_record(agent: AgentClient, reader: AgentClient) -> None:
    event_id = recorded(agent)
    assert reader.get(f"{EVENTS}{event_id}/", {"owner": "ann"}).status_code == 200
    for path in (EVENTS, BATCH):
        answer = reader.post(path, {"owner": "ann", "content": "x"})
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_a_restricted_key_cannot_make_or_reach_another_owner(
    agent: AgentClient, restricted: AgentClient
) -> None:
    recorded(agent, owner="bob")
    for ref in ("bob", "zoe"):
        assert restricted.post(EVENTS, {"owner": ref, "content": "x"}).status_code == 404
    assert not Owner.objects.filter(ref="zoe").exists()
    assert restricted.post(EVENTS, {"owner": "ann", "content": "x"}).status_code == 202


def test_the_number_of_statements_does_not_grow_with_the_events(agent: AgentClient) -> None:
    recorded(agent)
    with CaptureQueriesContext(connection) as few:
        agent.get(EVENTS, {"owner": "ann"})
    agent.post(BATCH, {"owner": "ann", "events": [{"content": f"event {number}"} for number in range(40)]})
    with CaptureQueriesContext(connection) as many:
        assert len(agent.get(EVENTS, {"owner": "ann"}).json()["results"]) == 41
    assert len(few) == len(many)


def test_a_session_is_asked_for_as_it_was_sent(agent: AgentClient) -> None:
    event_id = recorded(agent, session=" s1 ")
    found = {
        name: agent.get(EVENTS, {"owner": "ann", "session": name}).json()["results"]
        for name in (" s1 ", "s1")
    }
    assert [event["id"] for event in found[" s1 "]] == [event_id]
    assert found["s1"] == []


def test_too_much_unprocessed_work_is_429_with_a_time_to_wait(agent: AgentClient) -> None:
    put_policy(workspace_id=agent.workspace.id, unprocessed_events_per_owner=2)
    for _ in range(3):
        recorded(agent)
    answer = agent.post(EVENTS, {"owner": "ann", "content": "one more"})
    assert (answer.status_code, error_of(answer)["code"]) == (429, "too_many_unprocessed")
    assert int(answer["Retry-After"]) >= 1
