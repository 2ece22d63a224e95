"""Keys at the door, and `/api/v1/keys/`."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from memoryhub.keys import mint_key, revoke_key
from memoryhub.models import ApiKey, Workspace
from memoryhub.workspaces import create_agent
from tests.api.clients import AgentClient, error_of

KEYS = "/api/v1/keys/"
ROTATE = "/api/v1/keys/rotate/"


def test_a_key_sees_itself(agent: AgentClient) -> None:
    body = agent.get(KEYS).json()
    assert agent.minted is not None
    assert agent.minted.token.startswith(body["prefix"])
    assert (body["agent"], body["workspace"], body["trust_tier"], body["owner_refs"]) == (
        "first",
        "ours",
        3,
        [],
    )
    assert "secret" not in str(body)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer nonsense",
        "Bearer mhk_test_abcdefghijkl_" + "a" * 49,
        "Basic YTpi",
        "Bearer mhk_test_\x01_x",
        "Bearer mhk_live_é_" + "a" * 49,
    ],
)
def test_anything_but_a_usable_key_is_401_without_saying_why(nobody: AgentClient, header: str) -> None:
    answer = nobody.get(KEYS, Authorization=header) if header else nobody.get(KEYS)
    assert answer.status_code == 401
    assert error_of(answer)["code"] in ("not_authenticated", "invalid_key")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_key_with_another_checksum_or_secret_is_401(agent: AgentClient, nobody: AgentClient) -> None:
    assert agent.minted is not None
    token = agent.minted.token
    for forged in (
        token[:-1] + ("a" if token[-1] != "a" else "b"),
        token.replace("mhk_test", "mhk_live"),
        token + "a",
    ):
        assert nobody.get(KEYS, Authorization=f"Bearer {forged}").status_code == 401


def test_a_revoked_an_expired_and_a_frozen_key_open_nothing_on_the_next_request(agent: AgentClient) -> None:
    assert agent.minted is not None
    key = agent.minted.key
    assert agent.get(KEYS).status_code == 200
    key.agent.state = "frozen"
    key.agent.save()
    assert agent.get(KEYS).status_code == 401
    key.agent.state = "active"
    key.agent.save()
    with time_machine.travel(timezone.now() + timedelta(days=91)):
        assert agent.get(KEYS).status_code == 401
    assert agent.get(KEYS).status_code == 200
    revoke_key(key=key)
    assert agent.get(KEYS).status_code == 401


def test_a_rotated_key_has_the_same_powers_and_the_old_one_ends_with_the_overlap(
    workspace: Workspace,
) -> None:
    minted = mint_key(
        agent=create_agent(workspace=workspace, name="bot"),
        scopes=["keys:read", "keys:rotate"],
        trust_tier=2,
        owner_refs=["ann"],
    )
    old = AgentClient(minted)
    answer = old.post(ROTATE, {"overlap_seconds": 60})
    assert answer.status_code == 201
    body = answer.json()
    assert (body["key"]["scopes"], body["key"]["trust_tier"], body["key"]["owner_refs"]) == (
        ["keys:read", "keys:rotate"], 2, ["ann"],
    )  # fmt: skip
    new = AgentClient(None)
    assert new.get(KEYS, Authorization=f"Bearer {body['token']}").json()["prefix"] == body["key"]["prefix"]
    assert old.get(KEYS).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        assert old.get(KEYS).status_code == 401
        assert new.get(KEYS, Authorization=f"Bearer {body['token']}").status_code == 200


def test_rotating_does_not_multiply_keys(agent: AgentClient) -> None:
    assert agent.post(ROTATE, {}).status_code == 201
    again = agent.post(ROTATE, {})
    assert (again.status_code, error_of(again)["code"]) == (409, "wrong_move")
    assert ApiKey.objects.count() == 2


def test_a_key_cannot_raise_itself(agent: AgentClient) -> None:
    attempts: list[dict[str, object]] = [
        {"trust_tier": 4}, {"scopes": ["*"]}, {"owner_refs": []}, {"overlap_seconds": 86_401},
    ]  # fmt: skip
    for body in attempts:
        assert agent.post(ROTATE, body).status_code == 400
    assert agent.post(KEYS, {"trust_tier": 4}).status_code == 405
    assert ApiKey.objects.count() == 1


def test_a_read_only_key_may_not_rotate(reader: AgentClient) -> None:
    answer = reader.post(ROTATE, {})
    assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_the_token_is_stored_nowhere(agent: AgentClient) -> None:
    token = agent.post(ROTATE, {}).json()["token"]
    row = ApiKey.objects.filter(key_id=token.split("_")[2]).values_list().get()
    assert token.split("_")[3][:43] not in str(row)
