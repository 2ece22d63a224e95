"""`/api/v1/blast-radius/` and `/api/v1/suspects/`: what a source reached, and what deserves a look."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.clients import AgentClient, error_of
from tests.api.proposing import UNKNOWN, statements, stored

BLAST = "/api/v1/blast-radius/"
SUSPECTS = "/api/v1/suspects/"
OWNER = {"owner": "ann"}
PARROT = "Keeps a parrot."


@pytest.fixture
def database(committing_db: str) -> None:
    """Within one test transaction the database's now() stands still, and nothing just written would hold yet."""


def recalled(client: AgentClient, session: str = "chat-1") -> str:
    body = {"owner": "ann", "query": "Which parrot does she keep?", "session": session}
    recall: str = client.post("/api/v1/recall/", body).json()["recall"]
    return recall


def blast(client: AgentClient, **asked: str) -> dict[str, Any]:
    answer = client.get(BLAST, {"owner": "ann", **asked})
    assert answer.status_code == 200, answer.content
    radius: dict[str, Any] = answer.json()
    return radius


def rows(client: AgentClient, **asked: str) -> list[dict[str, str]]:
    answer = client.get(BLAST, {"owner": "ann", "format": "csv", **asked})
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert answer["Cache-Control"] == "no-store"
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_a_memory_is_traced_to_the_recalls_sessions_and_agents_it_reached(
    agent: AgentClient, teammate: AgentClient
) -> None:
    item_id = stored(agent, PARROT)["target_id"]
    stored(agent, "The office is in Lisbon.")
    recalls = [recalled(agent, "chat-1"), recalled(teammate, "chat-2")]
    body = blast(agent, item=item_id)
    assert (body["changes"], body["recalls"], body["is_cut"]) == (1, 2, False)
    assert [(value["id"], value["via"], value["value"]) for value in body["values"]] == [
        (item_id, "value", PARROT),
    ]  # fmt: skip
    assert [line["recall"] for line in body["lines"]] == recalls
    assert all(line["rank"] >= 1 and line["tokens"] > 0 for line in body["lines"])
    assert {(row["name"], row["recalls"]) for row in body["agents"]} == {("first", 1), ("second", 1)}
    assert {row["name"] for row in body["sessions"]} == {"chat-1", "chat-2"}
    assert (body["first_at"], body["last_at"]) == (body["lines"][0]["at"], body["lines"][1]["at"])
    assert sum(hour["recalls"] for hour in body["per_hour"]) == 2


def test_an_edited_memory_is_traced_in_all_its_wordings(agent: AgentClient) -> None:
    item_id = stored(agent, PARROT)["target_id"]
    before = recalled(agent)
    edited = "Keeps a green parrot."
    version = agent.get(f"/api/v1/memories/{item_id}/", OWNER)["ETag"]
    answer = agent.patch(f"/api/v1/memories/{item_id}/", {**OWNER, "content": edited}, If_Match=version)
    assert answer.json()["target_id"] == item_id
    after = recalled(agent)
    body = blast(agent, item=item_id)
    assert {line["recall"] for line in body["lines"]} == {before, after}
    assert {value["value"] for value in body["values"]} >= {PARROT, edited}
    # A recall names the wording it served; it leads to the memory, and by itself to where that wording went.
    [served] = agent.get(f"/api/v1/recalls/{after}/", OWNER).json()["served"]
    assert agent.get(f"/api/v1/memories/{served['id']}/", OWNER).json()["id"] == item_id
    assert {line["recall"] for line in blast(agent, item=served["id"])["lines"]} == {after}


def test_each_source_leads_to_the_same_recall(agent: AgentClient, teammate: AgentClient) -> None:
    event = agent.post("/api/v1/events/", {"owner": "ann", "content": "I keep a parrot.", "session": "s1"})
    event_id = event.json()["events"][0]["id"]
    evidence = {"event": event_id, "quote": "I keep a parrot"}
    written = agent.put(
        "/api/v1/forms/user_profile/pet/", {"owner": "ann", "value": "parrot", "evidence": evidence}
    )
    assert written.status_code == 201, written.content
    recall = recalled(agent)
    sources: list[dict[str, str]] = [
        {"version": written.json()["target_id"]},
        {"event": event_id},
        {"session": "s1"},
        {"agent": "me"},
        {"since": "2020-01-01T00:00:00Z"},
        {"agent": "me", "session": "s1", "until": "2100-01-01T00:00:00Z"},
    ]
    for source in sources:
        assert {line["recall"] for line in blast(agent, **source)["lines"]} == {recall}, source
    assert blast(teammate, agent="me")["lines"] == []
    assert blast(agent, until="2020-01-01T00:00:00Z")["values"] == []


def test_what_was_rolled_back_is_traced_all_the_same(agent: AgentClient) -> None:
    item_id = stored(agent, PARROT)["target_id"]
    recall = recalled(agent)
    path = f"/api/v1/memories/{item_id}/rollback/"
    digest = agent.post(path, {"owner": "ann", "dry_run": True}).json()["digest"]
    assert agent.post(path, {"owner": "ann", "digest": digest}).status_code == 200
    recalled(agent)
    body = blast(agent, item=item_id)
    assert ([line["recall"] for line in body["lines"]], body["values"][0]["status"]) == (
        [recall],
        "retracted",
    )


@pytest.mark.parametrize("content", ["=SUM(1) parrot", "+49 parrot", "-parrot 1", "@parrot", "＝parrot"])
def test_a_spreadsheet_runs_no_cell(agent: AgentClient, content: str) -> None:
    item_id = stored(agent, content)["target_id"]
    recall = recalled(agent, session="=1+1")
    row = rows(agent, item=item_id)[0]
    assert (row["recall"], row["value_id"], row["value"], row["session"]) == (
        recall, item_id, f"'{content}", "'=1+1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"item": UNKNOWN}, "owner"),
        (OWNER, "item"),
        ({**OWNER, "item": "parrot"}, "item"),
        ({**OWNER, "version": "1"}, "version"),
        ({**OWNER, "event": "1"}, "event"),
        ({**OWNER, "agent": "second"}, "agent"),
        ({**OWNER, "since": "then"}, "since"),
        ({**OWNER, "since": "2026-03-02T00:00:00Z", "until": "2026-03-01T00:00:00Z"}, "until"),
        ({**OWNER, "agent": "me", "format": "xlsx"}, "format"),
        ({**OWNER, "agent": "me", "key": "1"}, "key"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, asked: dict[str, str], field: str) -> None:
    stored(agent)
    answer = agent.get(BLAST, asked)
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_a_foreign_source_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    item_id = stored(agent, PARROT)["target_id"]
    recalled(agent)
    for path, asked in ((BLAST, {"agent": "me"}), (SUSPECTS, {})):
        assert stranger.get(path, {"owner": "ann", **asked}).status_code == 404
    stranger.put("/api/v1/owners/ann/", {})
    counts, answers = [], []
    for wanted in (item_id, UNKNOWN):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.get(BLAST, {"owner": "ann", "item": wanted}))
            counts.append(len(queries))
    assert [(answer.status_code, error_of(answer)["field"]) for answer in answers] == [(404, "item")] * 2
    assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
    assert counts[0] == counts[1]
    assert blast(stranger, since="2020-01-01T00:00:00Z")["values"] == []


def test_another_owner_of_the_workspace_is_not_in_it(agent: AgentClient) -> None:
    mine = stored(agent, PARROT)["target_id"]
    agent.post("/api/v1/memories/", {"owner": "bob", "content": PARROT})
    recalled(agent)
    agent.post("/api/v1/recall/", {"owner": "bob", "query": "Which parrot?"})
    body = blast(agent, agent="me")
    assert [value["id"] for value in body["values"]] == [mine]
    assert body["recalls"] == 1


def test_a_read_only_key_reads_and_a_key_without_the_scope_does_not(
    agent: AgentClient, reader: AgentClient, writer: AgentClient
) -> None:
    stored(agent)
    for path, asked in ((BLAST, {"since": "2020-01-01T00:00:00Z"}), (SUSPECTS, {})):
        assert reader.get(path, {"owner": "ann", **asked}).status_code == 200
        answer = writer.get(path, {"owner": "ann", **asked})
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_a_suspect_shows_each_signal(agent: AgentClient) -> None:
    item_id = stored(agent, PARROT)["target_id"]
    stored(agent, "The office is in Lisbon.")
    assert agent.get(SUSPECTS, OWNER).json()["results"] == []
    recall = recalled(agent)
    agent.post(f"/api/v1/recalls/{recall}/feedback/", {"owner": "ann", "harmful": [item_id]})
    suspect = agent.get(SUSPECTS, OWNER).json()["results"][0]
    assert (suspect["id"], suspect["kind"], suspect["value"], suspect["agent"]) == (
        item_id, "item", PARROT, "first",
    )  # fmt: skip
    signals = {signal["code"]: signal for signal in suspect["signals"]}
    assert signals["harmful_feedback"]["count"] == 1
    assert suspect["score"] == pytest.approx(sum(signal["weight"] for signal in suspect["signals"]))


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "owner"),
        ({**OWNER, "limit": "0"}, "limit"),
        ({**OWNER, "limit": "101"}, "limit"),
        ({**OWNER, "cursor": "x"}, "cursor"),
    ],
)
def test_a_broken_rule_of_the_suspects_is_named(
    agent: AgentClient, asked: dict[str, str], field: str
) -> None:
    stored(agent)
    answer = agent.get(SUSPECTS, asked)
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_the_number_of_statements_is_fixed(agent: AgentClient) -> None:
    stored(agent, PARROT)
    recalled(agent)
    asked = {"owner": "ann", "agent": "me"}
    few = statements(lambda: agent.get(BLAST, asked)), statements(lambda: agent.get(SUSPECTS, OWNER))
    for content in ("The parrot is grey.", "Bought the parrot in Lisbon.", "The office is in Porto."):
        stored(agent, content)
        recalled(agent)
    many = statements(lambda: agent.get(BLAST, asked)), statements(lambda: agent.get(SUSPECTS, OWNER))
    assert few == many
    assert max(many) < 25
