"""Over a write quota over HTTP: 429 that names the quota and when to come again; events are kept all the same."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.models import Event, Owner, Workspace
from tests.api.clients import AgentClient, error_of
from tests.builders import put_policy

pytestmark = pytest.mark.django_db

OFF = {"writes_per_hour_of_owner": 0, "writes_per_hour_of_agent": 0, "writes_per_hour_of_document": 0}


@pytest.fixture
def one_an_hour(workspace: Workspace) -> None:
    put_policy(workspace_id=workspace.id, **{**OFF, "writes_per_hour_of_owner": 1})


def post_event(agent: AgentClient, content: str, **headers: str) -> Any:
    return agent.post("/api/v1/events/", {"owner": "ann", "content": content}, **headers)


def test_the_event_is_kept_and_the_answer_says_when_to_come_again(
    agent: AgentClient, one_an_hour: None
) -> None:
    assert post_event(agent, "first").status_code == 202
    answer = post_event(agent, "second")
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (429, "quota_exceeded")
    assert error["details"]["quota"] == "owner"
    assert 3_500 < int(answer["Retry-After"]) <= 3_600
    kept = error["details"]["events"][0]
    event = agent.get(f"/api/v1/events/{kept['id']}/", {"owner": "ann"}).json()
    assert (event["content"], event["state"]) == ("second", "accepted")
    assert event["outcome"][0]["outcome"] == "waiting"
    assert event["outcome"][0]["code"] == "quota_of_owner"


def test_the_same_request_again_is_answered_the_same_and_adds_nothing(
    agent: AgentClient, one_an_hour: None
) -> None:
    post_event(agent, "first")
    answers = [post_event(agent, "second", Idempotency_Key="k1") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [429, 429]
    details = [error_of(answer)["details"] for answer in answers]
    assert details[0] == details[1]
    assert Event.objects.of(Owner.objects.get(ref="ann").id).count() == 2


def test_memories_and_values_over_the_quota_are_not_kept(agent: AgentClient, one_an_hour: None) -> None:
    memory = {"owner": "ann", "content": "Works in Berlin."}
    assert agent.post("/api/v1/memories/", memory).status_code == 201
    again = agent.post("/api/v1/memories/", {**memory, "content": "Has a dog."})
    value = agent.put("/api/v1/forms/user_profile/budget/", {"owner": "ann", "value": 1})
    assert [again.status_code, value.status_code] == [429, 429]
    assert error_of(again)["details"]["limit"] == 1
    batch = agent.post("/api/v1/memories/batch/", {"owner": "ann", "memories": [{"content": "Has a cat."}]})
    assert batch.json()["memories"][0]["code"] == "quota_exceeded"
    listed = agent.get("/api/v1/memories/", {"owner": "ann"}).json()
    assert [entry["content"] for entry in listed["results"]] == ["Works in Berlin."]
