"""What an embedding endpoint is asked and what it costs, by workspace: the account of `language.usage`, beside the chat model's.

Passages are noted at once. Questions are many, and a recall has better things to do than to write: they are summed up in the
process and noted every ten seconds, with the next call; a process that ends takes at most the last ones with it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal
from uuid import UUID

import structlog

type Purpose = Literal["embed_passages", "embed_queries"]
type _Account = tuple[UUID, date, str, Purpose]

NOTED_EVERY = 10.0
_workspace: ContextVar[UUID | None] = ContextVar("charged_workspace", default=None)
_lock = threading.Lock()
_unnoted: dict[_Account, _Sum] = {}
_noted_at: float | None = None

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Sum:
    calls: int = 0
    failures: int = 0
    tokens: int = 0
    cost: float = 0.0


@contextmanager
def charged_to(workspace_id: UUID) -> Iterator[None]:
    """What an endpoint is asked meanwhile, in this thread, is put to the workspace's account; outside of it nobody's."""
    token = _workspace.set(workspace_id)
    try:
        yield
    finally:
        _workspace.reset(token)


def note_call(*, model: str, purpose: Purpose, tokens: int, price: float, failed: bool = False) -> None:
    """One request to an endpoint; `price` is that of a million tokens. Never fails: an account is worth less than an answer."""
    workspace_id = _workspace.get()
    if workspace_id is None:
        return
    with _lock:
        account = (workspace_id, datetime.now(UTC).date(), model[:200], purpose)
        total = _unnoted.setdefault(account, _Sum())
        total.calls += 1
        total.failures += failed
        total.tokens += tokens
        total.cost += tokens * price / 1_000_000
        is_due = _noted_at is None or time.monotonic() - _noted_at > NOTED_EVERY
    if purpose == "embed_passages" or is_due:
        note_all()


def note_all() -> None:
    """Write down what was summed up. Not in a transaction that may roll back."""
    # The child process of a native embedder imports this package without Django, which the models need.
    from django.db import DatabaseError

    from memoryhub.language.usage import Spent, add_usage

    global _noted_at
    with _lock:
        sums = dict(_unnoted)
        _unnoted.clear()
        _noted_at = time.monotonic()
    for (workspace_id, day, model, purpose), total in sums.items():
        spent = Spent(calls=total.calls, failures=total.failures, prompt_tokens=total.tokens, cost=total.cost)
        try:
            add_usage(workspace_id=workspace_id, day=day, model=model, purpose=purpose, spent=spent)
        except DatabaseError as error:
            log.warning("embedding_usage_lost", calls=total.calls, error=type(error).__name__)
