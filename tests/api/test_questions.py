"""`/api/v1/questions/`: what to ask the owner, and what he answered."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.models import Change, Owner, Question
from tests.api.clients import AgentClient, error_of
from tests.api.proposing import UNKNOWN, owner_of, statements

QUESTIONS = "/api/v1/questions/"
ATTITUDE = "/api/v1/forms/preferences/attitude/"
OWNER = {"owner": "ann"}
COFFEE = {"owner": "ann", "subject": "coffee"}


def said(agent: AgentClient, content: str) -> str:
    event_id: str = agent.post("/api/v1/events/", {"owner": "ann", "content": content}).json()["events"][0][
        "id"
    ]
    return event_id


def asked_about(agent: AgentClient) -> str:
    """A taste that contradicts an earlier one is confirmed by the owner first. Answers the question's id."""
    old = {"event": said(agent, "I like coffee."), "quote": "like coffee"}
    new = {"event": said(agent, "I never liked coffee."), "quote": "never liked coffee"}
    first = agent.put(ATTITUDE, {**COFFEE, "value": "likes", "evidence": old})
    assert first.status_code == 201, first.content
    changed = {**COFFEE, "value": "dislikes", "evidence": new, "world_change": False}
    second = agent.put(ATTITUDE, changed, If_Match=first["ETag"])
    assert (second.status_code, second.json()["code"]) == (202, "confirm_with_owner"), second.content
    question_id: str = listed(agent)[0]["id"]
    return question_id


def listed(client: AgentClient, **asked: str) -> list[dict[str, Any]]:
    answer = client.get(QUESTIONS, {"owner": "ann", **asked})
    assert answer.status_code == 200, answer.content
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


def attitudes(agent: AgentClient) -> list[Any]:
    return [value["value"] for value in agent.get(ATTITUDE, COFFEE).json()["values"]]


def test_a_question_is_ready_to_be_asked_by_any_agent_of_the_workspace(
    agent: AgentClient, teammate: AgentClient
) -> None:
    question_id = asked_about(agent)
    body = teammate.get(f"{QUESTIONS}{question_id}/", OWNER).json()
    assert (body["state"], body["form_type"], body["subject"], body["field"]) == (
        "open", "preferences", "coffee", "attitude",
    )  # fmt: skip
    assert "“likes”" in body["text"] and "“dislikes”" in body["text"]
    assert [(choice["code"], choice["value"], choice["quote"]) for choice in body["choices"]] == [
        ("new", "dislikes", "never liked coffee"), ("keep", "likes", "like coffee"), ("exception", None, ""),
    ]  # fmt: skip
    new, keep, exception = (choice["event"] for choice in body["choices"])
    assert new and keep and new != keep and exception is None
    assert (body["answer"], body["answered_at"]) == (None, None)
    assert agent.get("/api/v1/reviews/", OWNER).json()["results"][0]["question"] == question_id


@pytest.mark.parametrize(
    ("answer", "stands", "state", "reason"),
    [
        ("new", ["dislikes"], "applied", ""),
        ("keep", ["likes"], "rejected", "owner_kept"),
        ("exception", ["likes"], "rejected", "exception"),
    ],
)
def test_the_answer_settles_the_change(
    agent: AgentClient, answer: str, stands: list[str], state: str, reason: str
) -> None:
    question_id = asked_about(agent)
    event_id = said(agent, "Yes, as I said.")
    got = agent.post(
        f"{QUESTIONS}{question_id}/answer/", {"owner": "ann", "answer": answer, "event": event_id}
    )
    assert got.status_code == 200, got.content
    body = got.json()
    assert (body["state"], body["answer"], body["event"]) == ("answered", answer, event_id)
    assert attitudes(agent) == stands
    change = agent.get(f"/api/v1/changes/{body['change']}/", OWNER).json()
    assert (change["state"], change["decision_reason"]) == (state, reason)
    assert change["reviews"][0]["decided_by"] == "owner"
    assert listed(agent) == []
    assert [row["id"] for row in listed(agent, state="answered")] == [question_id]


def test_a_question_is_answered_once(agent: AgentClient, teammate: AgentClient) -> None:
    path = f"{QUESTIONS}{asked_about(agent)}/answer/"
    body = {"owner": "ann", "answer": "keep"}
    first = agent.post(path, body, Idempotency_Key="K")
    again = agent.post(path, body, Idempotency_Key="K")
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (200, first.json())
    other = agent.post(path, {**body, "answer": "new"}, Idempotency_Key="K")
    assert (other.status_code, error_of(other)["code"]) == (422, "idempotency_key_reused")
    late = teammate.post(path, {**body, "answer": "new"})
    assert (late.status_code, error_of(late)["code"]) == (409, "wrong_move")
    assert attitudes(agent) == ["likes"]


def test_an_expired_question_is_not_open_whether_or_not_the_sweep_came_by(agent: AgentClient) -> None:
    question_id = asked_about(agent)
    past = timezone.now() - timedelta(days=1)
    Question.objects.of(owner_of(agent)).filter(id=question_id).update(expires_at=past)
    assert listed(agent) == []
    assert agent.get(f"{QUESTIONS}{question_id}/", OWNER).status_code == 200


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "owner"),
        ({"owner": "ann", "state": "all"}, "state"),
        ({"owner": "ann", "change": "7"}, "change"),
        ({"owner": "ann", "kind": "conflict"}, "kind"),
    ],
)
def test_a_broken_rule_of_the_list_is_named(agent: AgentClient, asked: dict[str, str], field: str) -> None:
    asked_about(agent)
    answer = agent.get(QUESTIONS, asked)
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"owner": ""}, "owner"),
        ({"answer": "maybe"}, "answer"),
        ({"answer": None}, "answer"),
        ({"event": "yesterday"}, "event"),
        ({"because": "x"}, "because"),
    ],
)
def test_a_broken_rule_of_an_answer_is_named(agent: AgentClient, change: dict[str, Any], field: str) -> None:
    path = f"{QUESTIONS}{asked_about(agent)}/answer/"
    answer = agent.post(path, {"owner": "ann", "answer": "new", **change})
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)
    unknown = agent.post(path, {"owner": "ann", "answer": "new", "event": UNKNOWN})
    assert (unknown.status_code, error_of(unknown)["field"]) == (404, "event")
    assert Change.objects.of(owner_of(agent)).filter(state="proposed").count() == 1


def test_a_foreign_question_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    question_id = asked_about(agent)
    stranger.put("/api/v1/owners/ann/", {})
    counts, answers = [], []
    for wanted in (question_id, UNKNOWN):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.get(f"{QUESTIONS}{wanted}/", OWNER))
            answers.append(stranger.post(f"{QUESTIONS}{wanted}/answer/", {"owner": "ann", "answer": "new"}))
            counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404] * 4
    errors = [error_of(answer) | {"request_id": ""} for answer in answers]
    assert (errors[0], errors[1]) == (errors[2], errors[3])
    assert counts[0] == counts[1]
    assert listed(agent)[0]["state"] == "open"


def test_a_read_only_key_reads_and_does_not_answer(agent: AgentClient, reader: AgentClient) -> None:
    question_id = asked_about(agent)
    assert reader.get(f"{QUESTIONS}{question_id}/", OWNER).status_code == 200
    answer = reader.post(f"{QUESTIONS}{question_id}/answer/", {"owner": "ann", "answer": "new"})
    assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_a_frozen_owner_answers_nothing(agent: AgentClient) -> None:
    question_id = asked_about(agent)
    Owner.objects.update(state="frozen")
    answer = agent.post(f"{QUESTIONS}{question_id}/answer/", {"owner": "ann", "answer": "new"})
    assert (answer.status_code, error_of(answer)["code"]) == (423, "owner_frozen")


def test_the_number_of_statements_is_fixed(agent: AgentClient) -> None:
    question_id = asked_about(agent)
    few = statements(lambda: agent.get(QUESTIONS, OWNER))
    detail = statements(lambda: agent.get(f"{QUESTIONS}{question_id}/", OWNER))
    question = Question.objects.of(owner_of(agent)).get()
    Question.objects.bulk_create(
        Question(
            owner_id=question.owner_id,
            workspace_id=question.workspace_id,
            kind="uncertain",
            text=f"Number {number}?",
            expires_at=question.expires_at,
        )
        for number in range(12)
    )
    many = statements(lambda: agent.get(QUESTIONS, OWNER))
    assert (few, many, detail) == (6, 6, 6)
    assert len(listed(agent)) == 13
