"""`/api/v1/reviews/`: what people made of an agent's proposals."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.models import Review
from tests.api.clients import AgentClient, error_of
from tests.api.proposing import ALLERGIES, UNKNOWN, approved, owner_of, proposed, rejected, statements, stored

REVIEWS = "/api/v1/reviews/"
OWNER = {"owner": "ann"}
FOODS = ("核桃", "腰果", "杏仁", "榛子", "花生", "芝麻", "大豆", "小麦", "牛奶", "鸡蛋", "海鲜", "芒果")


def listed(agent: AgentClient, **asked: str) -> list[dict[str, Any]]:
    answer = agent.get(REVIEWS, {"owner": "ann", **asked})
    assert answer.status_code == 200, answer.content
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


def test_a_waiting_proposal_says_what_it_waits_for_and_since_when(agent: AgentClient) -> None:
    change_id = proposed(agent)
    row = listed(agent)[0]
    assert (row["change"], row["kind"], row["state"], row["outcome"], row["decided_by"]) == (
        change_id, "proposal", "open", "", "",
    )  # fmt: skip
    assert (row["form_type"], row["field"], row["proposed"]) == ("user_profile", "allergies", "坚果")
    assert row["waiting_since"] and row["due_at"] and row["gates"]
    assert agent.get(f"{REVIEWS}{row['id']}/", OWNER).json() == row


def test_a_decision_shows_its_reason_and_a_role(agent: AgentClient) -> None:
    rejected(agent, proposed(agent))
    approved(agent, proposed(agent, "花生"))
    answer = agent.get(REVIEWS, OWNER)
    yes, no = answer.json()["results"]
    assert (no["state"], no["outcome"], no["reason_code"], no["decided_by"]) == (
        "decided", "rejected", "joke_or_sarcasm", "reviewer",
    )  # fmt: skip
    assert (yes["outcome"], yes["reason_code"], yes["waiting_since"]) == ("approved", "", None)
    assert "anna" not in answer.content.decode().lower()


def test_a_rejected_joke_comes_back_as_regressed_only_with_fresh_evidence(agent: AgentClient) -> None:
    first = proposed(agent)
    rejected(agent, first)
    assert listed(agent)[0]["reason_code"] == "joke_or_sarcasm"
    changes = agent.get("/api/v1/changes/", {"owner": "ann", "state": "rejected"}).json()["results"]
    assert [(change["id"], change["decision_reason"]) for change in changes] == [(first, "joke_or_sarcasm")]
    again = agent.put(ALLERGIES, {"owner": "ann", "value": " 坚果。"})
    assert (again.status_code, again.json()["outcome"], again.json()["code"]) == (
        200, "refused", "rejected_before",
    )  # fmt: skip
    event = agent.post("/api/v1/events/", {"owner": "ann", "content": "我对坚果过敏"}).json()["events"][0]
    evidence = {"event": event["id"], "quote": "我对坚果过敏"}
    afresh = agent.put(ALLERGIES, {"owner": "ann", "value": "坚果", "evidence": evidence})
    assert (afresh.status_code, afresh.json()["code"]) == (202, "regressed")
    waiting = listed(agent, state="open")
    assert [(row["change"], row["is_regressed"]) for row in waiting] == [(afresh.json()["change_id"], True)]
    assert agent.get(ALLERGIES, OWNER).status_code == 404


def test_only_the_proposer_sees_a_review(agent: AgentClient, teammate: AgentClient) -> None:
    proposed(agent)
    review_id = listed(agent)[0]["id"]
    assert listed(teammate) == []
    assert teammate.get(f"{REVIEWS}{review_id}/", OWNER).status_code == 404


def test_the_list_is_filtered(agent: AgentClient) -> None:
    first = proposed(agent)
    rejected(agent, first)
    second = proposed(agent, "花生")

    def changes(**asked: str) -> list[str]:
        return [row["change"] for row in listed(agent, **asked)]

    assert changes() == [second, first]
    assert changes(state="open") == [second]
    assert changes(outcome="rejected") == [first]
    assert changes(change=second) == [second]
    assert changes(kind="patrol") == []


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "owner"),
        ({"owner": "ann", "state": "pending"}, "state"),
        ({"owner": "ann", "kind": "joke"}, "kind"),
        ({"owner": "ann", "outcome": "no"}, "outcome"),
        ({"owner": "ann", "change": "7"}, "change"),
        ({"owner": "ann", "reviewer": "anna"}, "reviewer"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, asked: dict[str, str], field: str) -> None:
    proposed(agent)
    answer = agent.get(REVIEWS, asked)
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_a_foreign_review_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    proposed(agent)
    review_id = Review.objects.of(owner_of(agent)).get().id
    stranger.put("/api/v1/owners/ann/", {})
    counts, answers = [], []
    for wanted in (review_id, UNKNOWN):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.get(f"{REVIEWS}{wanted}/", OWNER))
        counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404, 404]
    assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
    assert counts[0] == counts[1]


def test_a_read_only_key_reads_and_a_key_without_the_scope_does_not(
    agent: AgentClient, reader: AgentClient, writer: AgentClient
) -> None:
    stored(agent)
    assert reader.get(REVIEWS, OWNER).status_code == 200
    answer = writer.get(REVIEWS, OWNER)
    assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_the_number_of_statements_is_fixed(agent: AgentClient) -> None:
    proposed(agent)
    review_id = listed(agent)[0]["id"]
    few = statements(lambda: agent.get(REVIEWS, OWNER))
    for food in FOODS:
        proposed(agent, food)
    many = statements(lambda: agent.get(REVIEWS, OWNER))
    detail = statements(lambda: agent.get(f"{REVIEWS}{review_id}/", OWNER))
    assert (few, many, detail) == (6, 6, 6)
    assert len(listed(agent)) == 13
