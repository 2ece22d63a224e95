"""`POST /api/v1/forms/…/outdated/`: a change event, and the new value by the ordinary way, or a question."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.models import Change, Event, FieldVersion, Question
from tests.api.clients import AgentClient, error_of
from tests.api.proposing import UNKNOWN, owner_of

LOCATION = "/api/v1/forms/user_profile/location/"
PET = "/api/v1/forms/user_profile/pet/"
OWNER = {"owner": "ann"}
WORDS = {"quote": "The letter came back."}


def said(agent: AgentClient, content: str) -> str:
    answer = agent.post("/api/v1/events/", {"owner": "ann", "content": content})
    event_id: str = answer.json()["events"][0]["id"]
    return event_id


@pytest.fixture
def denver(agent: AgentClient) -> str:
    """Ann lives in Denver; the ETag of that."""
    answer = agent.put(LOCATION, {"owner": "ann", "value": "Denver"})
    assert answer.status_code == 201, answer.content
    etag: str = answer["ETag"]
    return etag


def reported(agent: AgentClient, etag: str | None, path: str = LOCATION, **given: Any) -> Any:
    headers = {"If_Match": etag} if etag else {}
    return agent.post(f"{path}outdated/", {"owner": "ann", "evidence": WORDS, **given}, **headers)


def served(agent: AgentClient) -> list[tuple[Any, bool]]:
    answer = agent.post("/api/v1/recall/", {"owner": "ann", "query": "Which city does Ann live in?"}).json()
    return [(line["text"], line["being_confirmed"]) for line in answer["served"] if line["kind"] == "form"]


def test_without_a_new_value_the_owner_is_asked_and_the_old_one_is_served_as_being_confirmed(
    agent: AgentClient, denver: str
) -> None:
    answer = reported(agent, denver, reason="Mail returned")
    body = answer.json()
    assert (answer.status_code, body["outcome"], body["code"], body["version"]) == (
        202, "in_review", "reported_outdated", 1,
    )  # fmt: skip
    assert answer["ETag"] == denver
    assert served(agent) == [("Location: Denver", True)]
    question = agent.get(f"/api/v1/questions/{body['question']}/", OWNER).json()
    assert (question["kind"], question["state"]) == ("outdated", "open")
    assert question["text"] == (
        "Earlier “Location” was “Denver”; I hear that this may be outdated. Is it still “Denver”?"
    )
    assert [choice["code"] for choice in question["choices"]] == ["new", "keep"]
    event = Event.objects.of(owner_of(agent)).get(id=body["event"])
    assert (event.action, event.role, event.before, event.after, event.reason) == (
        "change", "tool", "Denver", None, "Mail returned",
    )  # fmt: skip
    assert event.state == "processed"
    again = reported(agent, denver)
    assert (again.json()["code"], again.json()["question"]) == ("already_proposed", body["question"])
    assert Question.objects.of(owner_of(agent)).count() == 1


def test_a_new_value_supersedes_by_the_ordinary_way_and_the_old_one_stays_in_the_history(
    agent: AgentClient, denver: str
) -> None:
    evidence = {"event": said(agent, "We settled in Boston last week."), "quote": "settled in Boston"}
    answer = reported(agent, denver, new_value="Boston", evidence=evidence)
    body = answer.json()
    assert (answer.status_code, body["outcome"], body["version"], body["question"]) == (
        201, "superseded", 2, None,
    )  # fmt: skip
    assert answer["ETag"] == '"2"'
    versions = agent.get(f"{LOCATION}versions/", OWNER).json()["results"]
    assert [(version["value"], version["status"]) for version in versions] == [
        ("Denver", "superseded"),
        ("Boston", "active"),
    ]
    assert versions[1]["event"] == evidence["event"]
    event = Event.objects.of(owner_of(agent)).get(id=body["event"])
    assert (str(event.caused_by_id), event.after) == (evidence["event"], "Boston")
    assert [verdict["outcome"] for verdict in event.outcome] == ["superseded"]


def test_trust_and_the_conflict_policy_hold(agent: AgentClient, teammate: AgentClient, denver: str) -> None:
    assert teammate.minted is not None
    teammate.minted.key.trust_tier = 2
    teammate.minted.key.save()
    low = reported(teammate, denver, new_value="Boston")
    assert (low.status_code, low.json()["code"]) == (202, "lower_trust")
    assert served(agent) == [("Location: Denver", True)]
    asked = reported(teammate, denver)
    assert (asked.status_code, asked.json()["question"]) == (
        202,
        None,
    )  # a person looks before anybody is asked
    assert FieldVersion.objects.of(owner_of(agent)).count() == 1
    attitude = "/api/v1/forms/preferences/attitude/"
    first = agent.put(attitude, {"owner": "ann", "subject": "tea", "value": "likes"})
    answer = reported(agent, first["ETag"], attitude, subject="tea", new_value="dislikes")
    assert (answer.status_code, answer.json()["code"]) == (202, "confirm_with_owner")
    question = agent.get(f"/api/v1/questions/{answer.json()['question']}/", OWNER).json()
    assert question["kind"] == "conflict"


def test_of_several_values_the_outdated_one_is_named(agent: AgentClient) -> None:
    agent.put(PET, {"owner": "ann", "value": "cat"})
    etag = agent.get(PET, OWNER)["ETag"]
    etag = agent.put(PET, {"owner": "ann", "value": "dog"}, If_Match=etag)["ETag"]
    which = reported(agent, etag, PET)
    assert (which.status_code, error_of(which)["code"]) == (400, "which_value")
    assert reported(agent, etag, PET, value="cat").status_code == 202
    assert reported(agent, etag, PET, value="fish").status_code == 404
    change = Change.objects.of(owner_of(agent)).get(state="proposed")
    assert change.before is not None
    assert (change.action, change.before["value"]) == ("remove", "cat")


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"evidence": {}}, "evidence.quote"),
        ({"evidence": None}, "evidence"),
        ({"evidence": {"event": "yesterday"}}, "evidence.event"),
        ({"evidence": {"quote": 7}}, "evidence.quote"),
        ({"reason": "x" * 1_001}, "reason"),
        ({"because": "x"}, "because"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, denver: str, given: dict[str, Any], field: str) -> None:
    answer = reported(agent, denver, **given)
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)
    assert not Change.objects.of(owner_of(agent)).filter(state="proposed").exists()


def test_the_version_seen_is_asked_for_and_unknown_things_are_not_found(
    agent: AgentClient, denver: str
) -> None:
    assert reported(agent, None).status_code == 428
    assert reported(agent, '"9"').status_code == 412
    assert reported(agent, denver, evidence={"event": UNKNOWN}).status_code == 404
    assert reported(agent, denver, subject="office").status_code == 404
    assert reported(agent, denver, "/api/v1/forms/user_profile/shoe_size/").status_code == 404
    assert not Event.objects.of(owner_of(agent)).exists()
    key = {"Idempotency_Key": "K", "If_Match": denver}
    body = {"owner": "ann", "evidence": WORDS}
    first = agent.post(f"{LOCATION}outdated/", body, **key)
    again = agent.post(f"{LOCATION}outdated/", body, **key)
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (202, first.json())
    assert Event.objects.of(owner_of(agent)).count() == 1
