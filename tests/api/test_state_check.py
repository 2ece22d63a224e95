"""`/api/v1/state-check/`: what speaks against what is about to be said or done."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.models import Owner
from tests.api.clients import AgentClient, error_of
from tests.api.proposing import statements

STATE_CHECK = "/api/v1/state-check/"
CLAIM = {"field": "user_profile.location", "value": "Boston"}


def checked(client: AgentClient, **asked: Any) -> dict[str, Any]:
    answer = client.post(STATE_CHECK, {"owner": "ann", **asked})
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


@pytest.fixture
def denver(agent: AgentClient) -> AgentClient:
    """Ann lives in Denver and cannot have milk."""
    for path, value in (("location", "Denver"), ("diet", "lactose-free")):
        evidence = agent.post("/api/v1/events/", {"owner": "ann", "content": f"I am in {value}."}).json()
        body = {
            "owner": "ann",
            "value": value,
            "evidence": {"event": evidence["events"][0]["id"], "quote": value},
        }
        answer = agent.put(f"/api/v1/forms/user_profile/{path}/", body)
        assert answer.status_code == 201, answer.content
    return agent


def test_conflicts_and_rules_are_told_with_their_evidence(denver: AgentClient, reader: AgentClient) -> None:
    body = checked(reader, claims=[CLAIM], action="recommend a latte")
    assert (body["owner"], body["state"], body["ok"]) == ("ann", "ok", False)
    (conflict,) = body["conflicts"]
    assert (conflict["claim"]["index"], conflict["claim"]["value"]) == (0, "Boston")
    assert (conflict["stored"]["value"], conflict["stored"]["quote"], conflict["stored"]["certainty"]) == (
        "Denver", "Denver", "fact",
    )  # fmt: skip
    assert "“Denver”" in conflict["question"] and "“Boston”" in conflict["question"]
    (rule,) = body["rules"]
    assert (rule["kind"], rule["owner"], rule["matched"], rule["field"]) == ("safety", "ann", "latte", "diet")
    assert rule["event"] and rule["at"].endswith("Z")
    assert checked(reader, claims=[{**CLAIM, "value": "Denver"}], action="recommend a tea")["ok"] is True


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "claims"),
        ({"owner": ""}, "owner"),
        ({"text": 7}, "text"),
        ({"text": "x" * 4_001}, "text"),
        ({"action": "x" * 1_001}, "action"),
        ({"action": "x", "speaker": "tool"}, "speaker"),
        ({"claims": [{"field": "user_profile.location"}]}, "claims[0].value"),
        ({"claims": [{**CLAIM, "field": "shoe_size"}]}, "claims[0].field"),
        ({"claims": [{"field": "user_profile.birthday", "value": "soon"}]}, "claims[0].value"),
        ({"claims": [CLAIM] * 51}, "claims"),
        ({"claims": "x"}, "claims"),
        ({"action": "x", "because": "y"}, "because"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, asked: dict[str, Any], field: str) -> None:
    agent.put("/api/v1/owners/ann/", {})
    answer = agent.post(STATE_CHECK, {"owner": "ann", **asked})
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_it_needs_the_right_to_recall_and_makes_no_owner(writer: AgentClient, agent: AgentClient) -> None:
    answer = writer.post(STATE_CHECK, {"owner": "ann", "action": "x"})
    assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")
    answer = agent.post(STATE_CHECK, {"owner": "ann", "action": "x"})
    assert (answer.status_code, error_of(answer)["code"]) == (404, "not_found")
    assert not Owner.objects.filter(ref="ann").exists()


def test_a_frozen_owner_is_never_ok(denver: AgentClient) -> None:
    Owner.objects.update(state="frozen")
    body = checked(denver, action="recommend a latte")
    assert (body["state"], body["ok"], body["rules"]) == ("owner_frozen", False, [])


def test_the_number_of_statements_is_fixed(denver: AgentClient) -> None:
    asked = {"owner": "ann", "action": "recommend a latte", "claims": [CLAIM], "session": "s"}
    few = statements(lambda: denver.post(STATE_CHECK, asked))
    for value in ("nuts", "fish", "egg"):
        denver.put("/api/v1/forms/user_profile/allergies/", {"owner": "ann", "value": value})
    assert statements(lambda: denver.post(STATE_CHECK, asked)) == few
