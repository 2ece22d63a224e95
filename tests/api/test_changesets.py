"""`/api/v1/changesets/`: the acts that changed memory."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import Change, MemoryItem
from tests.api.clients import AgentClient, error_of
from tests.api.proposing import UNKNOWN, approved, owner_of, proposed, statements, stored

SETS = "/api/v1/changesets/"
OWNER = {"owner": "ann"}


def set_of(agent: AgentClient, change_id: str) -> str:
    return str(Change.objects.of(owner_of(agent)).get(id=change_id).change_set_id)


def listed(client: AgentClient, **asked: str) -> list[dict[str, Any]]:
    answer = client.get(SETS, {"owner": "ann", **asked})
    assert answer.status_code == 200, answer.content
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


def test_an_act_says_who_did_it_as_what_and_how_its_changes_stand(agent: AgentClient) -> None:
    change_id = proposed(agent)
    set_id = set_of(agent, change_id)
    row = listed(agent)[0]
    assert (row["id"], row["act"], row["by"], row["is_mine"]) == (set_id, "write_field", "agent", True)
    assert agent.get(f"{SETS}{set_id}/", OWNER).json() == {**row, "states": {"proposed": 1}, "skipped": []}
    approved(agent, change_id)
    assert agent.get(f"{SETS}{set_id}/", OWNER).json()["states"] == {"applied": 1}
    changes = agent.get("/api/v1/changes/", {"owner": "ann", "change_set": set_id}).json()["results"]
    assert [change["id"] for change in changes] == [change_id]


def test_the_list_is_filtered(agent: AgentClient, teammate: AgentClient) -> None:
    ours = set_of(agent, stored(agent, session="s1")["change_id"])
    theirs = set_of(agent, stored(teammate, content="Has a dog.")["change_id"])
    assert [row["id"] for row in listed(agent)] == [theirs, ours]
    assert [row["id"] for row in listed(agent, agent="me")] == [ours]
    assert [row["id"] for row in listed(agent, session="s1")] == [ours]
    assert listed(agent, act="rollback") == []
    assert listed(agent, until="2020-01-01T00:00:00Z") == []


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "owner"),
        ({"owner": "ann", "agent": "you"}, "agent"),
        ({"owner": "ann", "event": "7"}, "event"),
        ({"owner": "ann", "until": "then"}, "until"),
        ({"owner": "ann", "state": "applied"}, "state"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, asked: dict[str, str], field: str) -> None:
    stored(agent)
    answer = agent.get(SETS, asked)
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_a_foreign_act_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    set_id = set_of(agent, stored(agent)["change_id"])
    stranger.put("/api/v1/owners/ann/", {})
    counts, answers = [], []
    for wanted in (set_id, UNKNOWN):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.get(f"{SETS}{wanted}/", OWNER))
        counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404, 404]
    assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
    assert counts[0] == counts[1]


def test_a_read_only_key_reads_and_a_key_without_the_scope_does_not(
    agent: AgentClient, reader: AgentClient, writer: AgentClient
) -> None:
    set_id = set_of(agent, stored(agent)["change_id"])
    for path in (SETS, f"{SETS}{set_id}/"):
        assert reader.get(path, OWNER).status_code == 200
        answer = writer.get(path, OWNER)
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_the_number_of_statements_is_fixed(agent: AgentClient) -> None:
    set_id = set_of(agent, stored(agent)["change_id"])
    few = statements(lambda: agent.get(SETS, OWNER))
    for number in range(12):
        stored(agent, content=f"Fact {number}.")
    many = statements(lambda: agent.get(SETS, OWNER))
    detail = statements(lambda: agent.get(f"{SETS}{set_id}/", OWNER))
    assert (few, many, detail) == (6, 6, 7)
    assert len(listed(agent)) == 13


def test_a_rollback_says_what_it_left_alone_and_why(agent: AgentClient) -> None:
    gone = stored(agent, content="Has a parrot.")
    change_id = stored(agent, content="Has a dog.")["change_id"]
    owner_id = owner_of(agent)
    changes = Change.objects.of(owner_id)
    gone_change = changes.get(id=gone["change_id"])
    # Closed by other means than a change: a rollback does not second-guess it.
    assert gone_change.target_id
    MemoryItem.objects.of(owner_id).filter(id=gone_change.target_id).update(status="forgotten")
    workspace_id = gone_change.workspace_id
    wanted = RollbackScope(owner_ids=(owner_id,), change_ids=(gone_change.id, UUID(change_id)))
    plan = plan_rollback(workspace_id=workspace_id, scope=wanted)
    done = execute_rollback(workspace_id=workspace_id, scope=plan.scope, digest=plan.digest, user_id=7)
    body = agent.get(f"{SETS}{done.change_set_ids[owner_id]}/", OWNER).json()
    assert body["skipped"] == [{"code": "history_incomplete", "number": 1, "changes": [str(gone_change.id)]}]
