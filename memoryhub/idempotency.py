"""The same request sent twice has one effect and one answer (DESIGN section 13, "Idempotency").

A claim is a row unique per owner, agent, route and key, inserted by the very transaction that has the effect: either both are
there or neither. So a twin finds nothing and does the work, finds the first one's answer and gives it again, or waits on the
unique index for the first to end. The answer is kept as ids and codes and is written in the same transaction; it is rendered
again each time. A write service calls `take_claim` first and `keep_answer` last inside its scope; both do nothing when the
caller sent no key.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg.errors
from django.db import OperationalError, connection

from memoryhub import owner_keys
from memoryhub.database.scope import scope
from memoryhub.exceptions import IdempotencyConflict, IdempotencyInProgress
from memoryhub.models import IdempotencyKey, new_id

TWIN_WAITS = "2s"
RETRY_AFTER_SECONDS = 1
HEADER = "Idempotency-Key"


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One request that may come again. `fingerprint` is the body under the owner's key, 32 bytes."""

    workspace_id: UUID
    owner_id: UUID
    agent_id: UUID
    route: str
    key: str
    fingerprint: bytes
    status_of: Callable[[Any], int]
    """The HTTP status an answer is given with; kept beside it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    status: int
    content: Any


class _AnsweredBefore(Exception):
    """Leaves the write scope before anything is done: the claim is taken and its answer is known."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


_pending: ContextVar[Claim | None] = ContextVar("pending_claim", default=None)


def fingerprint(owner_id: UUID, body: Any) -> bytes:
    """HMAC of the body in one canonical form: key order and spaces do not matter, values do."""
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return owner_keys.commitment(owner_id, canonical.encode())


def run_once(claim: Claim | None, work: Callable[[], Any]) -> Answer | None:
    """The earlier answer to the claim, or None after `work` was done for the first time.

    `work` calls one write service. Raises IdempotencyConflict when the key came with another body before, and
    IdempotencyInProgress when the first request is still running after two seconds.
    """
    if claim is None:
        work()
        return None
    with scope(workspace_id=claim.workspace_id, owners=[claim.owner_id], purpose="idempotency"):
        earlier = _find(claim)
    if earlier is not None:
        return earlier
    try:
        with _claiming(claim):
            work()
    except _AnsweredBefore as before:
        return before.answer
    return None


def take_claim() -> None:
    """Claim the pending key in the current transaction; does nothing when there is none.

    Leaves the transaction when the key was answered meanwhile. Raises as `run_once`.
    """
    claim = _pending.get()
    if claim is None:
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{TWIN_WAITS}'")
        try:
            cursor.execute(
                "INSERT INTO memoryhub_idempotencykey"
                " (owner_id, workspace_id, id, agent_id, route, key, fingerprint, answer)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, '{}')"
                " ON CONFLICT ON CONSTRAINT one_answer_per_idempotency_key DO NOTHING",
                [
                    claim.owner_id,
                    claim.workspace_id,
                    new_id(),
                    claim.agent_id,
                    claim.route,
                    claim.key,
                    claim.fingerprint,
                ],
            )
        except OperationalError as error:
            if isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
                raise IdempotencyInProgress(
                    "the first request with this key is still running",
                    field=HEADER,
                    details={"retry_after": RETRY_AFTER_SECONDS},
                ) from None
            raise
        is_ours = cursor.rowcount == 1
        cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
    if not is_ours and (earlier := _find(claim)) is not None:
        raise _AnsweredBefore(earlier)


def keep_answer(content: Any) -> None:
    """Write down what the pending request is answered with: ids and codes, never text. Nothing when there is none."""
    claim = _pending.get()
    if claim is None:
        return
    IdempotencyKey.objects.of(claim.owner_id).filter(
        agent_id=claim.agent_id, route=claim.route, key=claim.key
    ).update(status=claim.status_of(content), answer=content)


def _find(claim: Claim) -> Answer | None:
    row = (
        IdempotencyKey.objects.of(claim.owner_id)
        .filter(agent_id=claim.agent_id, route=claim.route, key=claim.key)
        .first()
    )
    if row is None:
        return None
    if not hmac.compare_digest(bytes(row.fingerprint), claim.fingerprint):
        raise IdempotencyConflict("this key was used before with another body", field=HEADER)
    assert row.status is not None, "a claim is committed with its answer"
    return Answer(status=row.status, content=row.answer)


@contextmanager
def _claiming(claim: Claim) -> Iterator[None]:
    token = _pending.set(claim)
    try:
        yield
    finally:
        _pending.reset(token)
