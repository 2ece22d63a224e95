"""Tracing a source without opening an incident."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from memoryhub.changes.reverting import execute_rollback, plan_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import Event, Owner, Recall
from tests.reviews.conftest import Desk
from tests.reviews.poisoned import Poisoned, poison

PAGE = "/blast-radius/"


def traced(desk: Desk, **scope: Any) -> Any:
    return desk.client().get(PAGE, {name: str(value) for name, value in scope.items()})


def all_recalls(told: Poisoned) -> set[Any]:
    return set(Recall.objects.of(told.owner.id).values_list("id", flat=True))


@pytest.mark.parametrize("source", ["agent", "memory", "event", "session", "time", "owner", "text"])
def test_every_kind_of_source_is_traced_to_its_recalls(desk: Desk, source: str) -> None:
    told = poison(desk.workspace)
    event = Event.objects.of(told.owner.id).get()
    scopes: dict[str, tuple[dict[str, Any], int]] = {
        "agent": ({"agent": told.bad.agent_id}, 3),
        "memory": ({"memory": told.item_id}, 2),
        "event": ({"event": event.id, "owner": told.owner.ref}, 1),
        "session": ({"session": "sess-bad"}, 1),
        "time": ({"since": "2026-01-01T00:00", "until": "2099-01-01T00:00"}, 3),
        "owner": ({"owner": told.owner.ref}, 3),
        "text": ({"text": "半夜"}, 2),
    }
    scope, number = scopes[source]
    answer = traced(desk, **scope)
    assert len(answer.context["radius"].recall_ids) == number
    assert set(answer.context["radius"].recall_ids) <= all_recalls(told)
    if source == "memory":
        assert {value.via for value in answer.context["radius"].values} == {"value", "derived"}


def test_what_was_rolled_back_is_traced_all_the_same(desk: Desk) -> None:
    told = poison(desk.workspace)
    plan = plan_rollback(workspace_id=desk.workspace.id, scope=RollbackScope(agent_id=told.bad.agent_id))
    execute_rollback(workspace_id=desk.workspace.id, scope=plan.scope, digest=plan.digest, user_id=7)
    radius = traced(desk, agent=told.bad.agent_id).context["radius"]
    assert set(radius.recall_ids) == all_recalls(told)


def test_the_files_say_the_same_and_no_cell_is_run(desk: Desk) -> None:
    told = poison(desk.workspace, "=cmd|'/c calc'!A1")
    query = f"?agent={told.bad.agent_id}"
    client = desk.client()
    page = client.get(PAGE + query).content.decode()
    assert f"{PAGE}reached.csv{query}" in page and f"{PAGE}reached.chart{query}" in page
    told_lines = client.get(f"{PAGE}reached.json{query}").json()["lines"]
    table = list(csv.reader(io.StringIO(client.get(f"{PAGE}reached.csv{query}").content.decode()[1:])))
    assert len(table) - 1 == len(told_lines) == 4
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in table for cell in row)
    figure = client.get(f"{PAGE}reached.chart{query}").json()
    assert sum(figure["data"][0]["y"]) == 3


def test_a_scope_that_cannot_be_read_is_said_and_traces_nothing(desk: Desk) -> None:
    poison(desk.workspace)
    for scope in ({"owner": "nobody"}, {"agent": "x"}, {"since": "then"}, {"memory": "x"}):
        answer = traced(desk, **scope)
        assert "radius" not in answer.context
        assert 'role="alert"' in answer.content.decode()
        assert desk.client().get(f"{PAGE}reached.csv", scope).status_code == 400
    assert desk.client().get(f"{PAGE}reached.csv").status_code == 400
    assert desk.client().get(f"{PAGE}reached.xml?text=x").status_code == 404
    turned = traced(desk, since="2026-01-02T00:00", until="2026-01-01T00:00")
    assert "ends before it begins" in turned.content.decode()


def test_nothing_of_another_workspace_or_of_an_owner_being_erased_is_shown(desk: Desk) -> None:
    told = poison(desk.workspace)
    foreign = desk.client(desk.stranger).get(PAGE, {"memory": str(told.item_id)})
    assert not foreign.context["radius"].values and not foreign.context["radius"].lines
    assert desk.client(desk.stranger).get(PAGE, {"agent": str(told.bad.agent_id)}).context["form"].errors
    Owner.objects.filter(id=told.owner.id).update(state="erasing")
    gone = traced(desk, agent=told.bad.agent_id)
    assert not gone.context["radius"].values and not gone.context["radius"].lines
