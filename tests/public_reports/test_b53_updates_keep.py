"""B53: an update keeps what it was not asked to change, and the history shows every step with who took it and when."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.keys import mint_key
from memoryhub.models import Owner
from memoryhub.workspaces import create_agent
from tests.api.clients import AgentClient
from tests.builders import make_workspace
from tests.jobs.waiting import work_off_the_queue

MEMORIES = "/api/v1/memories/"
OWNER = {"owner": "ann"}
LABELS = {"category": "place", "project": "atlas", "note": "draft"}
WORDS = {
    "en": (
        "I moved the office to Lisbon.",
        "The office of Ann is in Lisbon.",
        "The office of Ann is in Porto.",
    ),
    "zh": ("我把办公室搬到里斯本了。", "安的办公室在里斯本。", "安的办公室在波尔图。"),
}
STAYS = (
    "id",
    "kind",
    "created_at",
    "created_by",
    "event",
    "quote",
    "session",
    "valid_from",
    "subject_entity",
    "attribute",
)


@pytest.fixture
def agents(committing_db: str) -> tuple[AgentClient, AgentClient]:
    """Two agents of one workspace, A and B."""
    workspace = make_workspace()
    a, b = (AgentClient(mint_key(agent=create_agent(workspace=workspace, name=name))) for name in "ab")
    return a, b


def agent_id(agent: AgentClient) -> str:
    assert agent.minted is not None
    return str(agent.minted.key.agent_id)


def memory(agent: AgentClient, memory_id: str) -> tuple[dict[str, Any], str]:
    answer = agent.get(f"{MEMORIES}{memory_id}/", OWNER)
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body, answer["ETag"]


def written_by_a(a: AgentClient, language: str) -> str:
    said, old, _ = WORDS[language]
    event = a.post("/api/v1/events/", {**OWNER, "content": said, "session": "s1"}).json()["events"][0]["id"]
    work_off_the_queue()
    answer = a.post(
        MEMORIES,
        {
            **OWNER,
            "content": old,
            "evidence": {"event": event, "quote": said},
            "metadata": LABELS,
            "session": "s1",
        },
    )
    assert answer.status_code == 201, answer.content
    memory_id: str = answer.json()["target_id"]
    return memory_id


def patch(agent: AgentClient, memory_id: str, **changes: Any) -> dict[str, Any]:
    _, version = memory(agent, memory_id)
    answer = agent.patch(f"{MEMORIES}{memory_id}/", {**OWNER, **changes}, If_Match=version)
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.parametrize("language", ["en", "zh"])
def test_b53_an_update_keeps_what_it_was_not_asked_to_change(
    agents: tuple[AgentClient, AgentClient], language: str
) -> None:
    a, b = agents
    new = WORDS[language][2]
    memory_id = written_by_a(a, language)
    before, _ = memory(a, memory_id)
    assert before["event"] and before["created_by"] == agent_id(a)

    assert patch(b, memory_id, content=new)["target_id"] == memory_id
    edited, _ = memory(a, memory_id)
    assert {name: edited[name] for name in STAYS} == {name: before[name] for name in STAYS}
    assert (edited["content"], edited["metadata"], edited["status"]) == (new, LABELS, "active")
    assert edited["updated_by"] == agent_id(b)
    assert edited["updated_at"] > before["updated_at"]

    merged = b.post(MEMORIES, {**OWNER, "content": new, **evidence(b, new)})
    assert (merged.json()["outcome"], merged.json()["target_id"]) == ("reinforced", memory_id)
    after_merge, _ = memory(a, memory_id)
    assert {name: after_merge[name] for name in STAYS} == {name: before[name] for name in STAYS}
    assert (after_merge["content"], after_merge["metadata"]) == (new, LABELS)
    assert after_merge["updated_by"] == agent_id(b)
    assert after_merge["updated_at"] > edited["updated_at"]

    patch(a, memory_id, metadata={"project": None})
    cleared, _ = memory(b, memory_id)
    assert cleared["metadata"] == {"category": "place", "note": "draft"}
    assert {name: cleared[name] for name in STAYS} == {name: before[name] for name in STAYS}
    assert cleared["updated_by"] == agent_id(a)
    assert [row["id"] for row in a.get(MEMORIES, OWNER).json()["results"]] == [memory_id]


def evidence(agent: AgentClient, words: str) -> dict[str, Any]:
    """An event of the agent's own that says the words."""
    answer = agent.post("/api/v1/events/", {**OWNER, "content": words, "role": "tool"})
    work_off_the_queue()
    return {"evidence": {"event": answer.json()["events"][0]["id"]}}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_b53_the_history_shows_every_step_its_end_included(
    agents: tuple[AgentClient, AgentClient], language: str
) -> None:
    a, b = agents
    _, old, new = WORDS[language]
    memory_id = written_by_a(a, language)
    patch(b, memory_id, content=new)
    b.post(MEMORIES, {**OWNER, "content": new, **evidence(b, new)})
    patch(a, memory_id, metadata={"project": None})
    delete_as_a_person(a, memory_id)

    history = b.get(f"{MEMORIES}{memory_id}/history/", OWNER).json()
    assert [(row["id"], row["content"]) for row in history["results"]] == [(memory_id, old), (memory_id, new)]
    steps = history["steps"]
    who = {agent_id(a): "a", agent_id(b): "b", None: "-"}
    told = [
        (step["action"], step["by"], who[step["agent"]], text(step["before"]), text(step["after"]))
        for step in steps
    ]
    assert told[:4] == [
        ("create", "agent", "a", None, old),
        ("correct", "agent", "b", old, new),
        ("reinforce", "agent", "b", None, None),
        ("edit", "agent", "a", None, None),
    ]
    assert told[-1] == ("retract", "reviewer", "-", new, None)
    assert steps[3]["before"]["metadata"] == LABELS
    assert steps[3]["after"]["metadata"] == {"category": "place", "note": "draft"}
    moments = [step["at"] for step in steps]
    assert moments == sorted(moments)
    assert memory(a, memory_id)[0]["status"] == "retracted"
    assert a.get(MEMORIES, OWNER).json()["results"] == []


def text(snapshot: dict[str, Any] | None) -> Any:
    return (snapshot or {}).get("content")


def delete_as_a_person(agent: AgentClient, memory_id: str) -> None:
    """Somebody at the desk takes the whole memory back."""
    assert agent.minted is not None
    owner = Owner.objects.get(ref="ann", workspace=agent.workspace)
    scope = RollbackScope(owner_ids=(owner.id,))
    plan = plan_rollback(workspace_id=agent.workspace.id, scope=scope)
    person = User.objects.create_user("carla")
    execute_rollback(workspace_id=agent.workspace.id, scope=plan.scope, digest=plan.digest, user_id=person.pk)
