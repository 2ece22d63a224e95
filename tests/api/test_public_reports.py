"""Faults that others reported about systems like this one, named by the id of the report."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from django.conf import settings
from django.db import connection, transaction

from memoryhub.database.purge import purge
from memoryhub.models import Event, FieldVersion, MemoryItem, Owner
from memoryhub.writing.pipeline import process_waiting_events
from tests.api.clients import AgentClient, error_of
from tests.programs import environment

EVENTS = "/api/v1/events/"
BATCH = "/api/v1/events/batch/"
MEMORIES = "/api/v1/memories/"
RECALL = "/api/v1/recall/"
ODD_REFS = ["ann@example.org", "a-b", "o'neil", "100%", "a_b"]


@pytest.fixture
def database(committing_db: str) -> None:
    """What is recorded has to be committed before it holds."""


def owner_id(agent: AgentClient, ref: str) -> UUID:
    found: UUID = Owner.objects.get(ref=ref, workspace=agent.workspace).id
    return found


def processed(agent: AgentClient, ref: str, *contents: str, **values: Any) -> list[str]:
    """Record events and do the worker's work on them; their ids."""
    events = [{"content": content, **values} for content in contents]
    answer = agent.post(BATCH, {"owner": ref, "events": events})
    assert answer.status_code == 202, answer.content
    ids = [result["id"] for result in answer.json()["events"]]
    process_waiting_events(
        workspace_id=agent.workspace.id,
        owner_id=owner_id(agent, ref),
        until=[UUID(event_id) for event_id in ids],
        still_working=lambda: None,
    )
    return ids


def recalled(agent: AgentClient, ref: str, query: str, **values: Any) -> list[dict[str, Any]]:
    answer = agent.post(RECALL, {"owner": ref, "query": query, **values})
    assert answer.status_code == 200, answer.content
    lines: list[dict[str, Any]] = answer.json()["served"]
    return lines


def all_pages(agent: AgentClient, path: str, **query: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    answer = agent.get(path, query)
    while True:
        body = answer.json()
        rows += body["results"]
        if body["next"] is None:
            return rows
        answer = agent.get(body["next"].replace("http://testserver", ""))


def test_b01_the_owner_filter_binds_every_leg(agent: AgentClient) -> None:
    pets = {"u1": "parrot", "u2": "tortoise"}
    for ref, pet in pets.items():
        processed(agent, ref, f"I keep a {pet}")
        agent.post(
            MEMORIES,
            {"owner": ref, "content": f"Keeps a {pet}.", "subject_entity": "pet", "attribute": "kind"},
        )
        agent.put("/api/v1/forms/preferences/likes/", {"owner": ref, "value": pet})
    agent.put("/api/v1/owners/u10/", {})
    for ref in ("u2", "u10"):
        for kinds in ([], ["form"], ["event"], ["semantic", "episodic"]):
            lines = recalled(agent, ref, "which pet do I have", kinds=kinds)
            assert {line["owner"] for line in lines} <= {ref}
            assert "parrot" not in str(lines)
        for path in ("/api/v1/context/", EVENTS, MEMORIES, "/api/v1/forms/"):
            body = agent.get(path, {"owner": ref}).content.decode()
            assert "parrot" not in body
            assert ("tortoise" in body) == (ref == "u2") or path == "/api/v1/context/"
    since = {"owner": "u2", "since": "2020-01-01T00:00:00Z"}
    assert [event["content"] for event in agent.get(EVENTS, since).json()["results"]] == ["I keep a tortoise"]
    assert any(
        "tortoise" in line["text"] for line in recalled(agent, "u2", "which pet do I have, a tortoise")
    )


def test_b01_no_owner_and_a_misspelt_filter_are_refused_by_name(agent: AgentClient) -> None:
    processed(agent, "u1", "I keep a parrot")
    for path in (EVENTS, MEMORIES, "/api/v1/forms/", "/api/v1/recalls/", "/api/v1/context/"):
        for query, field in (
            ({}, "owner"),
            ({"owner": ""}, "owner"),
            ({"owner": "u1", "onwer_id": "u2"}, "onwer_id"),
        ):
            answer = agent.get(path, query)
            assert (answer.status_code, error_of(answer)["field"]) == (400, field)
    for body, field in (({"query": "pet"}, "owner"), ({"owner": "u1", "query": "pet", "ownr": "u2"}, "ownr")):
        answer = agent.post(RECALL, body)
        assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_b04_owners_larger_than_any_page_are_listed_whole_and_one_goes_alone(agent: AgentClient) -> None:
    for ref in ("a", "b"):
        agent.post(
            BATCH,
            {
                "owner": ref,
                "events": [{"content": f"{ref} {number}"} for number in range(249)] + [{"content": "same"}],
            },
        )
        items = [{"content": f"{ref} item {number}."} for number in range(149)] + [
            {"content": "The same sentence."}
        ]
        for start in (0, 100):
            agent.post("/api/v1/memories/batch/", {"owner": ref, "memories": items[start : start + 100]})
    before = {path: all_pages(agent, path, owner="b", limit="50") for path in (EVENTS, MEMORIES)}
    assert (len(before[EVENTS]), len(before[MEMORIES])) == (250, 150)
    with transaction.atomic():
        counts = purge(owner_id=owner_id(agent, "a"), reason="erasure")
    assert (counts["event"], counts["memoryitem"]) == (250, 150)
    assert agent.get(EVENTS, {"owner": "a"}).status_code == 404
    after = {path: all_pages(agent, path, owner="b", limit="50") for path in (EVENTS, MEMORIES)}
    assert after == before


def test_b09_a_client_retry_is_the_same_event(agent: AgentClient) -> None:
    body = {"owner": "ann", "content": "我对坚果过敏", "idempotency_key": "K"}

    def send(_: int) -> Any:
        try:
            return agent.post(EVENTS, body)
        finally:
            connection.close()

    first = agent.post(EVENTS, body).json()["events"][0]["id"]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(50)))
    assert {answer.json()["events"][0]["id"] for answer in answers} == {first}
    assert agent.post(EVENTS, {**body, "content": "我对花生过敏"}).status_code == 422
    assert agent.post(EVENTS, {**body, "owner": "bob"}).json()["events"][0]["status"] == "recorded"
    ann = owner_id(agent, "ann")
    process_waiting_events(
        workspace_id=agent.workspace.id, owner_id=ann, until=[UUID(first)], still_working=lambda: None
    )
    counts = (
        FieldVersion.objects.of(ann).count(),
        MemoryItem.objects.of(ann).count(),
        Event.objects.of(ann).count(),
    )
    for _ in range(5):
        agent.post(EVENTS, body)
    assert counts == (
        FieldVersion.objects.of(ann).count(), MemoryItem.objects.of(ann).count(), Event.objects.of(ann).count(),
    )  # fmt: skip
    assert counts[2] == 1


SENDS_AND_LISTS = """
import os, json, sys, django
django.setup()
from tests.api.clients import AgentClient
class Minted: token = sys.argv[1]
agent = AgentClient(Minted())
for written in ("2025-07-25T02:00:00Z", "2025-07-25T10:00:00+08:00", "2025-07-25T02:00:00"):
    assert agent.post("/api/v1/events/", {"owner": sys.argv[2], "content": written, "occurred_at": written}).status_code == 202
events = agent.get("/api/v1/events/", {"owner": sys.argv[2]}).json()["results"]
days = {}
for day, zone in (("2025-07-25", "Asia/Shanghai"), ("2025-07-25", "UTC"), ("2025-07-24", "America/Los_Angeles"), ("2025-07-25", "America/Los_Angeles")):
    asked = {"owner": sys.argv[2], "day": day, "time_zone": zone}
    days[f"{day} {zone}"] = len(agent.get("/api/v1/events/", asked).json()["results"])
print(json.dumps([sorted({event["occurred_at"] for event in events}), days]))
"""


def test_b17_one_instant_whatever_the_servers_zone(agent: AgentClient) -> None:
    assert agent.minted is not None
    seen = []
    for number, zone in enumerate(("America/Los_Angeles", "Asia/Shanghai")):
        run = subprocess.run(
            [sys.executable, "-c", SENDS_AND_LISTS, agent.minted.token, f"owner-{number}"],
            cwd=settings.BASE_DIR, env=environment(TZ=zone, MEMORYHUB_ALLOWED_HOSTS="testserver"), text=True, capture_output=True, timeout=120,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr[-2000:]
        seen.append(run.stdout)
    assert seen[0] == seen[1]
    assert '["2025-07-25T02:00:00.000000Z"]' in seen[0]
    assert '"2025-07-25 Asia/Shanghai": 3, "2025-07-25 UTC": 3' in seen[0]
    assert '"2025-07-24 America/Los_Angeles": 3, "2025-07-25 America/Los_Angeles": 0' in seen[0]


def test_b17_a_day_is_the_owners_own_when_no_zone_is_asked_for(agent: AgentClient) -> None:
    for ref, zone in (("wang", "Asia/Shanghai"), ("ann", "UTC")):
        agent.put(f"/api/v1/owners/{ref}/", {"time_zone": zone})
        agent.post(EVENTS, {"owner": ref, "content": "late", "occurred_at": "2025-07-24T17:30:00Z"})
    found = {
        ref: len(agent.get(EVENTS, {"owner": ref, "day": "2025-07-25"}).json()["results"])
        for ref in ("wang", "ann")
    }
    assert found == {"wang": 1, "ann": 0}


def test_b17_every_answer_writes_times_in_one_form(agent: AgentClient) -> None:
    processed(agent, "ann", "我对坚果过敏", occurred_at="2025-07-25T10:00:00+08:00")
    listed = agent.get(EVENTS, {"owner": "ann"}).json()["results"][0]["occurred_at"]
    form = agent.get("/api/v1/forms/", {"owner": "ann"}).json()["results"][0]["valid_from"]
    context = agent.get("/api/v1/context/", {"owner": "ann"}).json()["rules"][0]["valid_from"]
    line = recalled(agent, "ann", "有什么零食推荐")[0]["occurred_at"]
    assert {listed, form, context, line} == {"2025-07-25T02:00:00.000000Z"}


@pytest.mark.parametrize("bad", ["a\x00b", "a\ud800b"])
def test_b44_hostile_characters_are_refused_by_one_rule_on_every_path(agent: AgentClient, bad: str) -> None:
    agent.put("/api/v1/owners/ann/", {})
    attempts = [
        ("POST", EVENTS, {"owner": "ann", "content": bad}, "content"),
        ("POST", EVENTS, {"owner": "ann", "content": "x", "metadata": {"k": bad}}, "metadata.k"),
        ("POST", EVENTS, {"owner": "ann", "content": "x", "metadata": {bad: 1}}, "metadata"),
        ("POST", EVENTS, {"owner": bad, "content": "x"}, "owner"),
        ("POST", BATCH, {"owner": bad, "events": [{"content": "x"}]}, "owner"),
        ("POST", MEMORIES, {"owner": "ann", "content": bad}, "content"),
        ("PUT", "/api/v1/forms/user_profile/name/", {"owner": "ann", "value": bad}, "value"),
        ("PUT", "/api/v1/owners/ann/", {"display_name": bad}, "display_name"),
        ("POST", RECALL, {"owner": "ann", "query": bad}, "query"),
    ]
    for method, path, body, field in attempts:
        answer = agent.send(method, path, body)
        assert (answer.status_code, error_of(answer)["field"]) == (400, field), path
        assert error_of(answer)["code"] in ("nul_character", "lone_surrogate")
    assert agent.get(f"{EVENTS}?owner=a%00b").status_code == 400


def test_b44_one_bad_entry_of_twenty_is_listed_and_the_others_are_stored(agent: AgentClient) -> None:
    events: list[Any] = [{"content": f"event {number}"} for number in range(20)]
    events[11] = {"content": "a\x00"}
    results = agent.post(BATCH, {"owner": "ann", "events": events}).json()["events"]
    assert [result["index"] for result in results if result["status"] == "refused"] == [11]
    assert len(agent.get(EVENTS, {"owner": "ann"}).json()["results"]) == 19


@pytest.mark.parametrize("path", ["events", "memories", "recalls", "operations"])
def test_b44_an_id_that_is_not_one_is_404(agent: AgentClient, path: str) -> None:
    assert agent.get(f"/api/v1/{path}/not-a-uuid/", {"owner": "ann"}).status_code == 404


def test_b44_odd_owner_ids_work_in_every_leg_and_are_never_wildcards(agent: AgentClient) -> None:
    near_misses = ["annXexample.org", "aXb", "100", "100x", "o''neil", "aab"]
    for ref in [*ODD_REFS, *near_misses]:
        agent.post(MEMORIES, {"owner": ref, "content": f"Secret of {ref}: zebra."})
        agent.put("/api/v1/forms/user_profile/budget/", {"owner": ref, "value": 100})
        agent.post(EVENTS, {"owner": ref, "content": f"zebra event of {ref}"})
    for ref in ODD_REFS:
        assert agent.get(f"/api/v1/owners/{quote(ref, safe='')}/").json()["ref"] == ref
        assert [event["content"] for event in agent.get(EVENTS, {"owner": ref}).json()["results"]] == [
            f"zebra event of {ref}"
        ]
        for kinds in ([], ["form"], ["event"], ["semantic"]):
            lines = recalled(agent, ref, "zebra budget", kinds=kinds)
            assert lines
            assert {line["owner"] for line in lines} == {ref}
            assert not [line for line in lines if "zebra" in line["text"] and ref not in line["text"]]


def test_b46_pages_neither_repeat_nor_skip_while_rows_come_and_go(agent: AgentClient) -> None:
    moment = "2026-03-01T08:00:00Z"
    events = [{"content": f"event {number}", "occurred_at": moment} for number in range(120)]
    answer = agent.post(BATCH, {"owner": "ann", "events": events})
    original = [result["id"] for result in answer.json()["events"]]
    first = agent.get(EVENTS, {"owner": "ann", "limit": "50"}).json()
    newer = [{"content": f"newer {number}", "occurred_at": "2026-03-02T08:00:00Z"} for number in range(5)]
    agent.post(BATCH, {"owner": "ann", "events": newer})
    seen = [event["id"] for event in first["results"]]
    pages, link = [first], first["next"]
    while link:
        pages.append(agent.get(link.replace("http://testserver", "")).json())
        seen += [event["id"] for event in pages[-1]["results"]]
        link = pages[-1]["next"]
    assert sorted(seen) == sorted(original)
    assert [len(page["results"]) for page in pages] == [50, 50, 20]
    back = agent.get(pages[2]["previous"].replace("http://testserver", "")).json()
    assert back["results"] == pages[1]["results"]
    start = agent.get(back["previous"].replace("http://testserver", "")).json()
    assert start["results"] == first["results"]
    assert start["previous"] is not None, "the newer ones are before it now"
    newest = agent.get(start["previous"].replace("http://testserver", "")).json()
    assert [event["content"] for event in newest["results"]] == [
        f"newer {number}" for number in (4, 3, 2, 1, 0)
    ]
    assert newest["previous"] is None


def test_b46_a_cursor_whose_row_is_gone_still_goes_on(agent: AgentClient) -> None:
    items = [{"content": f"Fact {number}."} for number in range(9)]
    agent.post("/api/v1/memories/batch/", {"owner": "ann", "memories": items})
    first = agent.get(MEMORIES, {"owner": "ann", "limit": "3"}).json()
    for item in first["results"]:  # edited: each leaves the list and a newer one comes
        edit = {"owner": "ann", "content": f"{item['content'][:-1]} corrected."}
        assert agent.patch(f"{MEMORIES}{item['id']}/", edit, If_Match=f'"{item["seq"]}"').status_code == 201
    rest, link = [], first["next"]
    while link:
        page = agent.get(link.replace("http://testserver", "")).json()
        rest += [item["content"] for item in page["results"]]
        link = page["next"]
    assert rest == [f"Fact {number}." for number in (5, 4, 3, 2, 1, 0)]
