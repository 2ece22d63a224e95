"""`/api/v1/policies/`: what agents are answered by, and what is tried."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.models import Workspace
from memoryhub.policy_versions import draft_policy
from tests.api.clients import AgentClient, error_of
from tests.builders import put_policy
from tests.evaluation.trial_rows import run_trial

POLICIES = "/api/v1/policies/"


def listed(agent: AgentClient, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = agent.get(POLICIES, query).json()["results"]
    return found


def test_the_version_in_force_and_the_one_tried_are_listed(workspace: Workspace, agent: AgentClient) -> None:
    assert [(row["number"], row["in_force"], row["trial"]) for row in listed(agent)] == [(1, True, None)]
    running = run_trial(workspace, share=20)
    draft_policy(
        workspace_id=workspace.id,
        user_id=User.objects.get(username="proposer").pk,
        name="secret",
        values={"top_k": 3},
        reason="x",
    )
    tried, current = listed(agent)
    assert (tried["number"], tried["values"]["top_k"], tried["based_on"]) == (2, 8, 1)
    assert tried["id"] == str(running.trial.version_id)
    assert {**tried["trial"], "started_at": ""} == {
        "number": 1, "share": 20, "state": "running", "control": 1, "started_at": "",
    }  # fmt: skip
    assert (current["in_force"], current["values"]["top_k"], current["trial"]) == (True, 5, None)
    assert "gated_agents" not in current["values"]


def test_it_is_filtered_and_paged_and_of_one_workspace(
    workspace: Workspace, agent: AgentClient, stranger: AgentClient
) -> None:
    for top_k in (6, 7):
        put_policy(workspace_id=workspace.id, top_k=top_k)
    assert [row["number"] for row in listed(agent, in_force=True)] == [3]
    assert [row["number"] for row in listed(agent, in_force=False)] == [2, 1]
    assert [row["number"] for row in listed(agent, limit=2)] == [3, 2]
    assert [row["number"] for row in listed(stranger)] == [1]
    assert error_of(agent.get(POLICIES, {"in_force": "maybe"}))["field"] == "in_force"
    counts = []
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as captured:
            listed(agent, limit=limit)
        counts.append(len(captured))
    assert counts[0] == counts[1]
