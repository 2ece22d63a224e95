"""`/api/v1/form-types/`: the whitelist as an agent sees it."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.keys import mint_key
from memoryhub.models import FieldDefinition, Workspace
from memoryhub.starter_fields import STARTER_FIELDS, STARTER_FORM_TYPES
from memoryhub.workspaces import create_agent
from tests.api.clients import AgentClient, error_of

FORM_TYPES = "/api/v1/form-types/"


def test_every_form_type_is_listed_with_its_fields(agent: AgentClient) -> None:
    listed = agent.get(FORM_TYPES).json()["results"]
    assert [row["name"] for row in listed] == sorted(STARTER_FORM_TYPES)
    names = {(row["name"], field["name"]) for row in listed for field in row["fields"]}
    assert names == {(field.form_type, field.name) for field in STARTER_FIELDS}
    attitude = next(f for row in listed for f in row["fields"] if f["name"] == "attitude")
    assert (attitude["value_type"], attitude["choices"]) == ("choice", ["likes", "dislikes"])


def test_it_says_what_the_key_may_write(workspace: Workspace, agent: AgentClient) -> None:
    untrusted = AgentClient(mint_key(agent=create_agent(workspace=workspace, name="web"), trust_tier=1))

    def may_write(client: AgentClient, name: str) -> bool:
        row = client.get(FORM_TYPES, {"name": "user_profile"}).json()["results"][0]
        return next(bool(field["may_write"]) for field in row["fields"] if field["name"] == name)

    assert (may_write(agent, "membership"), may_write(untrusted, "membership")) == (True, False)
    FieldDefinition.objects.filter(form_type__workspace=workspace, name="pet").update(active=False)
    assert (may_write(agent, "pet"), may_write(agent, "commute")) == (False, True)


def test_it_is_paged_and_filtered(agent: AgentClient) -> None:
    first = agent.get(FORM_TYPES, {"limit": 3}).json()
    rest = agent.client.get(first["next"], headers=agent._headers({})).json()
    assert [row["name"] for row in [*first["results"], *rest["results"]]] == sorted(STARTER_FORM_TYPES)[:6]
    assert agent.get(FORM_TYPES, {"name": "nothing"}).json()["results"] == []
    assert error_of(agent.get(FORM_TYPES, {"odd": "1"}))["code"] == "unknown_parameter"


def test_a_strangers_whitelist_is_not_seen(stranger: AgentClient, workspace: Workspace) -> None:
    FieldDefinition.objects.filter(form_type__workspace=workspace).update(label_en="ours")
    assert "ours" not in str(stranger.get(FORM_TYPES).json())


def test_it_costs_as_many_statements_whatever_there_is(agent: AgentClient) -> None:
    agent.get(FORM_TYPES)  # the first use of a key is noted
    counts = []
    for limit in (1, 7):
        with CaptureQueriesContext(connection) as captured:
            agent.get(FORM_TYPES, {"limit": limit})
        counts.append(len(captured))
    assert counts[0] == counts[1]
