"""Idempotency-Key at the edge: read the header, name the route, run the work once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from api.authentication import AgentRequest
from memoryhub import idempotency
from memoryhub.exceptions import InvalidInput
from memoryhub.idempotency import HEADER, Answer, Claim

KEY = re.compile(r"[!-~]{1,255}")


def run_once(
    request: AgentRequest,
    *,
    owner_id: UUID,
    route: str,
    work: Callable[[], Any],
    status_of: Callable[[Any], int],
    body: Any = None,
    part: str = "",
) -> Answer:
    """What `work` answers, or answered the first time the request came with its key.

    `work` calls one write service and returns what the service keeps. `part` tells the items of one request apart.
    """
    done: list[Any] = []
    claim = _claim(request, owner_id, route, status_of, request.data if body is None else body, part)
    earlier = idempotency.run_once(claim, lambda: done.append(work()))
    if earlier is not None:
        return earlier
    return Answer(status=status_of(done[0]), content=done[0])


def _claim(
    request: AgentRequest, owner_id: UUID, route: str, status_of: Callable[[Any], int], body: Any, part: str
) -> Claim | None:
    key = given_key(request)
    if key is None:
        return None
    return Claim(
        workspace_id=request.user.workspace_id,
        owner_id=owner_id,
        agent_id=request.user.agent.id,
        route=f"{route}{part}",
        key=key,
        fingerprint=idempotency.fingerprint(owner_id, body),
        status_of=status_of,
    )


def given_key(request: AgentRequest) -> str | None:
    """The key of the request. Raises InvalidInput for one that is not 1 to 255 visible ASCII characters."""
    key: str | None = request.headers.get(HEADER)
    if key is not None and not KEY.fullmatch(key):
        raise InvalidInput("1 to 255 visible ASCII characters", field=HEADER, code="bad_idempotency_key")
    return key
