"""Links over HTTP: made, listed and ended with the scope for it; writing to a shared owner needs another."""

from __future__ import annotations

import pytest

from memoryhub.keys import SCOPES, mint_key
from memoryhub.models import Owner, OwnerLink, Workspace
from memoryhub.workspaces import create_agent
from tests.api.clients import AgentClient, error_of

pytestmark = pytest.mark.django_db

LINKS = "/api/v1/owners/ann/links/"
UNKNOWN = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8eff"
RULE = "客服部反馈需24h内同步给技术部"


@pytest.fixture(autouse=True)
def owners(agent: AgentClient) -> None:
    agent.put("/api/v1/owners/ann/", {"locale": "zh-Hans"})
    agent.put("/api/v1/owners/support/", {"kind": "team", "display_name": "客服部"})


def without(workspace: Workspace, *names: str) -> AgentClient:
    """A key that may everything else."""
    scopes = [scope for scope in SCOPES if scope not in names]
    return AgentClient(mint_key(agent=create_agent(workspace=workspace, name="less"), scopes=scopes))


def test_a_link_is_made_listed_changed_and_ended(agent: AgentClient) -> None:
    made = agent.post(LINKS, {"linked_owner": "support", "kinds": ["rule"]})
    assert made.status_code == 201
    told = made.json()
    assert told | {"id": "", "created_at": ""} == {
        "id": "",
        "linked_owner": "support",
        "kind": "team",
        "display_name": "客服部",
        "direction": "reads",
        "kinds": ["rule"],
        "form_types": [],
        "created_at": "",
        "ended_at": None,
    }
    again = agent.post(LINKS, {"linked_owner": "support", "kinds": ["rule"]})
    assert (again.status_code, again.json()) == (200, told)
    assert agent.get(LINKS).json()["results"] == [told]
    other = agent.post(LINKS, {"linked_owner": "support", "direction": "both"}).json()
    assert [link["id"] for link in agent.get(LINKS).json()["results"]] == [other["id"]]
    assert agent.get("/api/v1/owners/support/links/").json()["results"] == []
    ended = [agent.delete(f"{LINKS}{other['id']}/") for _ in range(2)]
    assert [answer.status_code for answer in ended] == [200, 200]
    assert ended[0].json() == ended[1].json()
    assert ended[0].json()["ended_at"]
    assert agent.get(LINKS).json()["results"] == []


def test_a_twin_with_its_key_makes_one_link(agent: AgentClient) -> None:
    answers = [agent.post(LINKS, {"linked_owner": "support"}, Idempotency_Key="k1") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    other = agent.post(LINKS, {"linked_owner": "support", "kinds": ["rule"]}, Idempotency_Key="k1")
    assert error_of(other)["code"] == "idempotency_key_reused"
    assert OwnerLink.objects.of(Owner.objects.get(ref="ann").id).count() == 1


@pytest.mark.parametrize(
    ("body", "status", "field", "code"),
    [
        ({}, 400, "linked_owner", "required"),
        ({"linked_owner": "ann"}, 400, "linked_owner", "linked_to_itself"),
        ({"linked_owner": "bob"}, 400, "linked_owner", "not_shared"),
        ({"linked_owner": "nobody"}, 404, "linked_owner", "not_found"),
        ({"linked_owner": "support", "direction": "up"}, 400, "direction", "invalid_choice"),
        ({"linked_owner": "support", "kinds": ["event"]}, 400, "kinds[0]", "invalid_choice"),
        ({"linked_owner": "support", "form_types": ["x"]}, 400, "form_types", "unknown_form_type"),
        ({"linked_owner": "support", "trust": 4}, 400, "trust", "unknown_field"),
    ],
)
def test_a_bad_link_is_refused_by_field_and_rule(
    agent: AgentClient, body: dict[str, object], status: int, field: str, code: str
) -> None:
    agent.put("/api/v1/owners/bob/", {})
    answer = agent.post(LINKS, body)
    error = error_of(answer)
    assert (answer.status_code, error["field"], error["code"]) == (status, field, code)


def test_foreign_owners_and_links_are_unknown(
    agent: AgentClient, restricted: AgentClient, stranger: AgentClient
) -> None:
    link = agent.post(LINKS, {"linked_owner": "support"}).json()["id"]
    stranger.put("/api/v1/owners/theirs/", {"kind": "team"})
    assert agent.post(LINKS, {"linked_owner": "theirs"}).status_code == 404
    assert restricted.post(LINKS, {"linked_owner": "support"}).status_code == 404
    for client in (stranger, agent):
        assert client.delete(f"/api/v1/owners/support/links/{link}/").status_code == 404
    assert stranger.get(LINKS).status_code == 404
    assert len(agent.get(LINKS).json()["results"]) == 1


def test_linking_and_writing_to_a_team_need_their_scopes(agent: AgentClient, workspace: Workspace) -> None:
    link = agent.post(LINKS, {"linked_owner": "support"}).json()["id"]
    member = without(workspace, "owners:link", "shared:write")
    for answer in (member.post(LINKS, {"linked_owner": "support"}), member.delete(f"{LINKS}{link}/")):
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")
        assert "owners:link" in error_of(answer)["message"]
    team = {"owner": "support"}
    for answer in (
        member.post("/api/v1/events/", {**team, "content": RULE}),
        member.post("/api/v1/events/batch/", {**team, "events": [{"content": RULE}]}),
        member.post("/api/v1/memories/", {**team, "content": RULE}),
        member.put("/api/v1/forms/user_profile/budget/", {**team, "value": 5000}),
        member.post("/api/v1/sessions/", {**team, "session": "s1"}),
    ):
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")
        assert "shared:write" in error_of(answer)["message"]
    assert member.post("/api/v1/memories/", {"owner": "ann", "content": "likes tea"}).status_code == 201
    assert member.get("/api/v1/forms/", {"owner": "support"}).status_code == 200
    assert agent.post("/api/v1/memories/", {**team, "content": RULE}).status_code == 201


def test_a_recall_says_from_which_layer_a_line_comes(agent: AgentClient) -> None:
    agent.post("/api/v1/memories/", {"owner": "support", "content": RULE})
    asked = {"owner": "ann", "query": RULE}
    assert agent.post("/api/v1/recall/", asked).json()["served"] == []
    link = agent.post(LINKS, {"linked_owner": "support"}).json()["id"]
    [line] = agent.post("/api/v1/recall/", asked).json()["served"]
    assert (line["layer"], line["owner"], line["owner_name"]) == ("team", "support", "客服部")
    agent.delete(f"{LINKS}{link}/")
    assert agent.post("/api/v1/recall/", asked).json()["served"] == []


def test_a_memory_is_proposed_to_a_team_and_told_to_nobody_before_a_person_decided(
    agent: AgentClient, teammate: AgentClient, workspace: Workspace
) -> None:
    memory = agent.post("/api/v1/memories/", {"owner": "ann", "content": RULE}).json()["target_id"]
    asked = {"shared_owner": "support", "kind": "item", "id": memory}
    address = "/api/v1/owners/ann/promotions/"
    unlinked = agent.post(address, asked)
    assert (unlinked.status_code, error_of(unlinked)["code"]) == (400, "not_linked")
    agent.post(LINKS, {"linked_owner": "support", "direction": "both"})
    lacking = without(workspace, "shared:write").post(address, asked)
    assert (lacking.status_code, error_of(lacking)["code"]) == (403, "missing_scope")
    for bad, field in ((asked | {"shared_owner": "nobody"}, "shared_owner"), (asked | {"id": UNKNOWN}, "")):
        answer = agent.post(address, bad)
        assert (answer.status_code, error_of(answer)["field"]) == (404, field)
    answers = [agent.post(address, asked, Idempotency_Key="p1") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["code"] == "promotion"
    change = teammate.get(f"/api/v1/changes/{answers[0].json()['change_id']}/", {"owner": "support"}).json()
    assert (change["state"], change["after"]) == ("proposed", None)
    for told in (
        teammate.get("/api/v1/reviews/", {"owner": "support"}),
        teammate.get("/api/v1/context/", {"owner": "support"}),
        teammate.post("/api/v1/recall/", {"owner": "support", "query": RULE}),
    ):
        assert told.status_code == 200
        assert RULE not in told.content.decode()
