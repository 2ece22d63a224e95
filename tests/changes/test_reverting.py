"""Rollback: what stands afterwards, what is kept of others, and that it can be undone."""

from __future__ import annotations

import pytest

from memoryhub.changes.rebuilding import state_hash
from memoryhub.changes.reverting import execute_rollback
from memoryhub.exceptions import InvalidInput, RollbackMoved
from memoryhub.models import Change, ChangeTransition, FieldVersion, SearchEntry, as_of
from memoryhub.writing.editing import edit_memory
from tests.changes.world import PERSON, World, day


def test_a_poisoned_value_goes_and_the_earlier_one_stands_again(world: World) -> None:
    world.field(1, by=world.good)
    world.field(666, by=world.bad, at=1)
    plan = world.plan(agent_id=world.bad.agent_id)
    [item] = plan.items
    assert (item.before, item.now, item.after, item.effect, item.conflict) == (1, 666, 1, "restore", "")
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert result.counts == plan.counts == {"restore": 1}
    assert world.versions() == [(1, "superseded", 3), (666, "retracted", None), (1, "active", None)]
    restored = FieldVersion.objects.of(world.owner).get(version=3)
    assert (restored.valid_from, restored.valid_until, restored.agent_id) == (
        day(0),
        None,
        world.good.agent_id,
    )
    live = SearchEntry.objects.of(world.owner).filter(kind="field_version", known_until=None)
    assert [entry.target_id for entry in live] == [restored.id]
    assert live.get().text.endswith(": 1")


def test_what_was_believed_in_between_can_still_be_asked_for(world: World) -> None:
    world.field(1, by=world.good)
    world.field(666, by=world.bad, at=1)
    between = FieldVersion.objects.of(world.owner).get(version=2).known_from
    world.roll_back(agent_id=world.bad.agent_id)
    rows = FieldVersion.objects.of(world.owner)
    believed = rows.filter(as_of(valid_at=day(2), known_at=between))
    assert [row.value for row in believed] == [666]
    now = rows.order_by("-known_from")[0].known_from
    assert [row.value for row in rows.filter(as_of(valid_at=day(2), known_at=now))] == [1]


def test_a_first_value_is_gone(world: World) -> None:
    world.field(666, by=world.bad)
    world.say("The office is on the moon", by=world.bad)
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert result.counts == {"retract": 2}
    assert world.values() == [] == world.sentences()
    assert not SearchEntry.objects.of(world.owner).filter(known_until=None).exists()


def test_a_chain_of_poison_collapses_to_the_state_before_its_first(world: World) -> None:
    world.field(1, by=world.good)
    for number in (2, 3, 4):
        world.field(number * 111, by=world.bad, at=number)
    world.roll_back(agent_id=world.bad.agent_id)
    assert world.values() == [1]
    inverses = Change.objects.of(world.owner).filter(candidate__kind="inverse").order_by("id")
    assert [(i.action, (i.before or {})["value"]) for i in inverses] == [
        ("retract", 444),
        ("retract", 333),
        ("restore", 444),
    ]


def test_a_later_edit_of_another_is_kept_and_the_poison_behind_it_goes(world: World) -> None:
    world.field(1, by=world.good)
    world.field(666, by=world.bad, at=1)
    world.field(2, by=world.good, at=2)
    [item] = world.plan(agent_id=world.bad.agent_id).items
    assert (item.conflict, item.effect, item.before, item.now, item.after) == ("later_edit", "keep", 1, 2, 2)
    assert item.conflict_agent_id == world.good.agent_id
    world.roll_back(agent_id=world.bad.agent_id)
    assert world.versions() == [
        (1, "superseded", 4),
        (666, "retracted", None),
        (2, "active", None),
        (1, "historical", None),
    ]
    rows = FieldVersion.objects.of(world.owner)
    now = rows.get(version=4).known_from
    assert [row.value for row in rows.filter(as_of(valid_at=day(1.5), known_at=now))] == [1]


def test_a_ticked_conflict_goes_back_over_the_later_edit(world: World) -> None:
    world.field(1, by=world.good)
    world.field(666, by=world.bad, at=1)
    world.field(2, by=world.good, at=2)
    [item] = world.plan(agent_id=world.bad.agent_id).items
    world.roll_back(ticked=(item.key,), agent_id=world.bad.agent_id)
    assert world.values() == [1]


def test_a_value_another_source_confirmed_stays_unless_ticked(world: World) -> None:
    world.field(5, by=world.bad)
    world.field(5, by=world.good, at=1)
    [item] = world.plan(agent_id=world.bad.agent_id).items
    assert (item.conflict, item.effect, item.after) == ("confirmed_elsewhere", "unchanged", 5)
    world.roll_back(ticked=(item.key,), agent_id=world.bad.agent_id)
    assert world.values() == []


def test_the_rollback_can_itself_be_rolled_back(world: World) -> None:
    world.field(1, by=world.good)
    world.field(666, by=world.bad, at=1)
    world.say("The office is on the moon", by=world.bad)
    first = world.roll_back(agent_id=world.bad.agent_id)
    second = world.undo(first)
    assert world.values() == [666]
    assert world.sentences() == ["The office is on the moon"]
    assert {c.state for c in Change.objects.of(world.owner).filter(agent_id=world.bad.agent_id)} == {
        "applied"
    }
    world.undo(second)
    assert world.values() == [1]
    assert world.sentences() == []
    again = world.roll_back(change_set_ids=first.undo_scope.change_set_ids)
    assert (again.changes, again.change_set_ids) == (0, {})


def test_an_edit_of_a_sentence_goes_back_to_its_exact_earlier_text(world: World) -> None:
    first = world.say("The office is in Lisbon", by=world.good, entities=("Lisbon",), metadata={"a": 1})
    assert first.target_id is not None
    edit_memory(
        owner_id=world.owner,
        item_id=first.target_id,
        expected_seq=1,
        changes={"content": "The office is on the moon"},
        source=world.bad,
    )
    world.roll_back(agent_id=world.bad.agent_id)
    assert world.sentences() == ["The office is in Lisbon"]


def test_a_scope_must_name_something(world: World) -> None:
    with pytest.raises(InvalidInput):
        world.plan()


def test_nothing_happens_when_the_memory_moved_since_the_preview(world: World) -> None:
    world.field(666, by=world.bad)
    plan = world.plan(agent_id=world.bad.agent_id)
    world.field(1, by=world.good, at=1)
    with pytest.raises(RollbackMoved):
        execute_rollback(
            workspace_id=world.workspace.id, scope=plan.scope, digest=plan.digest, user_id=PERSON
        )
    assert world.values() == [1]
    assert not ChangeTransition.objects.of(world.owner).filter(to_state="reverted").exists()


def test_a_sentence_that_another_says_by_now_is_not_said_twice_and_can_be_undone(world: World) -> None:
    kept = world.say("The office is in Braga", by=world.good).target_id
    assert kept is not None
    edit = edit_memory(
        owner_id=world.owner,
        item_id=kept,
        expected_seq=1,
        changes={"content": "We meet in Braga"},
        source=world.bad,
    )
    world.say("The office is in Braga", by=world.good)
    before = state_hash(owner_id=world.owner)
    assert edit.change_id is not None
    result = world.roll_back(change_ids=(edit.change_id,))
    assert world.sentences() == ["The office is in Braga"]
    again = world.undo(result)
    assert state_hash(owner_id=world.owner) == before
    world.undo(again)
    assert world.sentences() == ["The office is in Braga"]


def test_two_sentences_that_come_back_with_the_same_words_are_one(world: World) -> None:
    for number, kept in enumerate([world.say("The office is in Braga", by=world.good), None], start=0):
        made = kept or world.say("The office is in Braga", by=world.good)
        assert made.target_id is not None
        edit_memory(
            owner_id=world.owner,
            item_id=made.target_id,
            expected_seq=made.details["seq"],
            changes={"content": f"Nonsense {number}"},
            source=world.bad,
        )
    assert world.sentences() == ["Nonsense 0", "Nonsense 1"]
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert world.sentences() == ["The office is in Braga"]
    world.undo(result)
    assert world.sentences() == ["Nonsense 0", "Nonsense 1"]
