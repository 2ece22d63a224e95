"""`/api/v1/entities/`, `/api/v1/relations/` and `/api/v1/vocabulary/`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.clients import AgentClient, error_of

pytestmark = pytest.mark.django_db

OWNER = {"owner": "ann"}


def relate(agent: AgentClient, kind: str, to: Any, start: Any = None, **given: Any) -> Any:
    target = {"value": to} if isinstance(to, str) else {"to": {"kind": to[0], "name": to[1]}}
    body = {**OWNER, "kind": kind, **target, **given}
    if start:
        body["from"] = {"kind": start[0], "name": start[1]}
    return agent.post("/api/v1/relations/", body)


def test_which_products_were_complained_about_and_their_categories_is_one_call(agent: AgentClient) -> None:
    kettle, toaster = ("product", "kettle"), ("product", "toaster")
    assert relate(agent, "experienced", kettle, resolution="open").status_code == 201
    relate(agent, "experienced", ("service", "delivery"))
    relate(agent, "prefers", toaster)
    relate(agent, "belongs_to", ("category", "kitchen"), kettle)
    relate(agent, "belongs_to", ("category", "kitchen"), toaster)
    asked = {"kind": "experienced", "from_owner": "true", "to_kind": "product", "follow": "belongs_to"}
    answer = agent.get("/api/v1/relations/", {**OWNER, **asked}).json()
    [found] = answer["results"]
    assert (found["to"]["name"], found["resolution"], found["from"]["is_owner"]) == ("kettle", "open", True)
    assert [then["to"]["name"] for then in found["then"]] == ["kitchen"]
    solved = relate(agent, "experienced", kettle, resolution="solved").json()
    assert (solved["outcome"], solved["kind"], solved["field"]) == ("superseded", "relation", "experienced")
    past = agent.get("/api/v1/relations/", {**OWNER, "status": "superseded"}).json()["results"]
    assert [(row["text"], row["resolution"]) for row in past] == [
        ("the owner had a problem with kettle", "open")
    ]


def test_a_thing_is_found_under_any_of_its_names(agent: AgentClient) -> None:
    relate(agent, "contains", ("product", "milk"), ("product", "latte"))
    body = {**OWNER, "kind": "product", "name": "latte", "aliases": ["拿铁", "Caffè Latte"]}
    named = agent.post("/api/v1/entities/", body)
    assert (named.status_code, [each["outcome"] for each in named.json()["aliases"]]) == (201, ["stored"] * 2)
    [latte] = agent.get("/api/v1/entities/", {**OWNER, "name": "ｃａｆｆè latte"}).json()["results"]
    assert (latte["name"], sorted(latte["aliases"])) == ("latte", ["Caffè Latte", "拿铁"])
    detail = agent.get(f"/api/v1/entities/{latte['id']}/", OWNER).json()
    assert [row["text"] for row in detail["relations"]] == ["latte contains milk"]
    [found] = agent.get("/api/v1/relations/", {**OWNER, "from": "拿铁"}).json()["results"]
    assert found["to"]["name"] == "milk"
    both = agent.get("/api/v1/entities/", OWNER).json()["results"]
    assert sorted(each["name"] for each in both) == ["latte", "milk"]


def test_what_the_vocabulary_has_not_is_named_and_other_owners_see_nothing(agent: AgentClient) -> None:
    refused = relate(agent, "adores", ("product", "tea"))
    assert (refused.status_code, refused.json()["code"]) == (200, "relation_not_allowed")
    fault = error_of(relate(agent, "prefers", ("product", "tea"), impact=7))
    assert (fault["field"], fault["code"]) == ("impact", "max_value")
    assert error_of(agent.get("/api/v1/relations/", {**OWNER, "follow": "a,,b"}))["field"] == "follow"
    relate(agent, "prefers", ("product", "tea"))
    entity = agent.get("/api/v1/entities/", {**OWNER, "kind": "product"}).json()["results"][0]["id"]
    agent.put("/api/v1/owners/bob/", {})
    assert agent.get(f"/api/v1/entities/{entity}/", {"owner": "bob"}).status_code == 404
    assert agent.get("/api/v1/relations/", {"owner": "bob"}).json()["results"] == []
    words = agent.get("/api/v1/vocabulary/").json()
    assert {"person", "order", "parcel", "product"} <= {kind["name"] for kind in words["entity_kinds"]}
    assert "same_as" not in {kind["name"] for kind in words["relation_kinds"]}
