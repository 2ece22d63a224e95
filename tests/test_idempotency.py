"""The claim itself: one transaction with the effect, a twin that waits, a crash in between."""

from __future__ import annotations

import threading
import time
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from memoryhub import idempotency
from memoryhub.database.scope import scope
from memoryhub.exceptions import IdempotencyConflict, IdempotencyInProgress
from memoryhub.idempotency import Answer, Claim
from memoryhub.models import IdempotencyKey
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace

CONTENT = {"id": "1"}


@pytest.fixture
def source(committing_db: str) -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> UUID:
    return make_owner(source).id


def claim_of(source: Source, owner: UUID, body: Any = "body") -> Claim:
    assert source.agent_id is not None
    return Claim(
        workspace_id=source.workspace_id,
        owner_id=owner,
        agent_id=source.agent_id,
        route="events",
        key="K",
        fingerprint=idempotency.fingerprint(owner, body),
        status_of=lambda content: 202,
    )


def write(claim: Claim, *, pause: float = 0, fails: bool = False) -> None:
    """What a write service does."""
    with scope(workspace_id=claim.workspace_id, owners=[claim.owner_id], purpose="test", write=True):
        idempotency.take_claim()
        time.sleep(pause)
        if fails:
            raise RuntimeError
        idempotency.keep_answer(CONTENT)


def test_a_first_request_has_no_earlier_answer_and_the_second_has(source: Source, owner: UUID) -> None:
    claim = claim_of(source, owner)
    assert idempotency.run_once(claim, lambda: write(claim)) is None
    assert idempotency.run_once(claim, lambda: pytest.fail("done twice")) == Answer(
        status=202, content=CONTENT
    )


def test_without_a_claim_the_work_is_done_each_time(source: Source, owner: UUID) -> None:
    claim = claim_of(source, owner)
    for _ in range(2):
        assert idempotency.run_once(None, lambda: write(claim)) is None
    assert not IdempotencyKey.objects.of(owner).exists()


def test_another_body_is_a_conflict(source: Source, owner: UUID) -> None:
    claim = claim_of(source, owner)
    idempotency.run_once(claim, lambda: write(claim))
    with pytest.raises(IdempotencyConflict):
        idempotency.run_once(claim_of(source, owner, body="other"), lambda: write(claim))


def test_work_that_fails_takes_its_claim_with_it(source: Source, owner: UUID) -> None:
    claim = claim_of(source, owner)
    with pytest.raises(RuntimeError):
        idempotency.run_once(claim, lambda: write(claim, fails=True))
    assert not IdempotencyKey.objects.of(owner).exists()
    assert idempotency.run_once(claim, lambda: write(claim)) is None


def run_beside(claim: Claim, pause: float) -> threading.Thread:
    def run() -> None:
        try:
            idempotency.run_once(claim, lambda: write(claim, pause=pause))
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.3)
    return thread


def test_a_twin_waits_for_the_first_and_gets_its_answer(source: Source, owner: UUID) -> None:
    claim = claim_of(source, owner)
    first = run_beside(claim, pause=1)
    assert idempotency.run_once(claim, lambda: write(claim)) == Answer(status=202, content=CONTENT)
    first.join()


def test_a_twin_waits_no_longer_than_two_seconds(source: Source, owner: UUID) -> None:
    claim = claim_of(source, owner)
    first = run_beside(claim, pause=4)
    started = time.monotonic()
    with pytest.raises(IdempotencyInProgress) as refused:
        idempotency.run_once(claim, lambda: write(claim))
    assert 1.5 < time.monotonic() - started < 3.5
    assert refused.value.details == {"retry_after": 1}
    first.join()


def test_the_form_of_a_body_does_not_matter_and_its_values_do(source: Source, owner: UUID) -> None:
    def mark(body: Any) -> bytes:
        return idempotency.fingerprint(owner, body)

    assert mark({"a": 1, "b": "é"}) == mark({"b": "é", "a": 1})
    assert mark({"a": 1}) != mark({"a": "1"})
    assert mark({"a": 1}) != idempotency.fingerprint(make_owner(source).id, {"a": 1})
