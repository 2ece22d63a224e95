"""Write quotas of owners, agents and source documents: a token bucket each, counted by one statement in the write's transaction.

A bucket holds an hour's worth and is refilled evenly. It is one moment, `full_until`: when everything taken from it is paid back.
Taking adds `hour / limit` per write, so a bucket is overdrawn when that moment lies more than an hour ahead, and a write that
overdraws it may take effect as soon as it does not. The row lock makes this exact between any number of writers. It is taken
last in the transaction, so that it is held for no longer than the commit; the bucket of an agent with a high limit is split into
lanes by owner, because all its clients share it.
"""

from __future__ import annotations

import hmac
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from django.db import connection

from memoryhub.exceptions import QuotaExceeded
from memoryhub.owner_keys import installation_secret
from memoryhub.policies import Policy
from memoryhub.writing.source import Source

HOUR = timedelta(hours=1)
LANES = 8
LEAST_LIMIT_FOR_LANES = 8_000
COUNTED_TRANSPORTS = frozenset({"api", "http", "mcp"})
"""What agents send. Commands, jobs and people at the desk are not limited."""

type QuotaName = Literal["owner", "agent", "document"]

_TAKE = """
INSERT INTO memoryhub_quotabucket AS bucket (digest, full_until)
SELECT digest, statement_timestamp() + cost FROM unnest(%s::bytea[], %s::interval[]) AS taken (digest, cost) ORDER BY digest
ON CONFLICT (digest) DO UPDATE
  SET full_until = greatest(bucket.full_until, statement_timestamp()) + (EXCLUDED.full_until - statement_timestamp())
RETURNING digest, full_until, statement_timestamp()
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Overdraft:
    """A quota that is used up: from when on the next write is within it again."""

    quota: QuotaName
    limit: int
    free_at: datetime
    retry_after: int

    def as_details(self) -> dict[str, Any]:
        return {"quota": self.quota, "limit": self.limit, "retry_after": self.retry_after}


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """Per write, in the order given: the overdraft that holds it back, None for a write within its quotas."""

    overdrafts: tuple[Overdraft | None, ...]

    @property
    def worst(self) -> Overdraft | None:
        """The overdraft that lasts longest."""
        found = [overdraft for overdraft in self.overdrafts if overdraft]
        return max(found, key=lambda overdraft: overdraft.free_at, default=None)


@dataclass(frozen=True, slots=True)
class _Bucket:
    quota: QuotaName
    limit: int
    digest: bytes

    @property
    def step(self) -> timedelta:
        return HOUR / self.limit


def take(*, owner_id: UUID, documents: Sequence[str], source: Source, policy: Policy) -> Taken:
    """Count one write per entry of `documents` ('' for none named), whether it is within the quotas or not.

    Inside the caller's transaction, as its last statement that locks anything.
    """
    if source.transport not in COUNTED_TRANSPORTS or not documents:
        return Taken(overdrafts=(None,) * len(documents))
    wanted = [_buckets(owner_id, document, source, policy) for document in documents]
    costs: dict[bytes, timedelta] = {}
    for buckets in wanted:
        for bucket in buckets:
            costs[bucket.digest] = costs.get(bucket.digest, timedelta()) + bucket.step
    if not costs:
        return Taken(overdrafts=(None,) * len(documents))
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [list(costs), list(costs.values())])
        rows = cursor.fetchall()
    full_until = {bytes(digest): until for digest, until, _ in rows}
    now: datetime = rows[0][2]
    place = {digest: full_until[digest] - cost for digest, cost in costs.items()}
    overdrafts: list[Overdraft | None] = []
    for buckets in wanted:
        found: list[Overdraft] = []
        for bucket in buckets:
            place[bucket.digest] += bucket.step
            if (over := _overdraft(bucket, place[bucket.digest], now)) is not None:
                found.append(over)
        overdrafts.append(max(found, key=lambda over: over.free_at, default=None))
    return Taken(overdrafts=tuple(overdrafts))


def take_or_refuse(*, owner_id: UUID, document: str, source: Source, policy: Policy) -> None:
    """Count one write that nothing is kept of when it is too much. Raises QuotaExceeded, which undoes the counting too."""
    over = take(owner_id=owner_id, documents=[document], source=source, policy=policy).worst
    if over is not None:
        raise QuotaExceeded(message_of(over), details=over.as_details())


def message_of(over: Overdraft) -> str:
    whose = {"owner": "about this owner", "agent": "of this agent", "document": "from this source document"}
    return f"more than {over.limit} writes an hour {whose[over.quota]}"


def sweep_buckets() -> int:
    """Delete the buckets that are full again; they say nothing. Safe to run at any time; answers how many."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM memoryhub_quotabucket WHERE full_until < now() - interval '1 minute'")
        return int(cursor.rowcount)


def _buckets(owner_id: UUID, document: str, source: Source, policy: Policy) -> list[_Bucket]:
    lanes = LANES if policy.writes_per_hour_of_agent >= LEAST_LIMIT_FOR_LANES else 1
    lane = owner_id.int % lanes
    named: list[tuple[QuotaName, int, str]] = [
        ("owner", policy.writes_per_hour_of_owner, str(owner_id)),
        ("agent", policy.writes_per_hour_of_agent // lanes, f"{source.agent_id}/{lane}"),
        ("document", policy.writes_per_hour_of_document if document else 0, document),
    ]
    return [
        _Bucket(quota, limit, _digest(source.workspace_id, quota, name))
        for quota, limit, name in named
        if limit > 0
    ]


def _digest(workspace_id: UUID, quota: str, name: str) -> bytes:
    text = f"{workspace_id}/{quota}/{name}"
    return hmac.digest(installation_secret(), text.encode("utf-8", "surrogatepass"), "sha256")


def _overdraft(bucket: _Bucket, full_until: datetime, now: datetime) -> Overdraft | None:
    free_at = full_until - HOUR
    if free_at <= now:
        return None
    wait = (free_at - now).total_seconds()
    return Overdraft(
        quota=bucket.quota, limit=bucket.limit, free_at=free_at, retry_after=max(math.ceil(wait), 1)
    )
