"""Proposals made over the API, and the person at the desk who decides them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.changes.deciding import Decider, approve, reject
from memoryhub.changes.evidence import approval_token, standing_of
from memoryhub.models import Change, Owner, Review
from tests.api.clients import AgentClient

ALLERGIES = "/api/v1/forms/user_profile/allergies/"
BUDGET = "/api/v1/forms/user_profile/budget/"
UNKNOWN = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01"


def owner_of(agent: AgentClient, ref: str = "ann") -> UUID:
    return Owner.objects.get(ref=ref, workspace=agent.workspace).id


def proposed(agent: AgentClient, value: str = "坚果", **given: Any) -> str:
    """An allergy without evidence waits for a person. Answers the change's id."""
    answer = agent.put(ALLERGIES, {"owner": "ann", "value": value, **given})
    assert answer.status_code == 202, answer.content
    change_id: str = answer.json()["change_id"]
    return change_id


def stored(agent: AgentClient, content: str = "Keeps a parrot.", **given: Any) -> dict[str, Any]:
    """A memory that is stored at once. Answers the verdict."""
    answer = agent.post("/api/v1/memories/", {"owner": "ann", "content": content, **given})
    assert answer.status_code == 201, answer.content
    verdict: dict[str, Any] = answer.json()
    return verdict


def decider(agent: AgentClient, change_id: str, note: str = "") -> Decider:
    """Anna at the desk, with the version and token that the review's page carries now."""
    owner_id = owner_of(agent)
    anna, _ = User.objects.get_or_create(username="anna-the-reviewer")
    review = Review.objects.of(owner_id).exclude(state="decided").get(change_id=change_id)
    change = Change.objects.of(owner_id).get(id=change_id)
    return Decider(
        workspace_id=agent.workspace.id,
        owner_id=owner_id,
        review_id=review.id,
        user_id=anna.id,
        version=review.version,
        token=approval_token(review, change, standing_of(change)),
        note=note,
    )


def rejected(agent: AgentClient, change_id: str, reason: str = "joke_or_sarcasm") -> None:
    reject(decider=decider(agent, change_id, note="Anna says: a joke."), reason_code=reason)


def approved(agent: AgentClient, change_id: str) -> None:
    approve(decider=decider(agent, change_id))


def statements(ask: Callable[[], Any]) -> int:
    """How many statements a request costs. Counted at once: the next request empties the log."""
    with CaptureQueriesContext(connection) as queries:
        ask()
        return len(connection.queries_log) - (queries.initial_queries or 0)
