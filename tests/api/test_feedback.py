"""`/api/v1/recalls/<id>/feedback/`: used, useless or harmful."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.models import Owner, RecallFeedback, Review
from tests.api.clients import AgentClient, error_of
from tests.api.proposing import UNKNOWN, owner_of, stored

OWNER = {"owner": "ann"}


@pytest.fixture
def database(committing_db: str) -> None:
    """Within one test transaction the database's now() stands still, and nothing just written would hold yet."""


def served(agent: AgentClient, *contents: str) -> tuple[str, list[str]]:
    """A recall that told these memories. Answers the feedback's address and the memories' ids."""
    written = [stored(agent, content)["target_id"] for content in contents or ("Keeps a parrot.",)]
    recall = agent.post("/api/v1/recall/", {"owner": "ann", "query": "Which parrot does she keep?"}).json()
    told = [told for line in recall["served"] for told in line["ids"]]
    assert set(written) <= set(told)
    return f"/api/v1/recalls/{recall['recall']}/feedback/", written


def given(agent: AgentClient) -> set[tuple[str, str]]:
    rows = RecallFeedback.objects.of(owner_of(agent)).values_list("target_id", "verdict")
    return {(str(target), verdict) for target, verdict in rows}


def test_verdicts_are_recorded_once(agent: AgentClient) -> None:
    path, (parrot, grey) = served(agent, "Keeps a parrot.", "The parrot is grey.")
    body = {"owner": "ann", "used": [parrot], "useless": [grey]}
    first = agent.post(path, body)
    assert (first.status_code, first.json()) == (200, {"recorded": 2, "rechecks": 0})
    assert agent.post(path, body).json() == {"recorded": 0, "rechecks": 0}
    assert given(agent) == {(parrot, "used"), (grey, "useless")}
    assert not Review.objects.of(owner_of(agent)).filter(kind="recheck").exists()


def test_a_harmful_memory_is_before_a_person_at_once(agent: AgentClient, teammate: AgentClient) -> None:
    path, (parrot,) = served(agent)
    answer = teammate.post(path, {"owner": "ann", "harmful": [parrot]})
    assert answer.json() == {"recorded": 1, "rechecks": 1}
    review = agent.get("/api/v1/reviews/", {"owner": "ann", "kind": "recheck"}).json()["results"][0]
    assert (review["state"], review["proposed"]) == ("open", "Keeps a parrot.")
    assert agent.get(f"/api/v1/memories/{parrot}/", OWNER).json()["status"] == "active"


def test_what_a_person_has_decided_is_not_opened_again_by_saying_it_twice(agent: AgentClient) -> None:
    path, (parrot,) = served(agent)
    body = {"owner": "ann", "harmful": [parrot]}
    assert agent.post(path, body).json()["rechecks"] == 1
    decided = {"state": "decided", "outcome": "reaffirmed", "decided_at": timezone.now()}
    Review.objects.of(owner_of(agent)).filter(kind="recheck").update(**decided)
    assert agent.post(path, body).json() == {"recorded": 0, "rechecks": 0}


def test_the_same_request_again_has_the_same_answer(agent: AgentClient) -> None:
    path, (parrot,) = served(agent)
    body = {"owner": "ann", "harmful": [parrot]}
    first = agent.post(path, body, Idempotency_Key="K")
    again = agent.post(path, body, Idempotency_Key="K")
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (200, first.json())
    assert first.json()["recorded"] == 1
    other = agent.post(path, {"owner": "ann", "used": [parrot]}, Idempotency_Key="K")
    assert (other.status_code, error_of(other)["code"]) == (422, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"owner": ""}, "owner", "blank"),
        ({"used": []}, "used", "empty"),
        ({"used": ["parrot"]}, "used[0]", "invalid"),
        ({"used": [UNKNOWN] * 101}, "used", "max_length"),
        ({"harmful": [UNKNOWN]}, "harmful[0]", "not_served"),
        ({"good": [UNKNOWN]}, "good", "unknown_field"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, change: dict[str, Any], field: str, code: str) -> None:
    path, (parrot,) = served(agent)
    answer = agent.post(path, {"owner": "ann", "used": [parrot], **change})
    assert (answer.status_code, error_of(answer)["field"], error_of(answer)["code"]) == (400, field, code)
    assert given(agent) == set()


def test_a_foreign_recall_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    path, (parrot,) = served(agent)
    body = {"owner": "ann", "harmful": [parrot]}
    assert stranger.post(path, body).status_code == 404
    stranger.put("/api/v1/owners/ann/", {})
    counts, answers = [], []
    for wanted in (path, f"/api/v1/recalls/{UNKNOWN}/feedback/"):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.post(wanted, body))
            counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404, 404]
    assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
    assert counts[0] == counts[1]
    assert given(agent) == set()


def test_a_reading_key_may_say_what_it_used_and_one_without_recall_may_not(
    agent: AgentClient, reader: AgentClient, writer: AgentClient
) -> None:
    path, (parrot,) = served(agent)
    assert reader.post(path, {"owner": "ann", "used": [parrot]}).status_code == 200
    answer = writer.post(path, {"owner": "ann", "used": [parrot]})
    assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_a_frozen_owner_takes_no_feedback(agent: AgentClient) -> None:
    path, (parrot,) = served(agent)
    Owner.objects.update(state="frozen")
    answer = agent.post(path, {"owner": "ann", "used": [parrot]})
    assert (answer.status_code, error_of(answer)["code"]) == (423, "owner_frozen")


def test_the_number_of_statements_does_not_grow_with_the_verdicts(agent: AgentClient) -> None:
    path, ids = served(
        agent, "Keeps a parrot.", "The parrot is grey.", "Bought the parrot in Lisbon last spring."
    )
    counts = []
    for judged in (ids[:1], ids[1:]):
        with CaptureQueriesContext(connection) as queries:
            assert agent.post(path, {"owner": "ann", "harmful": judged}).json()["rechecks"] == len(judged)
            counts.append(len(queries))
    assert counts[0] == counts[1]
