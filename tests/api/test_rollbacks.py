"""Rollbacks over the API: look, execute what was shown, only one's own; it does not come back, and can be undone."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.changes import reverting
from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import Change, ChangeSet, Owner
from tests.api.clients import AgentClient, error_of
from tests.api.proposing import BUDGET, UNKNOWN, approved, owner_of, proposed, stored

OWNER = {"owner": "ann"}
MEMORIES = "/api/v1/memories/"
FIELD = f"{BUDGET}rollback/"
PARROT = "Keeps a parrot."


def budget(client: AgentClient, value: int) -> dict[str, Any]:
    """Write the budget over whatever stands. Answers the verdict."""
    stands = client.get(BUDGET, OWNER)
    headers = {"If_Match": stands["ETag"]} if stands.status_code == 200 else {}
    answer = client.put(BUDGET, {"owner": "ann", "value": value}, **headers)
    assert answer.status_code == 201, answer.content
    verdict: dict[str, Any] = answer.json()
    return verdict


def values(client: AgentClient) -> list[Any]:
    answer = client.get(BUDGET, OWNER)
    return [value["value"] for value in answer.json()["values"]] if answer.status_code == 200 else []


def sentences(client: AgentClient) -> list[str]:
    return [item["content"] for item in client.get(MEMORIES, OWNER).json()["results"]]


def set_path(client: AgentClient, change_id: str) -> str:
    change = Change.objects.of(owner_of(client)).get(id=change_id)
    return f"/api/v1/changesets/{change.change_set_id}/rollback/"


def look(client: AgentClient, path: str, **asked: Any) -> dict[str, Any]:
    answer = client.post(path, {"owner": "ann", "dry_run": True, **asked})
    assert answer.status_code == 200, answer.content
    plan: dict[str, Any] = answer.json()
    return plan


def roll_back(client: AgentClient, path: str, ticked: tuple[str, ...] = (), **asked: Any) -> dict[str, Any]:
    digest = look(client, path, **asked)["digest"]
    answer = client.post(path, {"owner": "ann", "digest": digest, "ticked": ticked, **asked})
    assert answer.status_code == 200, answer.content
    result: dict[str, Any] = answer.json()
    return result


def by_a_person(client: AgentClient, **scope: Any) -> None:
    wanted = RollbackScope(owner_ids=(owner_of(client),), **scope)
    plan = plan_rollback(workspace_id=client.workspace.id, scope=wanted)
    execute_rollback(workspace_id=client.workspace.id, scope=plan.scope, digest=plan.digest, user_id=7)


def test_an_act_is_looked_at_then_undone_and_the_undoing_undone(agent: AgentClient) -> None:
    budget(agent, 500)
    path = set_path(agent, budget(agent, 666)["change_id"])
    plan = look(agent, path)
    item = plan["items"][0]
    assert (item["effect"], item["before"], item["now"], item["after"]) == ("restore", 500, 666, 500)
    assert (plan["changes"], plan["counts"], plan["needs_job"]) == (1, {"restore": 1}, False)
    assert values(agent) == [666]
    result = roll_back(agent, path)
    assert (result["counts"], result["changes"], values(agent)) == (plan["counts"], 1, [500])
    again = agent.get(f"/api/v1/changesets/{result['change_set']}/", OWNER).json()
    assert (again["act"], again["by"], again["is_mine"]) == ("rollback", "agent", True)
    roll_back(agent, f"/api/v1/changesets/{result['change_set']}/rollback/")
    assert values(agent) == [666]


def test_a_memory_is_taken_back_and_does_not_come_back(agent: AgentClient) -> None:
    item_id = stored(agent, PARROT)["target_id"]
    result = roll_back(agent, f"{MEMORIES}{item_id}/rollback/", reason="Nonsense.")
    assert (result["counts"], sentences(agent)) == ({"retract": 1}, [])
    reverted = agent.get("/api/v1/changes/", {"owner": "ann", "state": "reverted"}).json()["results"]
    assert [change["decision_reason"] for change in reverted] == ["rolled_back"]
    again = agent.post(MEMORIES, {"owner": "ann", "content": "keeps a PARROT!"})
    assert (again.json()["outcome"], again.json()["code"]) == ("refused", "rejected_before")


def test_an_earlier_memory_of_the_history_is_current_again(agent: AgentClient) -> None:
    first = stored(agent, PARROT)["target_id"]
    etag = agent.get(f"{MEMORIES}{first}/", OWNER)["ETag"]
    edit = {"owner": "ann", "content": "Keeps two parrots."}
    second = agent.patch(f"{MEMORIES}{first}/", edit, If_Match=etag).json()["target_id"]
    roll_back(agent, f"{MEMORIES}{second}/rollback/", to=first)
    assert sentences(agent) == [PARROT]


def test_an_earlier_version_of_a_field_is_current_again(agent: AgentClient) -> None:
    for amount in (100, 200, 300):
        budget(agent, amount)
    result = roll_back(agent, FIELD, version=1)
    assert (result["changes"], values(agent)) == (2, [100])


def test_the_standing_value_of_a_field_is_taken_back(agent: AgentClient) -> None:
    budget(agent, 100)
    budget(agent, 200)
    roll_back(agent, FIELD)
    assert values(agent) == [100]
    roll_back(agent, FIELD, version=2)
    assert values(agent) == [200]


def test_nothing_is_executed_blind_or_on_a_plan_that_moved(agent: AgentClient) -> None:
    path = set_path(agent, budget(agent, 500)["change_id"])
    blind = agent.post(path, OWNER)
    assert (blind.status_code, error_of(blind)["code"], error_of(blind)["field"]) == (
        422, "digest_required", "digest",
    )  # fmt: skip
    digest = look(agent, path)["digest"]
    budget(agent, 600)
    stale = agent.post(path, {"owner": "ann", "digest": digest})
    assert (stale.status_code, error_of(stale)["code"]) == (409, "rollback_moved")
    assert values(agent) == [600]


def test_a_later_edit_of_ones_own_goes_only_when_ticked(agent: AgentClient) -> None:
    path = set_path(agent, budget(agent, 500)["change_id"])
    budget(agent, 600)
    item = look(agent, path)["items"][0]
    assert (item["conflict"], item["before"], item["after"]) == ("later_edit", None, 600)
    roll_back(agent, path, ticked=(item["key"],))
    assert values(agent) == []


def test_a_later_edit_of_another_agent_is_kept_and_not_to_be_ticked(
    agent: AgentClient, teammate: AgentClient
) -> None:
    path = set_path(agent, budget(agent, 500)["change_id"])
    budget(teammate, 600)
    plan = look(agent, path)
    ticked = {"owner": "ann", "digest": plan["digest"], "ticked": [plan["items"][0]["key"]]}
    refused = agent.post(path, ticked)
    assert (refused.status_code, error_of(refused)["code"]) == (403, "not_own_change")
    roll_back(agent, path)
    assert values(agent) == [600]


def test_what_another_agent_wrote_is_not_ones_own_to_undo(agent: AgentClient, teammate: AgentClient) -> None:
    verdict = budget(agent, 500)
    item_id = stored(agent)["target_id"]
    for path in (set_path(agent, verdict["change_id"]), FIELD, f"{MEMORIES}{item_id}/rollback/"):
        for asked in ({"dry_run": True}, {"digest": "0" * 64}):
            answer = teammate.post(path, {"owner": "ann", **asked})
            assert answer.status_code in (403, 409), answer.content
        look_refused = teammate.post(path, {"owner": "ann", "dry_run": True})
        assert (look_refused.status_code, error_of(look_refused)["code"]) == (403, "not_own_change")
    assert (values(agent), sentences(agent)) == ([500], [PARROT])


def test_restoring_over_another_agents_edit_is_not_ones_own(
    agent: AgentClient, teammate: AgentClient
) -> None:
    budget(agent, 500)
    budget(teammate, 600)
    answer = agent.post(FIELD, {"owner": "ann", "dry_run": True, "version": 1})
    assert (answer.status_code, error_of(answer)["code"]) == (403, "not_own_change")


def test_what_a_person_decided_is_theirs_to_take_back(agent: AgentClient) -> None:
    change_id = proposed(agent)
    approved(agent, change_id)
    answer = agent.post(set_path(agent, change_id), {"owner": "ann", "dry_run": True})
    assert (answer.status_code, error_of(answer)["code"]) == (403, "not_own_change")


def test_what_a_person_rolled_back_is_not_brought_back_by_the_agent(agent: AgentClient) -> None:
    budget(agent, 500)
    wrong = budget(agent, 666)
    by_a_person(agent, change_ids=(wrong["change_id"],))
    assert values(agent) == [500]
    by_person = ChangeSet.objects.of(owner_of(agent)).get(act="rollback").id
    for path, asked in ((FIELD, {"version": 2}), (f"/api/v1/changesets/{by_person}/rollback/", {})):
        answer = agent.post(path, {"owner": "ann", "dry_run": True, **asked})
        assert (answer.status_code, error_of(answer)["code"]) == (403, "not_own_change")


def test_an_agent_withdraws_its_own_proposal(agent: AgentClient) -> None:
    change_id = proposed(agent)
    result = roll_back(agent, set_path(agent, change_id))
    assert result["counts"] == {"withdraw": 1}
    body = agent.get(f"/api/v1/changes/{change_id}/", OWNER).json()
    assert (body["state"], body["decision_reason"]) == ("withdrawn", "rolled_back")
    assert body["reviews"][0]["state"] == "decided"


def test_the_same_request_again_has_the_same_answer_and_no_second_effect(agent: AgentClient) -> None:
    budget(agent, 500)
    budget(agent, 666)
    body = {"owner": "ann", "digest": look(agent, FIELD)["digest"]}
    first = agent.post(FIELD, body, Idempotency_Key="K")
    again = agent.post(FIELD, body, Idempotency_Key="K")
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (200, first.json())
    assert ChangeSet.objects.of(owner_of(agent)).filter(act="rollback").count() == 1
    other = agent.post(BUDGET.replace("budget", "city") + "rollback/", body, Idempotency_Key="K")
    assert (other.status_code, error_of(other)["code"]) == (422, "idempotency_key_reused")


def test_many_changes_become_an_operation(agent: AgentClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reverting, "MOST_AT_ONCE", 1)
    for amount in (100, 200, 300):
        budget(agent, amount)
    plan = look(agent, FIELD, version=1)
    assert plan["needs_job"] is True
    answer = agent.post(FIELD, {"owner": "ann", "digest": plan["digest"], "version": 1})
    assert (answer.status_code, answer.json()["changes"]) == (202, 2)
    operation = agent.get(f"/api/v1/operations/{answer.json()['operation']}/", OWNER)
    assert (operation.json()["kind"], operation.json()["state"]) == ("rollback", "queued")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"owner": ""}, "owner"),
        ({"dry_run": "yes"}, "dry_run"),
        ({"digest": "x" * 65}, "digest"),
        ({"ticked": ["first"]}, "ticked[0]"),
        ({"ticked": [UNKNOWN]}, "ticked"),
        ({"reason": "x" * 501}, "reason"),
        ({"version": 0}, "version"),
        ({"to": 3}, "to"),
    ],
)
def test_a_broken_rule_is_named(agent: AgentClient, change: dict[str, Any], field: str) -> None:
    budget(agent, 500)
    digest = look(agent, FIELD)["digest"]
    answer = agent.post(FIELD, {"owner": "ann", "digest": digest, **change})
    assert (answer.status_code, error_of(answer)["field"]) == (400, field)
    assert values(agent) == [500]


def test_what_is_not_there_cannot_be_rolled_back(agent: AgentClient) -> None:
    budget(agent, 500)
    item_id, other = stored(agent)["target_id"], stored(agent, "Has a dog.")["target_id"]
    for path, asked, field in (
        (f"/api/v1/changesets/{UNKNOWN}/rollback/", {}, ""),
        (f"{MEMORIES}{UNKNOWN}/rollback/", {}, ""),
        (f"{MEMORIES}{item_id}/rollback/", {"to": other}, "to"),
        (FIELD, {"version": 9}, "version"),
        (BUDGET.replace("budget", "city") + "rollback/", {}, ""),
    ):
        answer = agent.post(path, {"owner": "ann", "dry_run": True, **asked})
        assert (answer.status_code, error_of(answer)["field"]) == (404, field)


def test_a_foreign_act_is_answered_as_an_unknown_one(agent: AgentClient, stranger: AgentClient) -> None:
    path = set_path(agent, budget(agent, 500)["change_id"])
    stranger.put("/api/v1/owners/ann/", {})
    counts, answers = [], []
    for wanted in (path, f"/api/v1/changesets/{UNKNOWN}/rollback/"):
        with CaptureQueriesContext(connection) as queries:
            answers.append(stranger.post(wanted, {"owner": "ann", "dry_run": True}))
            answers.append(stranger.post(wanted, {"owner": "ann", "digest": "0" * 64}))
            counts.append(len(queries))
    assert [answer.status_code for answer in answers] == [404] * 4
    assert len({str(error_of(answer) | {"request_id": ""}) for answer in answers}) == 1
    assert counts[0] == counts[1]
    assert values(agent) == [500]


def test_a_key_without_the_scope_may_not(
    agent: AgentClient, reader: AgentClient, writer: AgentClient
) -> None:
    path = set_path(agent, budget(agent, 500)["change_id"])
    for client in (reader, writer):
        for wanted in (path, FIELD, f"{MEMORIES}{UNKNOWN}/rollback/"):
            answer = client.post(wanted, {"owner": "ann", "dry_run": True})
            assert (answer.status_code, error_of(answer)["code"]) == (403, "missing_scope")


def test_for_a_frozen_owner_one_may_look_but_not_execute(agent: AgentClient) -> None:
    path = set_path(agent, budget(agent, 500)["change_id"])
    digest = look(agent, path)["digest"]
    Owner.objects.update(state="frozen")
    assert [skip["code"] for skip in look(agent, path)["skipped"]] == ["owner_frozen"]
    answer = agent.post(path, {"owner": "ann", "digest": digest})
    assert (answer.status_code, error_of(answer)["code"]) == (423, "owner_frozen")


def test_the_number_of_statements_does_not_grow_with_what_the_owner_has(agent: AgentClient) -> None:
    counts = []
    for many in (2, 20):
        memories = [{"content": f"Fact {number} of {many}."} for number in range(many)]
        agent.post(f"{MEMORIES}batch/", {"owner": "ann", "memories": memories})
        first = stored(agent, f"The last of {many}.")
        path = set_path(agent, first["change_id"])
        digest = look(agent, path)["digest"]
        with CaptureQueriesContext(connection) as queries:
            assert agent.post(path, {"owner": "ann", "digest": digest}).status_code == 200
            counts.append(len(queries))
    assert counts[0] == counts[1]
