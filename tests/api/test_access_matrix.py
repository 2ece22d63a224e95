"""Every operation against every kind of credential. Built from the API's own description, so that none is forgotten."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from memoryhub.keys import mint_key, revoke_key
from memoryhub.models import (
    Change,
    ChangeSet,
    Entity,
    Event,
    FieldVersion,
    MemoryItem,
    Owner,
    Recall,
    Relation,
    Session,
    SessionSlot,
    Workspace,
)
from memoryhub.workspaces import create_agent
from tests.api.clients import AgentClient, error_of

UNKNOWN = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8eff"
CANARY = "canary-7f3a"
WITHOUT_OWNER = {
    "owners_list",
    "keys_get",
    "keys_rotate",
    "extractions_try",
    "form_types_list",
    "policies_list",
    "vocabulary_get",
}
WITH_RECALL = {"recall", "recalls_feedback", "recalls_diagnose", "state_check"}
"""What whoever may ask may do besides reading: nothing of it changes memory."""
TARGETS = {"blast_radius_get": "item"}
"""Operations that ask for one target in the query: by which parameter it is named here."""
FORMS = {"form_type": "user_profile", "field": "budget", "number": "1"}


@dataclass(frozen=True)
class Operation:
    """One method of one address, as the description says it is called."""

    id: str
    method: str
    path: str
    query: tuple[str, ...]
    body: dict[str, Any] | None

    @property
    def names_an_owner(self) -> bool:
        return "owner" in self.query or "{ref}" in self.path or "owner" in (self.body or {})

    @property
    def id_names(self) -> list[str]:
        return [part[1:-1] for part in self.path.split("/") if part.endswith("_id}")]

    def send(self, client: AgentClient, owner: str, ids: dict[str, str]) -> Any:
        """Call it about `owner`; `ids` by the name of the path's parameter, unknown ones for the rest."""
        given = {**dict.fromkeys(self.id_names, UNKNOWN), **FORMS, **ids, "ref": quote(owner, safe="")}
        path = self.path.format(**given)
        if "owner" in self.query:
            path += f"?owner={quote(owner)}"
        if self.id in TARGETS:
            path += f"&{TARGETS[self.id]}={ids.get('item_id', UNKNOWN)}"
        body = {**self.body, "owner": owner} if self.body and "owner" in self.body else self.body
        headers = {"If_Match": '"1"'} if self.method in ("put", "patch", "delete") else {}
        return client.send(self.method.upper(), path, body, **headers)


def described() -> Iterator[Operation]:
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            if not path.startswith("/api/v1/"):
                continue
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            examples = [example["value"] for example in content.get("examples", {}).values()]
            query = tuple(part["name"] for part in operation.get("parameters", []) if part["in"] == "query")
            yield Operation(operation["operationId"], method, path, query, examples[0] if examples else None)


OPERATIONS = list(described())
ABOUT_OWNERS = [operation for operation in OPERATIONS if operation.id not in WITHOUT_OWNER]


def named(operation: Operation) -> str:
    return operation.id


def as_sent(answer: Any) -> tuple[int, dict[str, Any]]:
    return answer.status_code, error_of(answer) | {"request_id": ""}


@pytest.fixture
def bobs(agent: AgentClient) -> dict[str, str]:
    """Bob with a canary in every text, and the ids of what he has by the name of the path's parameter."""
    event = agent.post(
        "/api/v1/events/",
        {"owner": "bob", "content": CANARY, "actor": CANARY, "session": CANARY, "metadata": {"k": CANARY}},
    ).json()
    agent.put("/api/v1/owners/bob/", {"display_name": CANARY})
    agent.put("/api/v1/owners/team/", {"kind": "team"})
    memory = agent.post("/api/v1/memories/", {"owner": "bob", "content": CANARY, "entities": [CANARY]}).json()
    agent.put("/api/v1/forms/user_profile/budget/", {"owner": "bob", "value": 5000})
    agent.put("/api/v1/forms/user_profile/allergies/", {"owner": "bob", "value": CANARY})
    doubt = {"owner": "bob", "evidence": {"quote": CANARY}, "reason": CANARY}
    question = agent.post("/api/v1/forms/user_profile/budget/outdated/", doubt, If_Match='"1"').json()
    recall = agent.post("/api/v1/recall/", {"owner": "bob", "query": CANARY}).json()
    session = agent.post("/api/v1/sessions/", {"owner": "bob", "session": CANARY}).json()
    agent.patch(
        f"/api/v1/sessions/{CANARY}/slots/",
        {"owner": "bob", "slots": [{"context": f"order:{CANARY}", "name": "address", "value": CANARY}]},
    )
    relation = {
        "kind": "contains",
        "from": {"kind": "product", "name": CANARY},
        "to": {"kind": "product", "name": "tea"},
    }
    agent.post("/api/v1/relations/", {"owner": "bob", **relation})
    owner_id = Owner.objects.get(ref="bob").id
    return {
        "entity_id": str(Entity.objects.of(owner_id).get(name=CANARY).id),
        "link_id": agent.post("/api/v1/owners/bob/links/", {"linked_owner": "team"}).json()["id"],
        "session_id": session["id"],
        "question_id": question["question"],
        "event_id": event["events"][0]["id"],
        "job_id": event["operation"],
        "item_id": memory["target_id"],
        "recall_id": recall["recall"],
        "change_id": str(Change.objects.of(owner_id).latest("created_at").id),
        "change_set_id": str(ChangeSet.objects.of(owner_id).latest("created_at").id),
    }


def digest_of(ref: str) -> str:
    """One hash over everything the owner has."""
    owner_id = Owner.objects.get(ref=ref).id
    rows = [
        sorted(map(str, model.objects.of(owner_id).values_list()))
        for model in (
            Event,
            FieldVersion,
            MemoryItem,
            Change,
            ChangeSet,
            Recall,
            Relation,
            Session,
            SessionSlot,
        )
    ]
    return hashlib.sha256(str(rows).encode()).hexdigest()


def test_only_these_operations_are_not_about_one_owner() -> None:
    assert {operation.id for operation in OPERATIONS if not operation.names_an_owner} == WITHOUT_OWNER


def test_an_owner_out_of_reach_is_answered_as_an_unknown_one(
    agent: AgentClient, restricted: AgentClient, bobs: dict[str, str]
) -> None:
    before = digest_of("bob")
    restricted.get("/api/v1/keys/")
    for operation in ABOUT_OWNERS:
        answers, counts = [], []
        for owner in ("bob", "zoe"):
            with CaptureQueriesContext(connection) as queries:
                answer = operation.send(restricted, owner, bobs)
            answers.append(as_sent(answer))
            counts.append(len(queries))
            assert CANARY not in answer.content.decode() + str(answer.headers), operation.id
        assert answers[0] == answers[1], operation.id
        assert answers[0][0] == 404, operation.id
        assert counts[0] == counts[1], operation.id
    assert digest_of("bob") == before
    assert not Owner.objects.filter(ref="zoe").exists()


def test_an_id_of_another_owner_is_answered_as_an_unknown_one(
    agent: AgentClient, restricted: AgentClient, bobs: dict[str, str]
) -> None:
    restricted.put("/api/v1/owners/ann/", {})
    before = digest_of("bob")
    for operation in ABOUT_OWNERS:
        if not operation.id_names:
            continue
        answers, counts = [], []
        for ids in (bobs, {}):
            with CaptureQueriesContext(connection) as queries:
                answer = operation.send(restricted, "ann", ids)
            answers.append(as_sent(answer))
            counts.append(len(queries))
            assert CANARY not in answer.content.decode(), operation.id
        assert answers[0] == answers[1], operation.id
        assert answers[0][0] == 404, operation.id
        assert counts[0] == counts[1], operation.id
    assert digest_of("bob") == before


def test_without_a_usable_key_nothing_is_told(
    agent: AgentClient, nobody: AgentClient, workspace: Workspace, bobs: dict[str, str]
) -> None:
    ended = [mint_key(agent=create_agent(workspace=workspace, name=name)) for name in ("revoked", "expired")]
    revoke_key(key=ended[0].key)
    ended[1].key.expires_at = timezone.now() - timedelta(seconds=1)
    ended[1].key.save()
    for operation in OPERATIONS:
        for client in (nobody, *map(AgentClient, ended)):
            answer = operation.send(client, "bob", bobs)
            assert answer.status_code == 401, operation.id
            assert CANARY not in answer.content.decode()


def test_a_reading_key_reads_and_writes_nothing(
    agent: AgentClient, reader: AgentClient, bobs: dict[str, str]
) -> None:
    before = digest_of("bob")
    for operation in OPERATIONS:
        if operation.method == "get" or operation.id in WITH_RECALL:
            continue
        answer = operation.send(reader, "bob", bobs)
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope"), operation.id
    assert digest_of("bob") == before


def test_a_key_that_may_do_nothing_is_told_so_everywhere(
    agent: AgentClient, workspace: Workspace, bobs: dict[str, str]
) -> None:
    powerless = AgentClient(mint_key(agent=create_agent(workspace=workspace, name="powerless"), scopes=[]))
    for operation in OPERATIONS:
        answer = operation.send(powerless, "bob", bobs)
        assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope"), operation.id
