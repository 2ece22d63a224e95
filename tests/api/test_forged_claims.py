"""What a sender says about his own trust: refused as an unknown field, or kept as metadata and ignored by name."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.keys import mint_key
from memoryhub.models import Change, Event, Owner, Workspace
from memoryhub.workspaces import create_agent
from memoryhub.writing.pipeline import process_waiting_events
from tests.api.clients import AgentClient, error_of

pytestmark = pytest.mark.django_db

CLAIMS: dict[str, Any] = {
    "trust_tier": 4,
    "trust": "high",
    "authority": 5,
    "agent": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8eff",
    "source": "staff",
    "verified": True,
    "responsible_user_id": 1,
    "workspace": "theirs",
}


@pytest.fixture
def web(workspace: Workspace) -> AgentClient:
    """A key of the lowest tier."""
    return AgentClient(mint_key(agent=create_agent(workspace=workspace, name="web"), trust_tier=1))


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/events/", {"content": "I live in Porto"}),
        ("/api/v1/memories/", {"content": "Lives in Porto."}),
    ],
)
def test_a_claim_in_the_body_is_an_unknown_field(
    web: AgentClient, name: str, path: str, body: dict[str, Any]
) -> None:
    answer = web.post(path, {"owner": "ann", **body, name: CLAIMS[name]})
    assert answer.status_code == 400
    assert (error_of(answer)["field"], error_of(answer)["code"]) == (name, "unknown_field")


@pytest.mark.parametrize("basis", ["staff"])
def test_nobody_claims_to_be_staff(web: AgentClient, basis: str) -> None:
    answer = web.post("/api/v1/memories/", {"owner": "ann", "content": "Lives in Porto.", "basis": basis})
    assert answer.status_code == 400


def test_a_claim_in_the_metadata_of_an_event_is_kept_and_ignored_by_name(web: AgentClient) -> None:
    metadata = {"trust_tier": 4, "importance": 1, "page": 3}
    recorded = web.post(
        "/api/v1/events/", {"owner": "ann", "content": "I live in Porto", "metadata": metadata}
    )
    event_id = recorded.json()["events"][0]["id"]
    owner = Owner.objects.get(ref="ann")
    event = Event.objects.of(owner.id).get(id=event_id)
    process_waiting_events(workspace_id=owner.workspace_id, owner_id=owner.id, until=[event.id])
    answer = web.get(f"/api/v1/events/{event_id}/", {"owner": "ann"}).json()
    assert (answer["metadata"], answer["trust_tier"]) == (metadata, 1)
    assert {"claims_ignored", "ignored:metadata.trust_tier", "ignored:metadata.importance"} <= set(
        answer["learned"]["codes"]
    )


def test_a_claim_in_the_metadata_of_a_memory_is_named_in_the_answer(web: AgentClient) -> None:
    memory = {"owner": "ann", "content": "Lives in Porto.", "metadata": {"confidence": 1, "owner": "admin"}}
    answer = web.post("/api/v1/memories/", memory)
    assert answer.status_code == 202
    assert answer.json()["details"]["ignored"] == ["metadata.confidence", "metadata.owner"]


@pytest.mark.parametrize("claimed", [{"importance": 1.0, "confidence": 1.0}, {"importance": 0.61}])
def test_importance_and_confidence_of_the_lowest_tier_are_the_policys(
    web: AgentClient, claimed: dict[str, float]
) -> None:
    web.post("/api/v1/memories/", {"owner": "ann", "content": "Lives in Porto.", **claimed})
    web.put("/api/v1/forms/contact/address/", {"owner": "ann", "value": "12 Evil Street", **claimed})
    changes = Change.objects.of(Owner.objects.get(ref="ann").id).order_by("created_at", "id")
    assert [(change.state, change.importance, change.confidence) for change in changes] == [
        ("proposed", 0.7, 0.9),
        ("proposed", 0.8, 0.9),
    ]
