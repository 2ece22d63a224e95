"""`/api/v1/recall/` and `/api/v1/recalls/`."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.models import Owner, Recall
from tests.api.clients import AgentClient, error_of
from tests.builders import make_link

RECALL = "/api/v1/recall/"
RECALLS = "/api/v1/recalls/"


def remembered(agent: AgentClient, owner: str = "ann", content: str = "Keeps a parrot.") -> str:
    answer = agent.post("/api/v1/memories/", {"owner": owner, "content": content})
    item_id: str = answer.json()["target_id"]
    return item_id


@pytest.fixture
def database(committing_db: str) -> None:
    """Within one test transaction the database's now() stands still, and nothing just written would hold yet."""


def asked(agent: AgentClient, query: str = "Which bird does she keep, a parrot?", **values: Any) -> Any:
    return agent.post(RECALL, {"owner": "ann", "query": query, **values})


def test_what_matters_is_served_with_its_owner_and_one_trace(agent: AgentClient) -> None:
    item_id = remembered(agent)
    answer = asked(agent, session="s1")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    served = body["served"][0]
    assert (served["id"], served["owner"], served["text"]) == (item_id, "ann", "Keeps a parrot.")
    assert "Keeps a parrot." in body["text"]
    assert "parts" not in served
    assert "excluded" not in body
    trace = agent.get(f"{RECALLS}{body['recall']}/", {"owner": "ann"}).json()
    assert (trace["query"], trace["session"], trace["served"][0]["id"]) == (
        "Which bird does she keep, a parrot?", "s1", item_id,
    )  # fmt: skip
    assert trace["served"][0]["occurred_at"] == served["occurred_at"]
    listed = agent.get(RECALLS, {"owner": "ann", "session": "s1"}).json()["results"]
    assert [row["id"] for row in listed] == [body["recall"]]


def test_explain_shows_the_parts_of_a_score_and_what_was_left_out(agent: AgentClient) -> None:
    remembered(agent)
    body = asked(agent, explain=True, top_k=0).json()
    assert "excluded" in body
    body = asked(agent, explain=True).json()
    assert set(body["served"][0]["parts"]) >= {"meaning", "entity", "recency", "importance"}


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"owner": ""}, "owner", "blank"),
        ({"onwer": "ann"}, "onwer", "unknown_field"),
        ({"kinds": ["everything"]}, "kinds[0]", "invalid_choice"),
        ({"top_k": 201}, "top_k", "max_value"),
        ({"budget_tokens": -1}, "budget_tokens", "min_value"),
        ({"query": "a\x00"}, "query", "nul_character"),
        ({"query": "x" * 4001}, "query", "max_length"),
        ({"valid_at": "then"}, "valid_at", "invalid"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, change: dict[str, Any], field: str, code: str) -> None:
    remembered(agent)
    answer = asked(agent, **change)
    assert (answer.status_code, error_of(answer)["field"], error_of(answer)["code"]) == (400, field, code)


def test_no_owner_is_400_and_an_unknown_one_is_not_made(agent: AgentClient) -> None:
    assert agent.post(RECALL, {"query": "x"}).status_code == 400
    assert agent.post(RECALL, {"owner": "zoe", "query": "x"}).status_code == 404
    assert not Owner.objects.filter(ref="zoe").exists()


def test_a_linked_owner_is_named_beside_what_is_his(agent: AgentClient) -> None:
    remembered(agent)
    remembered(agent, owner="team", content="The parrot policy of the team is kind.")
    Owner.objects.filter(ref="team").update(kind="team")
    ann, team = (Owner.objects.get(ref=ref) for ref in ("ann", "team"))
    make_link(ann, team)
    body = asked(agent, query="parrot policy").json()
    assert {line["owner"] for line in body["served"]} <= {"ann", "team"}


def test_a_frozen_owner_is_answered_with_nothing_and_says_so(agent: AgentClient) -> None:
    remembered(agent)
    Owner.objects.update(state="frozen")
    body = asked(agent).json()
    assert (body["state"], body["served"], body["recall"]) == ("owner_frozen", [], None)


def test_another_agent_of_the_workspace_and_a_read_only_key_may_ask(
    agent: AgentClient, teammate: AgentClient, reader: AgentClient
) -> None:
    remembered(agent)
    for client in (teammate, reader):
        assert asked(client).json()["served"][0]["owner"] == "ann"


def test_a_foreign_owner_and_trace_are_answered_as_unknown_ones(
    agent: AgentClient, stranger: AgentClient
) -> None:
    remembered(agent)
    trace = asked(agent).json()["recall"]
    assert asked(stranger).status_code == 404
    stranger.put("/api/v1/owners/ann/", {})
    counts, answers = [], []
    for wanted in (trace, "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01"):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.get(f"{RECALLS}{wanted}/", {"owner": "ann"}))
        counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404, 404]
    assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
    assert counts[0] == counts[1]
    assert "parrot" not in str(asked(stranger).content)


def test_the_number_of_statements_does_not_grow_with_the_memories(agent: AgentClient) -> None:
    remembered(agent)
    asked(agent)
    with CaptureQueriesContext(connection) as few:
        asked(agent)
    for number in range(12):
        remembered(agent, content=f"Parrot number {number} is grey.")
    with CaptureQueriesContext(connection) as many:
        asked(agent)
    assert len(few) == len(many)
    assert Recall.objects.of(Owner.objects.get(ref="ann").id).count() == 3


@pytest.mark.parametrize("path", [RECALL, "/api/v1/context/"])
def test_the_answer_comes_as_data_as_text_or_as_messages(agent: AgentClient, path: str) -> None:
    remembered(agent)

    def told(**values: Any) -> dict[str, Any]:
        given = {"owner": "ann", **values}
        asking = {**given, "query": "Which bird does she keep, a parrot?"}
        answer = agent.post(path, asking) if path == RECALL else agent.get(path, given)
        assert answer.status_code == 200, answer.content
        body: dict[str, Any] = answer.json()
        return body

    data = {"served"} if path == RECALL else {"rules", "forms", "decisions", "key_events", "proposals"}
    whole, text, messages = told(), told(format="text"), told(format="messages")
    assert data <= whole.keys()
    assert "messages" not in whole
    assert not data & (text.keys() | messages.keys())
    assert "text" not in messages
    if path == RECALL:
        assert [message["role"] for message in messages["messages"]] == ["system"]
        assert "Keeps a parrot." in messages["messages"][0]["content"]
        assert "on record since" in text["text"]
        assert whole["served"][0]["phrase"].startswith("on record since ")
        assert (whole["served"][0]["confidence"], whole["layers"][1]["state"]) == (0.85, "answered")
    nothing = agent.post(RECALL, {"owner": "ann", "query": "x", "format": "messages", "budget_tokens": 0})
    assert nothing.json()["messages"] == []
    refused = agent.post(RECALL, {"owner": "ann", "query": "x", "format": "xml"})
    assert (refused.status_code, error_of(refused)["field"]) == (400, "format")


def test_pointers_and_empty_days_are_said(agent: AgentClient) -> None:
    remembered(agent)
    body = asked(agent, query="How is that issue going?").json()
    (pointer,) = body["pointers"]
    assert (pointer["pointer"], pointer["state"]) == ("issue", "unresolved")
    assert pointer["words"].startswith("How is that issue")
    assert asked(agent, query="2020-01-02").json()["notes"] == ["No events on 2020-01-02"]
