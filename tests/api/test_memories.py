"""`/api/v1/memories/`: writing, listing, editing with the version one saw, history."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.models import MemoryItem, Owner
from tests.api.clients import AgentClient, error_of

MEMORIES = "/api/v1/memories/"
BATCH = "/api/v1/memories/batch/"
OWNER = {"owner": "ann"}


def written(agent: AgentClient, content: str = "Works in Berlin.", **values: Any) -> str:
    answer = agent.post(MEMORIES, {"owner": "ann", "content": content, **values})
    assert answer.status_code == 201, answer.content
    item_id: str = answer.json()["target_id"]
    return item_id


def test_a_memory_is_written_and_read(agent: AgentClient) -> None:
    item_id = written(agent, entities=["Berlin"], metadata={"k": 1}, session="s1")
    got = agent.get(f"{MEMORIES}{item_id}/", OWNER)
    body = got.json()
    assert (body["content"], body["kind"], body["entities"], body["metadata"], body["session"]) == (
        "Works in Berlin.", "semantic", ["Berlin"], {"k": 1}, "s1",
    )  # fmt: skip
    assert got["ETag"] == f'"{body["seq"]}"'
    assert agent.get(MEMORIES, OWNER).json()["results"] == [body]


def test_the_same_sentence_again_is_reinforced(agent: AgentClient) -> None:
    written(agent)
    again = agent.post(MEMORIES, {"owner": "ann", "content": "Works in Berlin."})
    assert (again.status_code, again.json()["outcome"]) == (200, "reinforced")


def test_what_is_too_unsure_is_refused_with_a_code(agent: AgentClient) -> None:
    answer = agent.post(MEMORIES, {"owner": "ann", "content": "Maybe.", "confidence": 0.1})
    assert (answer.status_code, answer.json()["outcome"], answer.json()["code"]) == (
        200,
        "refused",
        "low_confidence",
    )


def test_an_edit_supersedes_and_the_history_shows_both(agent: AgentClient) -> None:
    item_id = written(agent)
    etag = agent.get(f"{MEMORIES}{item_id}/", OWNER)["ETag"]
    blind = agent.patch(f"{MEMORIES}{item_id}/", {"owner": "ann", "content": "Works in Bern."})
    assert (blind.status_code, error_of(blind)["code"]) == (428, "version_required")
    edited = agent.patch(
        f"{MEMORIES}{item_id}/", {"owner": "ann", "content": "Works in Bern."}, If_Match=etag
    )
    assert edited.status_code == 201, edited.content
    stale = agent.patch(f"{MEMORIES}{item_id}/", {"owner": "ann", "content": "Works in Bonn."}, If_Match=etag)
    assert (stale.status_code, error_of(stale)["code"]) == (412, "version_moved")
    new_id = edited.json()["target_id"]
    for asked in (item_id, new_id):
        chain = agent.get(f"{MEMORIES}{asked}/history/", OWNER).json()["results"]
        assert [(item["id"], item["content"]) for item in chain] == [
            (item_id, "Works in Berlin."), (new_id, "Works in Bern."),
        ]  # fmt: skip
    assert [item["content"] for item in agent.get(MEMORIES, OWNER).json()["results"]] == ["Works in Bern."]


def test_only_named_labels_move(agent: AgentClient) -> None:
    item_id = written(agent, entities=["Berlin"], metadata={"a": 1, "b": 2})
    etag = agent.get(f"{MEMORIES}{item_id}/", OWNER)["ETag"]
    answer = agent.patch(
        f"{MEMORIES}{item_id}/", {"owner": "ann", "metadata": {"a": None, "c": 3}}, If_Match=etag
    )
    assert answer.status_code == 201
    body = agent.get(f"{MEMORIES}{item_id}/", OWNER).json()
    assert (body["metadata"], body["entities"]) == ({"b": 2, "c": 3}, ["Berlin"])


def test_the_list_is_filtered(agent: AgentClient) -> None:
    berlin = written(agent, entities=["Berlin"])
    dog = written(agent, "Has a dog.", kind="episodic")

    def ids(**asked: str) -> list[str]:
        return [item["id"] for item in agent.get(MEMORIES, {"owner": "ann", **asked}).json()["results"]]

    assert ids() == [dog, berlin]
    assert ids(kind="episodic") == [dog]
    assert ids(entity="Berlin") == [berlin]
    assert ids(status="superseded") == []
    assert ids(known_at="2020-01-01T00:00:00Z") == []


def test_a_batch_answers_for_each(agent: AgentClient) -> None:
    items: list[Any] = [
        {"content": "Has a dog."},
        {"content": "a\x00"},
        {"content": "x", "kind": "knowledge"},
        {"content": "Has a cat."},
    ]
    answer = agent.post(BATCH, {"owner": "ann", "memories": items})
    assert answer.status_code == 200
    results = answer.json()["memories"]
    assert [(result["index"], result["outcome"], result["field"]) for result in results] == [
        (0, "stored", ""), (1, "refused", "content"), (2, "refused", "kind"), (3, "stored", ""),
    ]  # fmt: skip


def test_a_batch_of_nothing_sound_is_400(agent: AgentClient) -> None:
    answer = agent.post(BATCH, {"owner": "ann", "memories": [{"content": ""}]})
    assert (answer.status_code, error_of(answer)["code"]) == (400, "nothing_to_write")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"content": " "}, "content"),
        ({"content": "x" * 2001}, "content"),
        ({"kind": "knowledge"}, "kind"),
        ({"entities": "Berlin"}, "entities"),
        ({"entities": ["a"] * 33}, "entities"),
        ({"metadata": {"a": "\ud800"}}, "metadata.a"),
        ({"importance": 2}, "importance"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, change: dict[str, Any], field: str) -> None:
    answer = agent.post(MEMORIES, {"owner": "ann", "content": "x", **change})
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)


def test_another_agent_of_the_workspace_reads_and_edits(agent: AgentClient, teammate: AgentClient) -> None:
    item_id = written(agent)
    etag = teammate.get(f"{MEMORIES}{item_id}/", OWNER)["ETag"]
    edit = {"owner": "ann", "content": "Works in Bern."}
    assert teammate.patch(f"{MEMORIES}{item_id}/", edit, If_Match=etag).status_code == 201


def test_a_foreign_memory_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    item_id = written(agent)
    stranger.put("/api/v1/owners/ann/", {})
    unknown = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01"
    for suffix in ("", "history/"):
        counts, answers = [], []
        for wanted in (item_id, unknown):
            with CaptureQueriesContext(connection) as queries:
                answers.append(stranger.get(f"{MEMORIES}{wanted}/{suffix}", OWNER))
            counts.append(len(queries))
        assert [answer.status_code for answer in answers] == [404, 404]
        assert error_of(answers[0]) | {"request_id": ""} == error_of(answers[1]) | {"request_id": ""}
        assert counts[0] == counts[1]
    edit = stranger.patch(f"{MEMORIES}{item_id}/", {"owner": "ann", "content": "x"}, If_Match='"1"')
    assert edit.status_code == 404
    assert (
        MemoryItem.objects.filter(owner_id=Owner.objects.get(ref="ann", workspace=agent.workspace).id).count()
        == 1
    )


def test_a_read_only_key_may_not_write(agent: AgentClient, reader: AgentClient) -> None:
    item_id = written(agent)
    assert reader.get(f"{MEMORIES}{item_id}/", OWNER).status_code == 200
    for answer in (
        reader.post(MEMORIES, {"owner": "ann", "content": "x"}),
        reader.post(BATCH, {"owner": "ann", "memories": [{"content": "x"}]}),
        reader.patch(f"{MEMORIES}{item_id}/", {"owner": "ann", "content": "x"}, If_Match='"1"'),
    ):
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_the_number_of_statements_does_not_grow_with_the_memories(agent: AgentClient) -> None:
    written(agent)
    with CaptureQueriesContext(connection) as few:
        agent.get(MEMORIES, OWNER)
    agent.post(BATCH, {"owner": "ann", "memories": [{"content": f"Fact {number}."} for number in range(15)]})
    with CaptureQueriesContext(connection) as many:
        assert len(agent.get(MEMORIES, OWNER).json()["results"]) == 16
    assert len(few) == len(many)
