"""What was rejected or rolled back does not come back by another path; a person, or undoing it, lets it back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memoryhub.changes.tombstones import fold, is_buried, item_names
from memoryhub.models import Change, Event, MemoryItem, Review, Tombstone
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.pipeline import process_waiting_events
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field
from tests.changes.world import World


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("我喜欢喝咖啡", "我喜歡喝咖啡！"),
        ("预算是１２，０００元", "预算是1.2万元。"),
        ("Budget: five thousand", "BUDGET 5,000"),
        ("KX-117 arrived", "kx 117, arrived"),
        ("٤٢", "42"),
    ],
)
def test_values_that_differ_only_in_writing_fold_to_one(first: str, second: str) -> None:
    assert fold(first) == fold(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [("1.5", "15"), ("-5", "5"), ("C++", "C"), ("不吃坚果", "吃坚果"), ("!!", "??"), ("KX-117", "KX-118")],
)
def test_values_that_say_something_else_stay_apart(first: str, second: str) -> None:
    assert fold(first) != fold(second)


def test_the_tombstone_holds_no_value(world: World) -> None:
    world.say("The office is on the moon", by=world.bad)
    world.roll_back(agent_id=world.bad.agent_id)
    [stone] = Tombstone.objects.of(world.owner)
    assert (stone.scope, len(bytes(stone.digest))) == ("item", 32)
    assert "moon" not in repr(stone.__dict__)


@pytest.fixture
def buried(world: World) -> World:
    world.field(666, by=world.bad)
    world.say("The office is on the moon", by=world.bad)
    world.roll_back(agent_id=world.bad.agent_id)
    return world


def test_the_same_agent_is_refused_on_the_structured_path(buried: World) -> None:
    for verdict in (
        buried.field("６６６", by=buried.bad, at=1),
        buried.say("the OFFICE is on the moon!!", by=buried.bad),
    ):
        assert (verdict.outcome, verdict.code) == ("refused", "rejected_before")
    assert buried.values() == [] == buried.sentences()


def test_another_agent_is_put_before_a_person_and_not_served(buried: World) -> None:
    verdict = buried.say("The office is on the moon.", by=buried.good)
    assert (verdict.outcome, verdict.code) == ("in_review", "regressed")
    assert verdict.change_id is not None
    change = Change.objects.of(buried.owner).get(id=verdict.change_id)
    assert "regressed" in change.gates
    assert Review.objects.of(buried.owner).get(change_id=change.id).is_regressed
    assert buried.sentences() == []


def test_an_edit_does_not_bring_it_back(buried: World) -> None:
    for source, outcome in ((buried.bad, "refused"), (buried.good, "in_review")):
        item = buried.say(f"The office is in Lisbon, {outcome}", by=buried.good)
        assert item.target_id is not None
        seq = MemoryItem.objects.of(buried.owner).get(id=item.target_id).seq
        verdict = edit_memory(
            owner_id=buried.owner,
            item_id=item.target_id,
            expected_seq=seq,
            changes={"content": "The office is on the moon"},
            source=source,
        )
        assert verdict.outcome == outcome
    assert "The office is on the moon" not in buried.sentences()


def test_the_owner_saying_it_in_a_new_event_is_fresh_evidence(world: World) -> None:
    def say(content: str) -> Event:
        result = record_event(
            owner_id=world.owner,
            event=NewEvent(content=content, occurred_at=datetime(2026, 3, 1, tzinfo=UTC)),
            source=world.good,
        ).results[0]
        assert result.event_id is not None
        process_waiting_events(workspace_id=world.workspace.id, owner_id=world.owner, until=[result.event_id])
        return Event.objects.of(world.owner).get(id=result.event_id)

    first = say("我的预算是5000元")
    assert [entry["outcome"] for entry in first.outcome] == ["stored"]
    world.roll_back(event_ids=(first.id,))
    again = say("我的预算是五千元")
    assert [(entry["outcome"], entry["code"]) for entry in again.outcome] == [("in_review", "regressed")]
    assert world.values() == []


def test_what_staff_writes_lifts_the_tombstone(buried: World) -> None:
    staff = Source(workspace_id=buried.workspace.id, trust_tier=4, user_id=7, transport="desk")
    verdict = write_field(
        owner_id=buried.owner,
        form_type="user_profile",
        field="budget",
        value=666,
        source=staff,
        basis="staff",
    )
    assert verdict.outcome == "stored"
    assert not Tombstone.objects.of(buried.owner).filter(scope__contains="budget", lifted_at=None).exists()


def test_undoing_the_rollback_lifts_its_tombstones(world: World) -> None:
    world.say("The office is on the moon", by=world.bad)
    result = world.roll_back(agent_id=world.bad.agent_id)
    names = item_names("the office is on the moon")
    assert is_buried(owner_id=world.owner, names=names)
    world.undo(result)
    assert not is_buried(owner_id=world.owner, names=names)
    stone = Tombstone.objects.of(world.owner).get()
    assert stone.lifted_by_id == 7


def test_a_value_that_stands_again_is_not_buried(world: World) -> None:
    world.field(1, by=world.bad)
    world.field(2, by=world.bad, at=1)
    world.field(1, by=world.bad, at=2)
    world.roll_back(
        change_ids=tuple(Change.objects.of(world.owner).order_by("id").values_list("id", flat=True)[1:])
    )
    assert world.values() == [1]
    assert Tombstone.objects.of(world.owner).count() == 1
    assert world.field(1, by=world.bad, at=3).outcome == "reinforced"
