"""Many writers of one value, each with the version it saw: no update is lost and nothing fails."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from memoryhub.models import FieldVersion, MemoryItem, Owner
from tests.api.clients import AgentClient

WRITERS = 8
WRITES = 6
BUDGET = "/api/v1/forms/user_profile/budget/"


@pytest.fixture
def database(committing_db: str) -> None:
    """Writers come from threads."""


def test_no_value_is_lost_between_contending_writers(agent: AgentClient) -> None:
    agent.put(BUDGET, {"owner": "ann", "value": 0})

    def write(writer: int) -> Counter[int]:
        statuses: Counter[int] = Counter()
        try:
            for number in range(WRITES):
                etag = agent.get(BUDGET, {"owner": "ann"})["ETag"]
                value = 1000 * (1 + writer) + number * 100_000
                statuses[agent.put(BUDGET, {"owner": "ann", "value": value}, If_Match=etag).status_code] += 1
        finally:
            connection.close()
        return statuses

    with ThreadPoolExecutor(WRITERS) as pool:
        statuses = sum(pool.map(write, range(WRITERS)), Counter[int]())
    assert set(statuses) <= {201, 412}
    versions = FieldVersion.objects.of(Owner.objects.get(ref="ann").id)
    assert versions.count() - 1 == statuses[201]
    assert versions.filter(status="active").count() == 1


def test_of_many_editors_with_one_version_one_wins(agent: AgentClient) -> None:
    item = agent.post("/api/v1/memories/", {"owner": "ann", "content": "Works in Berlin."}).json()[
        "target_id"
    ]
    path = f"/api/v1/memories/{item}/"
    etag = agent.get(path, {"owner": "ann"})["ETag"]

    def edit(writer: int) -> int:
        try:
            body = {"owner": "ann", "content": f"Works in town {writer}."}
            status: int = agent.patch(path, body, If_Match=etag).status_code
            return status
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        statuses = Counter(pool.map(edit, range(WRITERS)))
    assert statuses == {201: 1, 412: WRITERS - 1}
    assert MemoryItem.objects.of(Owner.objects.get(ref="ann").id).filter(status="active").count() == 1


def test_first_writers_of_one_field_make_one_version(agent: AgentClient) -> None:
    agent.put("/api/v1/owners/ann/", {})

    def write(writer: int) -> int:
        try:
            status: int = agent.put(BUDGET, {"owner": "ann", "value": 1000 * (writer + 1)}).status_code
            return status
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        statuses = Counter(pool.map(write, range(WRITERS)))
    assert statuses == {201: 1, 428: WRITERS - 1}
