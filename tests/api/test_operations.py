"""`/api/v1/operations/` and `?wait=1`, with a real worker."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.keys import mint_key
from memoryhub.workspaces import create_agent, create_workspace
from tests.api.clients import AgentClient, error_of
from tests.programs import Worker

UNKNOWN = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01"


def queued(agent: AgentClient) -> tuple[str, str]:
    body = agent.post("/api/v1/events/", {"owner": "ann", "content": "我对坚果过敏"}).json()
    return body["operation"], body["events"][0]["id"]


def test_a_waiting_operation_says_so(agent: AgentClient) -> None:
    operation, event_id = queued(agent)
    body = agent.get(f"/api/v1/operations/{operation}/", {"owner": "ann"}).json()
    assert (body["id"], body["kind"], body["state"], body["attempts"]) == (
        operation,
        "process_events",
        "queued",
        0,
    )
    assert body["outcomes"] == [{"id": event_id, "state": "accepted", "outcome": []}]


def test_a_foreign_operation_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    operation, _ = queued(agent)
    queued(stranger)
    counts, answers = [], []
    for wanted in (operation, UNKNOWN):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.get(f"/api/v1/operations/{wanted}/", {"owner": "ann"}))
        counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404, 404]
    assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
    assert counts[0] == counts[1]


def test_another_agent_of_the_workspace_and_a_read_only_key_may_look(
    agent: AgentClient, teammate: AgentClient, reader: AgentClient
) -> None:
    operation, _ = queued(agent)
    for client in (teammate, reader):
        assert client.get(f"/api/v1/operations/{operation}/", {"owner": "ann"}).status_code == 200


def test_the_owner_has_to_be_named(agent: AgentClient) -> None:
    operation, _ = queued(agent)
    answer = agent.get(f"/api/v1/operations/{operation}/")
    assert (answer.status_code, error_of(answer)["field"]) == (400, "owner")


@pytest.mark.slow
def test_wait_answers_with_the_outcome(worker: Worker) -> None:
    agent = AgentClient(
        mint_key(agent=create_agent(workspace=create_workspace(slug="w", name="W"), name="a"))
    )
    for _ in range(4):  # the worker may still be starting
        answer = agent.post("/api/v1/events/?wait=1", {"owner": "ann", "content": "我对坚果过敏"}).json()
        if answer["outcomes"][0]["state"] == "processed":
            break
    assert answer["outcomes"][0]["id"] == answer["events"][0]["id"]
    assert answer["outcomes"][0]["state"] == "processed"
    verdict = answer["outcomes"][0]["outcome"][0]
    assert verdict["outcome"] in ("stored", "reinforced", "duplicate")
    body = agent.get(f"/api/v1/operations/{answer['operation']}/", {"owner": "ann", "wait": "1"}).json()
    assert (body["state"], body["outcomes"]) == ("done", answer["outcomes"])
