"""What falls under a rollback: each way to say it, alone and together, and what is left alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memoryhub.changes.reverting import one_click
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.exceptions import InvalidInput
from memoryhub.models import Change, Event, FieldVersion, Owner, Review, SearchEntry, new_id
from memoryhub.search_index import set_cleared
from memoryhub.writing.pipeline import process_waiting_events
from tests.builders import make_owner
from tests.changes.world import World


@pytest.mark.parametrize(
    "name", ["change", "change_set", "agent", "key", "session", "event", "time", "owner", "text", "target"]
)
def test_each_scope_finds_the_poison_and_nothing_else(world: World, name: str) -> None:
    other = make_owner(world.good).id
    world.say("The office is in Lisbon", by=world.good, owner=other)
    before = FieldVersion.objects.of(world.owner).count()
    event = world.event("moon", by=world.bad, role="tool", session_ref="night")
    verdict = world.say(
        "The office is on the moon", by=world.bad, evidence_event_id=event, session_ref="night"
    )
    assert verdict.change_id is not None
    change = Change.objects.of(world.owner).get(id=verdict.change_id)
    scopes: dict[str, dict[str, Any]] = {
        "change": {"change_ids": (change.id,)},
        "change_set": {"change_set_ids": (change.change_set_id,)},
        "agent": {"agent_id": world.bad.agent_id},
        "key": {"api_key_id": world.bad.api_key_id},
        "session": {"session_ref": "night"},
        "event": {"event_ids": (event,)},
        "time": {"since": change.created_at},
        "owner": {"owner_ids": (world.owner,)},
        "text": {"text": "THE MOON"},
        "target": {"target_ids": (verdict.target_id,)},
    }
    result = world.roll_back(**scopes[name])
    assert result.counts == {"retract": 1}
    assert world.sentences() == []
    assert world.sentences(other) == ["The office is in Lisbon"]
    assert FieldVersion.objects.of(world.owner).count() == before


def test_what_was_learned_from_events_falls_under_the_key_they_came_with(world: World) -> None:
    other_key = replace(world.bad, api_key_id=new_id())
    events = [
        world.event("我的预算是1万元", by=world.bad),
        world.event("我住在上海", by=other_key),
    ]
    process_waiting_events(workspace_id=world.workspace.id, owner_id=world.owner, until=events)
    assert len(world.values()) == 2
    plan = world.plan(api_key_id=world.bad.api_key_id)
    assert {item.field_name for item in plan.items} == {"budget"}
    assert Event.objects.of(world.owner).get(id=events[0]).api_key_id == world.bad.api_key_id


def test_what_is_said_must_hold_together(world: World) -> None:
    world.say("The office is on the moon", by=world.bad)
    world.say("The office is on mars", by=world.bad)
    world.roll_back(agent_id=world.bad.agent_id, text="mars")
    assert world.sentences() == ["The office is on the moon"]


def test_one_rollback_spans_the_owners_of_a_workspace(world: World) -> None:
    other, frozen = make_owner(world.good).id, make_owner(world.good).id
    for owner in (world.owner, other, frozen):
        world.field(1, by=world.good, owner=owner)
        world.field(666, by=world.bad, at=1, owner=owner)
    Owner.objects.filter(id=frozen).update(state="frozen")
    plan = world.plan(agent_id=world.bad.agent_id)
    assert [(entry.code, entry.owner_id) for entry in plan.skipped] == [("owner_frozen", frozen)]
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert set(result.change_set_ids) == {world.owner, other}
    assert [world.values(owner) for owner in (world.owner, other, frozen)] == [[1], [1], [666]]
    world.undo(result)
    assert [world.values(owner) for owner in (world.owner, other)] == [[666], [666]]


def test_a_version_is_restored_whatever_came_after_it(world: World) -> None:
    first = world.field(1, by=world.good)
    world.field(2, by=world.good, at=1)
    world.field(3, by=world.bad, at=2)
    plan = world.plan(restore_id=first.target_id)
    assert [(item.now, item.after, item.conflict) for item in plan.items] == [(3, 1, "")]
    result = world.roll_back(restore_id=first.target_id)
    assert world.values() == [1]
    poison = FieldVersion.objects.of(world.owner).get(version=3)
    world.roll_back(restore_id=poison.id)
    assert world.values() == [3]
    assert result.changes == 2


def test_a_version_that_was_rolled_back_can_be_restored_by_name(world: World) -> None:
    world.field(1, by=world.good)
    poison = world.field(2, by=world.bad, at=1)
    world.roll_back(agent_id=world.bad.agent_id)
    restored = world.plan(restore_id=poison.target_id)
    assert [(item.now, item.after, item.effect) for item in restored.items] == [(1, 2, "reapply")]
    world.roll_back(restore_id=poison.target_id)
    assert world.values() == [2]
    assert world.field(2, by=world.bad, at=2).outcome == "reinforced"


def test_proposals_under_the_scope_are_withdrawn_and_wait_again_when_it_is_undone(world: World) -> None:
    verdict = world.field(666, by=world.bad, importance=0.9)
    assert verdict.outcome == "in_review"
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert result.counts == {"withdraw": 1}
    assert verdict.change_id is not None
    change = Change.objects.of(world.owner).get(id=verdict.change_id)
    review = Review.objects.of(world.owner).get(change_id=change.id)
    assert (change.state, review.state, review.outcome) == ("withdrawn", "decided", "withdrawn")
    undone = world.undo(result)
    assert undone.counts == {"repropose": 1}
    change.refresh_from_db()
    review.refresh_from_db()
    assert (change.state, review.state, review.outcome) == ("proposed", "open", "")


def test_the_words_of_an_undone_event_are_kept_out_of_recall_until_it_is_redone(world: World) -> None:
    event = world.event("The office is on the moon", by=world.bad)
    set_cleared(owner_id=world.owner, event_ids=[event], cleared=True)
    world.say("The office is on the moon", by=world.bad, evidence_event_id=event)
    entry = SearchEntry.objects.of(world.owner).filter(target_id=event, kind="event")
    assert entry.get().cleared
    result = world.roll_back(agent_id=world.bad.agent_id)
    assert not entry.get().cleared
    world.undo(result)
    assert entry.get().cleared
    assert Event.objects.of(world.owner).count() == 1


def test_one_click_says_what_it_does(world: World) -> None:
    world.field("老师", by=world.good, field="occupation")
    verdict = world.field("月亮农夫", by=world.bad, field="occupation", at=1)
    click = one_click(workspace_id=world.workspace.id, scope=RollbackScope(target_ids=(verdict.target_id,)))  # type: ignore[arg-type]
    assert (click.effect, click.back_to, click.derived, click.served) == ("restore", "老师", 0, 0)
    assert not click.needs_preview
    world.field("医生", by=world.good, field="occupation", at=2)
    again = one_click(workspace_id=world.workspace.id, scope=RollbackScope(target_ids=(verdict.target_id,)))  # type: ignore[arg-type]
    assert again.needs_preview
    assert again.digest != click.digest


@pytest.mark.parametrize(
    "given",
    [
        {"agent_id": "x"},
        {"since": "yesterday"},
        {"since": "2026-01-01T00:00:00"},
        {"change_ids": "x"},
        {"who": "x"},
    ],
)
def test_a_scope_that_cannot_be_read_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        RollbackScope.from_json(given)


def test_a_scope_survives_its_json() -> None:
    scope = RollbackScope.from_json(
        {
            "agent_id": "018f0000-0000-7000-8000-000000000000",
            "since": "2026-01-01T00:00:00+00:00",
            "text": "月",
        }
    )
    assert RollbackScope.from_json(scope.as_json()) == scope
