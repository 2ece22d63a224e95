"""Derived memories go with their last source and stay while another holds them."""

from __future__ import annotations

from uuid import UUID

import pytest

from memoryhub.changes.derivations import derive_item
from memoryhub.exceptions import InvalidInput
from memoryhub.writing.editing import edit_memory
from tests.changes.world import World


def derive(world: World, content: str, *sources: UUID | None) -> UUID:
    verdict = derive_item(
        workspace_id=world.workspace.id,
        owner_id=world.owner,
        content=content,
        source_item_ids=[source for source in sources if source],
    )
    assert verdict.outcome == "stored", verdict
    assert verdict.target_id is not None
    return verdict.target_id


def test_a_derived_item_goes_with_its_sources_and_comes_back_with_them(world: World) -> None:
    bad = [world.say(f"Nonsense {n}", by=world.bad).target_id for n in "abc"]
    good = world.say("Sense", by=world.good).target_id
    first = derive(world, "All is nonsense", *bad)
    derive(world, "Therefore everything is", first)
    derive(world, "Some of it is sense", bad[0], good)
    plan = world.plan(agent_id=world.bad.agent_id)
    assert {item.now for item in plan.items if item.is_derived} == {
        "All is nonsense",
        "Therefore everything is",
    }
    assert [(item.now, item.support) for item in plan.kept_derived] == [("Some of it is sense", 1)]
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert world.sentences() == ["Sense", "Some of it is sense"]
    world.undo(result)
    assert len(world.sentences()) == 7
    again = world.roll_back(agent_id=world.bad.agent_id)
    assert world.sentences() == ["Sense", "Some of it is sense"]
    assert again.counts == result.counts


def test_nothing_is_derived_from_what_was_withdrawn(world: World) -> None:
    bad = world.say("Nonsense", by=world.bad).target_id
    assert bad is not None
    world.roll_back(agent_id=world.bad.agent_id)
    with pytest.raises(InvalidInput) as caught:
        derive(world, "All is nonsense", bad)
    assert caught.value.code == "source_withdrawn"


def test_what_rests_on_a_restored_value_stays(world: World) -> None:
    kept = world.say("The office is in Lisbon", by=world.good).target_id
    assert kept is not None
    derive(world, "They know Portugal", kept)
    edit_memory(
        owner_id=world.owner,
        item_id=kept,
        expected_seq=1,
        changes={"content": "The office is on the moon"},
        source=world.bad,
    )
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert result.counts == {"restore": 1}
    assert world.sentences() == ["The office is in Lisbon", "They know Portugal"]
