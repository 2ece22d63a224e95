"""`Idempotency-Key`: one effect and one answer per key, owner and agent."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from memoryhub.database.scope import scope
from memoryhub.models import Event, IdempotencyKey, MemoryItem, Owner
from tests.api.clients import AgentClient, error_of

EVENTS = "/api/v1/events/"
BATCH = "/api/v1/events/batch/"
MEMORIES = "/api/v1/memories/"
MEMORY_BATCH = "/api/v1/memories/batch/"
TWINS = 24


@pytest.fixture
def database(committing_db: str) -> None:
    """Twins come from threads."""


def owner_id(agent: AgentClient, ref: str = "ann") -> Any:
    return Owner.objects.get(ref=ref, workspace=agent.workspace).id


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (EVENTS, {"owner": "ann", "content": "我对坚果过敏"}),
        (BATCH, {"owner": "ann", "events": [{"content": "a"}, {"content": 1}, {"content": "b"}]}),
        (MEMORIES, {"owner": "ann", "content": "Works in Berlin."}),
        (MEMORY_BATCH, {"owner": "ann", "memories": [{"content": "Has a dog."}, {"content": "Has a cat."}]}),
    ],
)
def test_the_same_request_again_has_the_same_answer_and_no_second_effect(
    agent: AgentClient, path: str, body: dict[str, Any]
) -> None:
    first = agent.post(path, body, Idempotency_Key="K")
    counts = Event.objects.of(owner_id(agent)).count(), MemoryItem.objects.of(owner_id(agent)).count()
    again = agent.post(path, dict(reversed(body.items())), Idempotency_Key="K")
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert counts == (
        Event.objects.of(owner_id(agent)).count(),
        MemoryItem.objects.of(owner_id(agent)).count(),
    )


def test_another_body_is_422(agent: AgentClient) -> None:
    agent.post(EVENTS, {"owner": "ann", "content": "a"}, Idempotency_Key="K")
    other = agent.post(EVENTS, {"owner": "ann", "content": "b"}, Idempotency_Key="K")
    assert (other.status_code, error_of(other)["code"]) == (422, "idempotency_key_reused")
    assert Event.objects.of(owner_id(agent)).count() == 1


def test_a_key_belongs_to_one_owner_and_one_agent(agent: AgentClient, teammate: AgentClient) -> None:
    agent.post(EVENTS, {"owner": "ann", "content": "a"}, Idempotency_Key="K")
    assert agent.post(EVENTS, {"owner": "bob", "content": "b"}, Idempotency_Key="K").status_code == 202
    assert teammate.post(EVENTS, {"owner": "ann", "content": "c"}, Idempotency_Key="K").status_code == 202
    assert Event.objects.of(owner_id(agent)).count() == 2
    assert Event.objects.of(owner_id(agent, "bob")).count() == 1


def test_the_key_of_an_event_holds_for_good(agent: AgentClient) -> None:
    body = {"owner": "ann", "content": "a", "idempotency_key": "E"}
    first, again = agent.post(EVENTS, body).json(), agent.post(EVENTS, body).json()
    assert first["events"][0]["id"] == again["events"][0]["id"]
    assert (again["events"][0]["status"], again["operation"]) == ("duplicate", None)
    other = agent.post(EVENTS, {**body, "content": "b"})
    assert (other.status_code, error_of(other)["code"]) == (422, "idempotency_key_reused")


def test_a_faulty_request_keeps_nothing_for_its_key(agent: AgentClient) -> None:
    assert agent.post(EVENTS, {"owner": "ann", "content": ""}, Idempotency_Key="K").status_code == 400
    assert agent.post(EVENTS, {"owner": "ann", "content": "a"}, Idempotency_Key="K").status_code == 202


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 256])
def test_a_key_that_is_not_one_is_400(agent: AgentClient, key: str) -> None:
    for path, body in (
        (EVENTS, {"owner": "ann", "content": "a"}),
        (MEMORY_BATCH, {"owner": "ann", "memories": [{"content": "a"}]}),
        ("/api/v1/recall/", {"owner": "ann", "query": "a"}),
    ):
        answer = agent.post(path, body, Idempotency_Key=key)
        assert (answer.status_code, error_of(answer)["code"]) == (400, "bad_idempotency_key")


def test_many_twins_have_one_effect(agent: AgentClient) -> None:
    body = {"owner": "ann", "content": "我对坚果过敏"}
    agent.put("/api/v1/owners/ann/", {})

    def send(_: int) -> Any:
        try:
            return agent.post(EVENTS, body, Idempotency_Key="K")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(TWINS)))
    assert Event.objects.of(owner_id(agent)).count() == 1
    assert {answer.status_code for answer in answers} <= {202, 409}
    assert len({answer.content for answer in answers if answer.status_code == 202}) == 1


def test_twins_without_a_known_owner_make_one_owner(agent: AgentClient) -> None:
    def send(_: int) -> Any:
        try:
            return agent.post(EVENTS, {"owner": "new", "content": "a"}, Idempotency_Key="K")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        statuses = {answer.status_code for answer in pool.map(send, range(8))}
    assert statuses <= {202, 409}
    assert Event.objects.of(owner_id(agent, "new")).count() == 1


def test_an_erased_owner_is_gone_for_a_repeated_request_too(agent: AgentClient) -> None:
    body = {"owner": "ann", "content": "a"}
    agent.post(EVENTS, body, Idempotency_Key="K")
    Owner.objects.update(state="erasing")
    assert agent.post(EVENTS, body, Idempotency_Key="K").status_code == 410


def test_what_is_kept_holds_no_content(agent: AgentClient) -> None:
    agent.post(EVENTS, {"owner": "ann", "content": "我对坚果过敏"}, Idempotency_Key="K")
    agent.post(MEMORIES, {"owner": "ann", "content": "坚果 is out."}, Idempotency_Key="K")
    kept = list(IdempotencyKey.objects.of(owner_id(agent)).values_list("status", "answer", "fingerprint"))
    assert {status for status, _, _ in kept} == {201, 202}
    assert "坚果" not in str(kept)
    assert all(len(bytes(fingerprint)) == 32 for _, _, fingerprint in kept)


def test_a_frozen_owner_still_gets_the_earlier_answer(agent: AgentClient) -> None:
    body = {"owner": "ann", "content": "a"}
    first = agent.post(EVENTS, body, Idempotency_Key="K")
    Owner.objects.update(state="frozen")
    assert agent.post(EVENTS, body, Idempotency_Key="K").json() == first.json()
    assert agent.post(EVENTS, body, Idempotency_Key="K2").status_code == 423


def test_the_scope_of_a_repeated_request_is_closed_again(agent: AgentClient) -> None:
    agent.post(EVENTS, {"owner": "ann", "content": "a"}, Idempotency_Key="K")
    agent.post(EVENTS, {"owner": "ann", "content": "a"}, Idempotency_Key="K")
    assert not connection.in_atomic_block
    with scope(workspace_id=agent.workspace.id, owners=[owner_id(agent)], purpose="test"):
        assert Event.objects.of(owner_id(agent)).count() == 1
