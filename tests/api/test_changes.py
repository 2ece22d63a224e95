"""`/api/v1/changes/`: every step of memory, and what became of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.clients import AgentClient, error_of
from tests.api.proposing import ALLERGIES, BUDGET, UNKNOWN, approved, proposed, rejected, statements, stored

CHANGES = "/api/v1/changes/"
OWNER = {"owner": "ann"}


def listed(client: AgentClient, **asked: str) -> list[dict[str, Any]]:
    answer = client.get(CHANGES, {"owner": "ann", **asked})
    assert answer.status_code == 200, answer.content
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


def test_the_agent_sees_its_step_and_why_it_waits(agent: AgentClient) -> None:
    change_id = proposed(agent)
    row = listed(agent)[0]
    assert (row["id"], row["state"], row["action"], row["after"]) == (
        change_id, "proposed", "create", {"value": "坚果"},
    )  # fmt: skip
    assert row["gates"] and row["reason_code"] == row["gates"][0]
    assert (row["decision_reason"], row["target"], row["is_mine"]) == ("", None, True)
    assert set(row) <= set(agent.get(f"{CHANGES}{change_id}/", OWNER).json())


def test_one_step_shows_its_evidence_its_moves_and_its_reviews(agent: AgentClient) -> None:
    event = agent.post("/api/v1/events/", {"owner": "ann", "content": "My budget is 500.", "session": "s1"})
    event_id = event.json()["events"][0]["id"]
    evidence = {"event": event_id, "quote": "budget is 500"}
    agent.put(BUDGET, {"owner": "ann", "value": 500, "evidence": evidence})
    change_id = listed(agent, event=event_id)[0]["id"]
    body = agent.get(f"{CHANGES}{change_id}/", OWNER).json()
    assert (body["source"]["content"], body["source"]["session"]) == ("My budget is 500.", "s1")
    assert (body["quote"], body["evidence_stands"], body["state"]) == ("budget is 500", True, "applied")
    assert [(move["from_state"], move["to_state"], move["by"]) for move in body["transitions"]] == [
        ("", "applied", "agent"),
    ]  # fmt: skip
    assert body["after"]["value"] == 500
    assert "norm" not in body["after"]


def test_a_decision_goes_back_with_its_reason_and_without_a_name(agent: AgentClient) -> None:
    change_id = proposed(agent)
    rejected(agent, change_id)
    answer = agent.get(f"{CHANGES}{change_id}/", OWNER)
    body = answer.json()
    assert (body["state"], body["decision_reason"]) == ("rejected", "joke_or_sarcasm")
    assert [(move["to_state"], move["by"], move["reason_code"]) for move in body["transitions"]][-1] == (
        "rejected", "reviewer", "joke_or_sarcasm",
    )  # fmt: skip
    assert (body["reviews"][0]["outcome"], body["reviews"][0]["decided_by"]) == ("rejected", "reviewer")
    assert "anna" not in answer.content.decode().lower()


def test_an_approved_proposal_names_what_it_made(agent: AgentClient) -> None:
    change_id = proposed(agent)
    approved(agent, change_id)
    body = agent.get(f"{CHANGES}{change_id}/", OWNER).json()
    value = agent.get(ALLERGIES, OWNER).json()["values"][0]
    assert (body["state"], body["target"], body["decision_reason"]) == ("applied", value["id"], "")


def test_what_another_agents_proposal_says_is_withheld_until_it_takes_effect(
    agent: AgentClient, teammate: AgentClient
) -> None:
    change_id = proposed(agent)
    seen = teammate.get(f"{CHANGES}{change_id}/", OWNER)
    assert (seen.json()["after"], seen.json()["is_withheld"], seen.json()["is_mine"]) == (None, True, False)
    assert "坚果" not in seen.content.decode() + teammate.get(CHANGES, OWNER).content.decode()
    approved(agent, change_id)
    assert teammate.get(f"{CHANGES}{change_id}/", OWNER).json()["after"]["value"] == "坚果"


def test_the_list_is_filtered(agent: AgentClient, teammate: AgentClient) -> None:
    waiting = proposed(agent)
    parrot = stored(agent, session="s1")["change_id"]
    dog = stored(teammate, content="Has a dog.")["change_id"]

    def ids(**asked: str) -> list[str]:
        return [row["id"] for row in listed(agent, **asked)]

    assert set(ids()) == {waiting, parrot, dog}
    assert ids(state="proposed") == [waiting]
    assert ids(form_type="user_profile", field="allergies") == [waiting]
    assert ids(session="s1") == [parrot]
    assert set(ids(agent="me")) == {waiting, parrot}
    assert set(ids(target_kind="item", action="create")) == {parrot, dog}
    assert ids(until="2020-01-01T00:00:00Z") == []
    assert ids(since="2100-01-01T00:00:00Z") == []
    assert len(ids(since="2020-01-01T00:00:00Z")) == 3


def test_pages_go_on_where_they_ended(agent: AgentClient) -> None:
    ids = [stored(agent, content=f"Fact {number}.")["change_id"] for number in range(3)]
    first = agent.get(CHANGES, {"owner": "ann", "limit": "2"}).json()
    second = agent.client.get(first["next"], headers=agent._headers({})).json()
    assert [row["id"] for row in [*first["results"], *second["results"]]] == ids[::-1]
    assert second["next"] is None


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "owner"),
        ({"owner": "ann", "state": "done"}, "state"),
        ({"owner": "ann", "agent": "you"}, "agent"),
        ({"owner": "ann", "target_kind": "form"}, "target_kind"),
        ({"owner": "ann", "event": "7"}, "event"),
        ({"owner": "ann", "since": "then"}, "since"),
        ({"owner": "ann", "limit": "0"}, "limit"),
        ({"owner": "ann", "cursor": "x"}, "cursor"),
        ({"owner": "ann", "stat": "applied"}, "stat"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, asked: dict[str, str], field: str) -> None:
    stored(agent)
    answer = agent.get(CHANGES, asked)
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_a_foreign_change_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    change_id = stored(agent)["change_id"]
    assert stranger.get(CHANGES, OWNER).status_code == 404
    stranger.put("/api/v1/owners/ann/", {})
    assert stranger.get(CHANGES, OWNER).json()["results"] == []
    counts, answers = [], []
    for wanted in (change_id, UNKNOWN):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.get(f"{CHANGES}{wanted}/", OWNER))
        counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404, 404]
    assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
    assert counts[0] == counts[1]


def test_a_read_only_key_reads_and_a_key_without_the_scope_does_not(
    agent: AgentClient, reader: AgentClient, writer: AgentClient
) -> None:
    change_id = stored(agent)["change_id"]
    assert reader.get(f"{CHANGES}{change_id}/", OWNER).status_code == 200
    for path in (CHANGES, f"{CHANGES}{change_id}/"):
        answer = writer.get(path, OWNER)
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_the_number_of_statements_is_fixed(agent: AgentClient) -> None:
    change_id = proposed(agent)
    few = statements(lambda: agent.get(CHANGES, OWNER))
    for number in range(12):
        stored(agent, content=f"Fact {number}.")
    many = statements(lambda: agent.get(CHANGES, OWNER))
    detail = statements(lambda: agent.get(f"{CHANGES}{change_id}/", OWNER))
    # The key, the owner, and the transaction's three: open, scope, close; then one for the page or three for a step.
    assert (few, many, detail) == (6, 6, 8)
    assert len(listed(agent)) == 13
