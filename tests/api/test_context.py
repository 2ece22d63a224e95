"""`/api/v1/context/`: the current state and the path to it, after real processing."""

from __future__ import annotations

from uuid import UUID

import pytest

from memoryhub.models import Event, Owner
from memoryhub.writing.pipeline import process_waiting_events
from tests.api.clients import AgentClient, error_of

CONTEXT = "/api/v1/context/"


@pytest.fixture
def database(committing_db: str) -> None:
    """What is recorded has to be committed before it holds."""


def told(agent: AgentClient, *events: dict[str, str], owner: str = "ann") -> None:
    """Record the events and do the worker's work on them."""
    answer = agent.post("/api/v1/events/batch/", {"owner": owner, "events": list(events)})
    assert answer.status_code == 202, answer.content
    ids = [UUID(result["id"]) for result in answer.json()["events"]]
    owner_id = Owner.objects.get(ref=owner, workspace=agent.workspace).id
    process_waiting_events(
        workspace_id=agent.workspace.id, owner_id=owner_id, until=ids, still_working=lambda: None
    )
    assert not Event.objects.of(owner_id).filter(state="accepted").exists()


def test_the_current_plan_and_its_path_are_told_in_order(agent: AgentClient) -> None:
    told(
        agent,
        {"content": "我们用方案A", "occurred_at": "2026-03-01T08:00:00Z"},
        {"content": "改用方案B，预算不够", "occurred_at": "2026-03-05T08:00:00Z"},
        {"content": "还是方案A吧", "occurred_at": "2026-03-09T08:00:00Z"},
    )
    body = agent.get(CONTEXT, {"owner": "ann"}).json()
    decision = body["decisions"][0]
    values = [step["value"] for step in decision["steps"]]
    assert len(values) == 3, body
    assert values[0] == values[2] != values[1]
    assert decision["current"]["value"] == values[2]
    assert decision["steps"][1]["reason"]
    assert {row["owner"] for row in [*body["forms"], *decision["steps"]]} == {"ann"}
    assert body["text"]
    assert agent.get(f"/api/v1/recalls/{body['recall']}/", {"owner": "ann"}).status_code == 200


def test_a_safety_fact_is_among_the_rules(agent: AgentClient, reader: AgentClient) -> None:
    told(agent, {"content": "我对坚果过敏"})
    body = reader.get(CONTEXT, {"owner": "ann"}).json()
    assert [row["field"] for row in body["rules"]] == ["allergies"], body


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "owner"),
        ({"owner": "ann", "budget_tokens": "-1"}, "budget_tokens"),
        ({"owner": "ann", "q": "x"}, "q"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, asked: dict[str, str], field: str) -> None:
    agent.put("/api/v1/owners/ann/", {})
    answer = agent.get(CONTEXT, asked)
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_a_stranger_and_a_key_without_the_scope_get_nothing(
    agent: AgentClient, stranger: AgentClient
) -> None:
    told(agent, {"content": "我对坚果过敏"})
    foreign, unknown = (stranger.get(CONTEXT, {"owner": ref}) for ref in ("ann", "zoe"))
    assert foreign.status_code == unknown.status_code == 404
    assert error_of(foreign) | {"request_id": ""} == error_of(unknown) | {"request_id": ""}
