"""The same rollback sent many times at once, and two different ones of one value: one of them happens."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from memoryhub.models import ChangeSet
from tests.api.clients import AgentClient
from tests.api.proposing import BUDGET, owner_of

PATH = f"{BUDGET}rollback/"
TWINS = 16


@pytest.fixture
def database(committing_db: str) -> None:
    """Twins come from threads."""


def send_many(agent: AgentClient, keys: list[str]) -> list[Any]:
    """Take the only budget back, once per key, all at once."""
    agent.put(BUDGET, {"owner": "ann", "value": 500})
    digest = agent.post(PATH, {"owner": "ann", "dry_run": True}).json()["digest"]

    def send(key: str) -> Any:
        try:
            return agent.post(PATH, {"owner": "ann", "digest": digest}, Idempotency_Key=key)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(send, keys))


def rollbacks(agent: AgentClient) -> int:
    return ChangeSet.objects.of(owner_of(agent)).filter(act="rollback").count()


def test_twins_have_one_effect_and_one_answer(agent: AgentClient) -> None:
    answers = send_many(agent, ["K"] * TWINS)
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert len({answer.content for answer in answers if answer.status_code == 200}) == 1
    assert rollbacks(agent) == 1
    assert agent.get(BUDGET, {"owner": "ann"}).status_code == 404


def test_of_different_requests_with_one_digest_one_is_done(agent: AgentClient) -> None:
    answers = send_many(agent, [f"K{number}" for number in range(TWINS)])
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(200) == 1
    assert set(statuses) <= {200, 404, 409}
    assert rollbacks(agent) == 1
