"""From a source to exactly the recalls that served what it wrote."""

from __future__ import annotations

import csv
import io

import pytest

from memoryhub.changes.blast_export import as_json, csv_rows, safe_cell
from memoryhub.changes.blast_radius import BlastRadius, blast_radius
from memoryhub.changes.derivations import derive_item
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.pipeline import recall
from tests.changes.world import World


def ask(world: World, query: str, session: str = "s1") -> object:
    return recall(
        workspace_id=world.workspace.id,
        owner_id=world.owner,
        request=RecallRequest(query=query, session_ref=session),
        caller=Caller(agent_id=world.good.agent_id),
    ).recall_id


def trace(world: World, **scope: object) -> BlastRadius:
    return blast_radius(workspace_id=world.workspace.id, scope=RollbackScope(**scope))  # type: ignore[arg-type]


@pytest.fixture
def polluted(world: World) -> World:
    world.say("The parking garage closes at seven", by=world.good)
    bad = world.say("The office is on the moon", by=world.bad).target_id
    assert bad is not None
    derive_item(
        workspace_id=world.workspace.id,
        owner_id=world.owner,
        content="Commuting takes three days",
        source_item_ids=[bad],
    )
    return world


def test_the_recalls_that_served_it_are_named_and_no_others(polluted: World) -> None:
    hit = ask(polluted, "where is the office? moon")
    derived = ask(polluted, "how long does commuting take", session="s2")
    radius = trace(polluted, agent_id=polluted.bad.agent_id)
    by_value = {line.recall_id for line in radius.lines}
    assert {hit, derived} <= by_value
    served = {line.target_id for line in radius.lines}
    assert served <= {value.id for value in radius.values}
    assert {value.via for value in radius.values} == {"value", "derived"}
    assert dict(radius.sessions) == {"s1": 1, "s2": 1}
    assert radius.lines[0].rank >= 1
    assert radius.lines[0].tokens > 0
    assert sum(n for _, n in radius.per_hour) == 2
    clean = trace(polluted, agent_id=polluted.good.agent_id, text="garage")
    assert {line.target_id for line in clean.lines}.isdisjoint(served)


def test_what_was_rolled_back_is_traced_all_the_same_and_never_served_again(polluted: World) -> None:
    hit = ask(polluted, "where is the office? moon")
    polluted.roll_back(agent_id=polluted.bad.agent_id)
    after = ask(polluted, "where is the office? moon")
    radius = trace(polluted, agent_id=polluted.bad.agent_id)
    assert hit in radius.recall_ids
    assert after not in radius.recall_ids
    assert {value.status for value in radius.values} == {"retracted"}


def test_a_value_an_event_and_a_time_range_can_be_traced(polluted: World) -> None:
    event = polluted.event("my budget is 900", by=polluted.bad)
    value = polluted.field(900, by=polluted.bad, evidence_event_id=event, quote="my budget is 900")
    hit = ask(polluted, "budget")
    for scope in (
        {"event_ids": (event,)},
        {"target_ids": (value.target_id,)},
        {"owner_ids": (polluted.owner,)},
    ):
        assert hit in trace(polluted, **scope).recall_ids, scope


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_cell_is_a_formula(start: str) -> None:
    assert safe_cell(f"{start}1+1") == f"'{start}1+1"


def test_the_export_tells_every_line(polluted: World) -> None:
    polluted.say("=SUM(moon)", by=polluted.bad)
    ask(polluted, "SUM moon office")
    radius = trace(polluted, agent_id=polluted.bad.agent_id)
    written = io.StringIO()
    csv.writer(written).writerows(csv_rows(radius))
    rows = list(csv.DictReader(io.StringIO(written.getvalue())))
    assert len(rows) == len(radius.lines) > 0
    assert {row["value"] for row in rows} >= {"'=SUM(moon)"}
    told = as_json(radius)
    assert told["recalls"] == len(radius.recall_ids)
    assert len(told["lines"]) == len(rows)
