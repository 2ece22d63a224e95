"""What a rollback left alone can be read later, with its reason."""

from __future__ import annotations

from uuid import UUID

import pytest

from memoryhub.changes import reverting
from memoryhub.changes.reverting_plan import Skipped
from memoryhub.changes.rollback_job import run_rollback
from memoryhub.changes.rollback_skipped import MOST_IDS, kept_for, kept_for_others, merged
from memoryhub.models import ChangeSet, Job, MemoryItem, Owner, new_id
from memoryhub.writing.candidates import Verdict
from tests.builders import make_owner
from tests.changes.world import World


def set_of(owner: UUID) -> ChangeSet:
    return ChangeSet.objects.of(owner).get(act="rollback")


def forget(world: World, told: Verdict) -> None:
    """Close it by other means than a change: a rollback does not second-guess that."""
    assert told.target_id
    MemoryItem.objects.of(world.owner).filter(id=told.target_id).update(status="forgotten")


def test_a_frozen_owner_stands_as_a_number_with_the_first_owner_who_is_written(world: World) -> None:
    frozen = make_owner(world.good).id
    for owner in (world.owner, frozen):
        world.say("The office is on the moon", by=world.bad, owner=owner)
    Owner.objects.filter(id=frozen).update(state="frozen")
    world.roll_back(agent_id=world.bad.agent_id)
    assert set_of(world.owner).skipped == [{"code": "owner_frozen", "number": 1, "changes": []}]


def test_changes_of_the_owner_himself_are_named(world: World) -> None:
    forgotten = world.say("The office is on the moon", by=world.bad)
    world.say("The office is on mars", by=world.bad)
    forget(world, forgotten)
    world.roll_back(agent_id=world.bad.agent_id)
    kept = {"code": "history_incomplete", "number": 1, "changes": [str(forgotten.change_id)]}
    assert set_of(world.owner).skipped == [kept]


def test_what_a_piece_of_a_job_leaves_alone_is_counted_with_the_job(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reverting, "MOST_AT_ONCE", 1)
    told = [world.say(f"The office is on moon {number}", by=world.bad) for number in range(2)]
    result = world.roll_back(agent_id=world.bad.agent_id)
    forget(world, told[0])
    assert result.job_id
    run_rollback(Job.objects.get(id=result.job_id))
    payload = Job.objects.get(id=result.job_id).payload
    assert (payload["done"], payload["skipped"]) == (
        1,
        [{"code": "history_incomplete", "number": 1, "changes": []}],
    )


def test_when_nobody_may_be_written_the_reason_is_told_at_once(world: World) -> None:
    world.say("The office is on the moon", by=world.bad)
    plan = world.plan(agent_id=world.bad.agent_id)
    assert plan.items
    Owner.objects.filter(id=world.owner).update(state="frozen")
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert result.change_set_ids == {}
    assert [(skip.code, len(skip.change_ids)) for skip in result.skipped] == [("owner_frozen", 1)]


def test_no_id_of_one_owner_is_kept_with_another() -> None:
    mine, other = new_id(), new_id()
    skipped = [
        Skipped(code="nothing_to_undo", owner_id=mine, change_ids=(new_id(), new_id())),
        Skipped(code="nothing_to_undo", owner_id=other, change_ids=(new_id(),)),
        Skipped(code="owner_frozen", owner_id=other, change_ids=(new_id(),)),
    ]
    own, others = kept_for(mine, skipped), kept_for_others([mine], skipped)
    assert [(entry["code"], entry["number"], len(entry["changes"])) for entry in own] == [
        ("nothing_to_undo", 2, 2)
    ]
    assert all(entry["changes"] == [] for entry in others)
    assert merged(own, others) == {"nothing_to_undo": 3, "owner_frozen": 1}


def test_all_are_counted_and_so_many_are_named() -> None:
    owner = new_id()
    ids = tuple(new_id() for _ in range(MOST_IDS + 1))
    (entry,) = kept_for(owner, [Skipped(code="nothing_to_undo", owner_id=owner, change_ids=ids)])
    assert (entry["number"], len(entry["changes"])) == (MOST_IDS + 1, MOST_IDS)
