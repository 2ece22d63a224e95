"""`/api/v1/forms/`: values, versions, and writing with the version one saw."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.models import FieldVersion, Owner
from tests.api.clients import AgentClient, error_of

FORMS = "/api/v1/forms/"
BUDGET = "/api/v1/forms/user_profile/budget/"
VERSIONS = "/api/v1/forms/user_profile/budget/versions/"
OWNER = {"owner": "ann"}


def written(agent: AgentClient, value: Any, path: str = BUDGET, **headers: str) -> Any:
    return agent.put(path, {"owner": "ann", "value": value}, **headers)


def test_a_first_value_is_written_without_a_condition(agent: AgentClient) -> None:
    answer = written(agent, 5000)
    assert (answer.status_code, answer.json()["outcome"], answer.json()["version"]) == (201, "stored", 1)
    got = agent.get(BUDGET, OWNER)
    assert (got["ETag"], answer["ETag"]) == ('"1"', '"1"')
    value = got.json()["values"][0]
    assert (value["id"], value["value"], value["status"]) == (answer.json()["target_id"], 5000, "active")


def test_if_none_match_says_that_nothing_is_known_yet(agent: AgentClient) -> None:
    assert written(agent, 5000, If_None_Match="*").status_code == 201
    again = written(agent, 6000, If_None_Match="*")
    assert (again.status_code, error_of(again)["code"]) == (428, "version_required")


def test_a_standing_value_needs_its_version(agent: AgentClient) -> None:
    written(agent, 5000)
    blind = written(agent, 6000)
    assert (blind.status_code, error_of(blind)["code"]) == (428, "version_required")
    stale = written(agent, 6000, If_Match='"9"')
    assert (stale.status_code, error_of(stale)["code"]) == (412, "version_moved")
    seen = written(agent, 6000, If_Match='"1"')
    assert (seen.status_code, seen.json()["outcome"], seen["ETag"]) == (201, "superseded", '"2"')
    assert [value["value"] for value in agent.get(BUDGET, OWNER).json()["values"]] == [6000]


def test_if_match_without_a_value_is_stale(agent: AgentClient) -> None:
    assert written(agent, 5000, If_Match='"1"').status_code == 412


@pytest.mark.parametrize("header", [{"If_Match": "abc"}, {"If_Match": "*"}, {"If_None_Match": '"1"'}])
def test_a_condition_that_is_not_one_is_400(agent: AgentClient, header: dict[str, str]) -> None:
    answer = written(agent, 5000, **header)
    assert (answer.status_code, error_of(answer)["code"]) == (400, "bad_condition")


def test_the_chain_is_read_oldest_first_with_its_events(agent: AgentClient) -> None:
    event = agent.post("/api/v1/events/", {"owner": "ann", "content": "我的预算是五千"}).json()["events"][0][
        "id"
    ]
    agent.put(BUDGET, {"owner": "ann", "value": 5000, "evidence": {"event": event, "quote": "预算是五千"}})
    written(agent, 6000, If_Match='"1"')
    chain = agent.get(VERSIONS, OWNER).json()["results"]
    assert [(row["version"], row["status"], row["superseded_by_version"]) for row in chain] == [
        (1, "superseded", 2), (2, "active", None),
    ]  # fmt: skip
    assert chain[0]["source"]["content"] == "我的预算是五千"
    assert chain[1]["source"] is None


def test_both_clocks_are_asked(agent: AgentClient) -> None:
    agent.put(BUDGET, {"owner": "ann", "value": 1, "valid_from": "2026-01-01T00:00:00Z"})
    agent.put(BUDGET, {"owner": "ann", "value": 2, "valid_from": "2026-02-01T00:00:00Z"}, If_Match='"1"')

    def then(**asked: str) -> list[Any]:
        return [row["value"] for row in agent.get(FORMS, {"owner": "ann", **asked}).json()["results"]]

    assert then() == [2]
    assert then(valid_at="2026-01-15T00:00:00Z") == [1]
    assert then(known_at="2026-01-15T00:00:00Z") == []


def test_the_list_is_narrowed_by_type_and_subject(agent: AgentClient) -> None:
    written(agent, 5000)
    agent.put(f"{FORMS}order/status/", {"owner": "ann", "subject": "A-1", "value": "packed"})
    subjects = {
        (row["form_type"], row["subject"]) for row in agent.get(FORMS, {"owner": "ann"}).json()["results"]
    }
    assert ("user_profile", "") in subjects
    only = agent.get(FORMS, {"owner": "ann", "form_type": "user_profile", "subject": ""}).json()["results"]
    assert [row["field"] for row in only] == ["budget"]


def test_a_removed_value_is_gone_and_its_versions_stay(agent: AgentClient) -> None:
    written(agent, 5000)
    blind = agent.delete(f"{BUDGET}?owner=ann")
    assert blind.status_code == 428
    removed = agent.delete(f"{BUDGET}?owner=ann", If_Match='"1"')
    assert removed.status_code in (200, 201), removed.content
    assert removed.json()["version"] is None
    assert agent.get(BUDGET, OWNER).status_code == 404
    assert len(agent.get(VERSIONS, OWNER).json()["results"]) == 1
    assert written(agent, 7000).status_code == 201


def test_what_is_not_whitelisted_is_refused_with_a_code(agent: AgentClient) -> None:
    answer = written(agent, 1, path=f"{FORMS}user_profile/shoe_size/")
    assert (answer.status_code, answer.json()["outcome"], answer.json()["code"]) == (
        200,
        "refused",
        "field_not_allowed",
    )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"confidence": 1.5}, "confidence"),
        ({"confidence": "high"}, "confidence"),
        ({"basis": "staff"}, "basis"),
        ({"trust_tier": 4}, "trust_tier"),
        ({"evidence": {"event": "x"}}, "evidence.event"),
        ({"valid_from": "2026-02-01T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z"}, "valid_until"),
        ({"value": {"a": "b\x00"}}, "value.a"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, change: dict[str, Any], field: str) -> None:
    answer = agent.put(BUDGET, {"owner": "ann", "value": 1, **change})
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_a_missing_value_is_named(agent: AgentClient) -> None:
    answer = agent.put(BUDGET, {"owner": "ann"})
    assert (answer.status_code, error_of(answer)["field"], error_of(answer)["code"]) == (
        400,
        "value",
        "required",
    )


def test_evidence_of_another_owner_is_unknown(agent: AgentClient, stranger: AgentClient) -> None:
    event = agent.post("/api/v1/events/", {"owner": "ann", "content": "x"}).json()["events"][0]["id"]
    answer = stranger.put(BUDGET, {"owner": "ann", "value": 1, "evidence": {"event": event}})
    assert answer.status_code == 404


def test_another_agent_of_the_workspace_reads_and_writes(agent: AgentClient, teammate: AgentClient) -> None:
    written(agent, 5000)
    assert teammate.get(BUDGET, OWNER).json()["values"][0]["value"] == 5000
    assert written(teammate, 6000, If_Match='"1"').status_code == 201


def test_a_stranger_is_answered_as_about_an_unknown_field(agent: AgentClient, stranger: AgentClient) -> None:
    written(agent, 5000)
    stranger.put("/api/v1/owners/ann/", {})
    counts = []
    answers = []
    for path in (BUDGET, f"{FORMS}user_profile/nickname/"):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.get(path, OWNER))
        counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404, 404]
    assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
    assert counts[0] == counts[1]
    assert stranger.get(FORMS, OWNER).json()["results"] == []
    assert stranger.get(VERSIONS, OWNER).json()["results"] == []


def test_a_read_only_key_may_not_write(agent: AgentClient, reader: AgentClient) -> None:
    written(agent, 5000)
    assert reader.get(BUDGET, OWNER).status_code == 200
    assert written(reader, 1, If_Match='"1"').status_code == 403
    assert reader.delete(f"{BUDGET}?owner=ann", If_Match='"1"').status_code == 403


def test_the_number_of_statements_does_not_grow_with_the_versions(agent: AgentClient) -> None:
    written(agent, 0)
    with CaptureQueriesContext(connection) as few:
        agent.get(VERSIONS, OWNER)
    for number in range(1, 12):
        written(agent, number * 1000, If_Match=f'"{number}"')
    with CaptureQueriesContext(connection) as many:
        assert len(agent.get(VERSIONS, OWNER).json()["results"]) == 12
    assert len(few) == len(many)
    assert FieldVersion.objects.of(Owner.objects.get(ref="ann").id).filter(status="active").count() == 1
