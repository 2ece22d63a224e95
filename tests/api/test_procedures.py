"""Procedures over the API: written by agents through a review, edited by their parts, told whole, and counted when followed."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.models import MemoryItem, Owner
from memoryhub.procedures import procedure_from
from memoryhub.writing.procedures import write_procedure
from memoryhub.writing.source import Source
from tests.api.clients import AgentClient, error_of
from tests.api.proposing import approved, owner_of, stored
from tests.builders import make_link

MEMORIES = "/api/v1/memories/"
PARTS: dict[str, Any] = {
    "title": "Damaged parcel",
    "tasks": ["damage refund"],
    "phrases": ["arrived damaged", "包裹破损"],
    "patterns": [],
    "steps": ["Apologise", "Ask for a photo", "Refund within 48 hours"],
}


def written(agent: AgentClient) -> str:
    """A procedure that a person approved; its id."""
    body = {"owner": "ann", "kind": "procedural", "procedure": PARTS}
    answer = agent.post(MEMORIES, body)
    assert (answer.status_code, answer.json()["code"]) == (202, "procedure"), answer.content
    approved(agent, answer.json()["change_id"])
    return str(MemoryItem.objects.of(owner_of(agent)).get(status="active", kind="procedural").memory_id)


def asked(agent: AgentClient, query: str = "My parcel arrived damaged") -> dict[str, Any]:
    answer = agent.post("/api/v1/recall/", {"owner": "ann", "query": query})
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_it_waits_for_a_person_is_told_whole_and_counts_how_often_it_was_followed(
    agent: AgentClient, teammate: AgentClient
) -> None:
    assert asked_before(agent) == []
    item_id = written(agent)
    body = agent.get(f"{MEMORIES}{item_id}/", {"owner": "ann"}).json()
    assert (body["procedure"], body["followed"], body["kind"]) == (PARTS, 0, "procedural")
    assert body["content"].splitlines()[-1] == "3. Refund within 48 hours"
    answer = asked(teammate)
    (line,) = [line for line in answer["served"] if line["section"] == "procedures"]
    assert line["text"] == (
        "Procedure “Damaged parcel”: 1. Apologise 2. Ask for a photo 3. Refund within 48 hours"
    )
    feedback = f"/api/v1/recalls/{answer['recall']}/feedback/"
    for _ in range(2):  # saying the same again counts nothing
        told = teammate.post(feedback, {"owner": "ann", "followed": [line["id"]]})
        assert told.status_code == 200, told.content
    again = asked(agent, "包裹破损了")
    agent.post(f"/api/v1/recalls/{again['recall']}/feedback/", {"owner": "ann", "followed": [line["id"]]})
    assert agent.get(f"{MEMORIES}{item_id}/", {"owner": "ann"}).json()["followed"] == 2
    listed = agent.get(MEMORIES, {"owner": "ann", "kind": "procedural"}).json()["results"]
    assert [(row["id"], row["followed"]) for row in listed] == [(item_id, 2)]


def asked_before(agent: AgentClient) -> list[Any]:
    agent.put("/api/v1/owners/ann/", {})
    return [line for line in asked(agent)["served"] if line["section"] == "procedures"]


def test_an_edit_is_proposed_as_a_new_version_that_keeps_the_count(agent: AgentClient) -> None:
    item_id = written(agent)
    answer = asked(agent)
    line = next(line for line in answer["served"] if line["section"] == "procedures")
    agent.post(f"/api/v1/recalls/{answer['recall']}/feedback/", {"owner": "ann", "followed": [line["id"]]})
    before = agent.get(f"{MEMORIES}{item_id}/", {"owner": "ann"})
    longer = {**PARTS, "steps": [*PARTS["steps"], "Call back"]}
    changed = agent.patch(
        f"{MEMORIES}{item_id}/", {"owner": "ann", "procedure": longer}, If_Match=before["ETag"]
    )
    assert changed.status_code == 202, changed.content
    approved(agent, changed.json()["change_id"])
    after = agent.get(f"{MEMORIES}{item_id}/", {"owner": "ann"}).json()
    assert (after["procedure"]["steps"][-1], after["followed"], after["seq"] > before.json()["seq"]) == (
        "Call back", 1, True,
    )  # fmt: skip
    words = agent.patch(
        f"{MEMORIES}{item_id}/", {"owner": "ann", "content": "Refund"}, If_Match=f'"{after["seq"]}"'
    )
    assert (words.status_code, error_of(words)["code"]) == (400, "is_a_procedure")


def test_a_teams_procedure_is_counted_at_the_team(agent: AgentClient) -> None:
    agent.put("/api/v1/owners/support/", {"kind": "team"})
    agent.put("/api/v1/owners/ann/", {})
    team, ann = Owner.objects.get(ref="support"), Owner.objects.get(ref="ann")
    source = Source(workspace_id=agent.workspace.id, trust_tier=4, user_id=1)
    item_id = write_procedure(owner_id=team.id, procedure=procedure_from(PARTS), source=source).target_id
    make_link(ann, team)
    answer = asked(agent)
    (line,) = [line for line in answer["served"] if line["section"] == "procedures"]
    assert line["owner"] == "support"
    agent.post(f"/api/v1/recalls/{answer['recall']}/feedback/", {"owner": "ann", "followed": [line["id"]]})
    assert agent.get(f"{MEMORIES}{item_id}/", {"owner": "support"}).json()["followed"] == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"kind": "semantic"}, "kind"),
        ({"content": "x"}, "content"),
        ({"procedure": {**PARTS, "steps": []}}, "procedure.steps"),
        ({"procedure": {**PARTS, "steps": ["x" * 501]}}, "procedure.steps[0]"),
        ({"procedure": {**PARTS, "steps": ["x"] * 51}}, "procedure.steps"),
        ({"procedure": {**PARTS, "patterns": ["("]}}, "procedure.patterns[0]"),
        ({"procedure": {"title": "x", "steps": ["y"]}}, "procedure.tasks"),
        ({"procedure": {**PARTS, "when": "x"}}, "procedure.when"),
        ({"procedure": None}, "content"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, change: dict[str, Any], field: str) -> None:
    answer = agent.post(MEMORIES, {"owner": "ann", "kind": "procedural", "procedure": PARTS, **change})
    assert (answer.status_code, error_of(answer)["field"]) == (400, field), answer.content


def test_only_a_procedure_is_followed(agent: AgentClient) -> None:
    stored(agent, "Keeps a parrot.")
    answer = asked(agent, "Which parrot does she keep?")
    (line,) = [line for line in answer["served"] if line["kind"] == "item"]
    refused = agent.post(
        f"/api/v1/recalls/{answer['recall']}/feedback/", {"owner": "ann", "followed": [line["id"]]}
    )
    assert (refused.status_code, error_of(refused)["field"], error_of(refused)["code"]) == (
        400, "followed[0]", "not_a_procedure",
    )  # fmt: skip
