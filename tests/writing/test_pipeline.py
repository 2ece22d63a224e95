"""The write path end to end: events in their order, each settled once, each with an outcome, a bad one alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memoryhub.exceptions import OwnerFrozen
from memoryhub.models import (
    Change,
    ChangeSet,
    Event,
    FieldVersion,
    Job,
    MemoryItem,
    Owner,
    SearchEntry,
    new_id,
)
from memoryhub.writing.pipeline import (
    CHUNK,
    MOST_TRIES,
    process_waiting_events,
    requeue_failed_event,
)
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def record(owner: Owner, source: Source, *events: NewEvent) -> list[UUID]:
    batch = record_events(owner_id=owner.id, events=events, source=source)
    return [result.event_id for result in batch.results if result.event_id]


def process(owner: Owner, until: list[UUID] | None = None, **given: Any) -> None:
    ids = until if until is not None else list(Event.objects.of(owner.id).values_list("id", flat=True))
    process_waiting_events(workspace_id=owner.workspace_id, owner_id=owner.id, until=ids, **given)


def told(owner: Owner, source: Source, *contents: str, **given: Any) -> list[Event]:
    ids = record(owner, source, *[NewEvent(content=text, **given) for text in contents])
    process(owner)
    by_id = {event.id: event for event in Event.objects.of(owner.id)}
    return [by_id[event_id] for event_id in ids]


def test_every_event_ends_with_an_outcome_that_names_what_was_made(owner: Owner, source: Source) -> None:
    (event,) = told(owner, source, "My budget is 5000 yuan")
    assert (event.state, event.attempts) == ("processed", 1)
    assert event.processed_at is not None
    (verdict,) = event.outcome
    assert verdict["outcome"] == "stored"
    version = FieldVersion.objects.of(owner.id).get()
    change = Change.objects.of(owner.id).get()
    assert (verdict["target_id"], verdict["change_id"]) == (str(version.id), str(change.id))
    assert (version.event_id, change.event_id, change.agent_id) == (event.id, event.id, source.agent_id)
    assert ChangeSet.objects.of(owner.id).get().event_id == event.id


def test_an_outcome_holds_ids_and_codes_and_no_content(owner: Owner, source: Source) -> None:
    (event,) = told(owner, source, "My favourite tea is gunpowder")
    assert event.outcome
    assert "gunpowder" not in str(event.outcome)


@pytest.mark.parametrize("text", ["Thanks!", "你好", "I am so happy today"])
def test_what_is_not_worth_reading_is_processed_with_a_reason(
    owner: Owner, source: Source, text: str
) -> None:
    (event,) = told(owner, source, text)
    assert event.state == "processed"
    assert [verdict["outcome"] for verdict in event.outcome] == ["refused"] * len(event.outcome)
    assert all(verdict["code"] for verdict in event.outcome)
    assert not MemoryItem.objects.of(owner.id).exists()


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_nothing_is_learned_about_the_owner_from_other_voices(
    owner: Owner, source: Source, role: str
) -> None:
    (event,) = told(owner, source, "My budget is 5000 yuan", role=role)
    assert event.state == "processed"
    assert not FieldVersion.objects.of(owner.id).exists()
    assert not MemoryItem.objects.of(owner.id).exists()


def test_moods_are_two_events_and_no_memory(owner: Owner, source: Source) -> None:
    told(owner, source, "昨天很生气", "今天其实也能理解")
    assert Event.objects.of(owner.id).filter(state="processed").count() == 2
    assert not MemoryItem.objects.of(owner.id).exists()


def test_a_promise_of_the_agent_can_be_found_and_is_no_fact(owner: Owner, source: Source) -> None:
    (event,) = told(owner, source, "已为您派单", role="assistant")
    assert event.learned["action"] == "commitment"
    assert SearchEntry.objects.of(owner.id).get(kind="event").cleared
    assert not FieldVersion.objects.of(owner.id).exists()


def test_a_correction_points_at_what_was_said_before_in_its_session(owner: Owner, source: Source) -> None:
    told(owner, source, "我的预算是5000元", session_ref="a", occurred_at=NOON)
    told(owner, source, *[f"note {number}" for number in range(12)], session_ref="b")
    later = NOON + timedelta(hours=1)
    record(owner, source, NewEvent(content="刚才说错了，是8000元", session_ref="a", occurred_at=later))
    record(owner, source, NewEvent(content="and one more thing", session_ref="b", occurred_at=later))
    process(owner)
    values = FieldVersion.objects.of(owner.id).filter(field__name="budget").order_by("version")
    assert [(row.value_norm[:4], row.status) for row in values] == [
        ("5000", "superseded"),
        ("8000", "active"),
    ]
    assert values[0].known_until is not None


def test_a_long_backlog_is_worked_off_in_chunks_and_the_lease_is_kept(owner: Owner, source: Source) -> None:
    record(owner, source, *[NewEvent(content=f"Thanks {number}") for number in range(2 * CHUNK + 5)])
    kept: list[int] = []
    process(
        owner, still_working=lambda: kept.append(Event.objects.of(owner.id).filter(state="processed").count())
    )
    assert kept == [CHUNK, 2 * CHUNK, 2 * CHUNK + 5]


def test_it_stops_when_the_events_it_was_asked_for_are_done(owner: Owner, source: Source) -> None:
    ids = record(owner, source, *[NewEvent(content="Thanks") for _ in range(2 * CHUNK)])
    process(owner, until=ids[:3])
    assert Event.objects.of(owner.id).filter(state="processed").count() == CHUNK


def test_processing_again_changes_nothing(owner: Owner, source: Source) -> None:
    (event,) = told(owner, source, "My budget is 5000 yuan")
    for _ in range(3):
        process(owner)
    process(owner, until=[new_id()])
    assert Event.objects.of(owner.id).get().processed_at == event.processed_at
    assert Change.objects.of(owner.id).count() == 1


def lost(owner: Owner, event_id: UUID, times: int) -> None:
    """As if so many workers had been lost with the event."""
    Event.objects.of(owner.id).filter(id=event_id).update(attempts=times)


def test_an_event_that_was_tried_before_goes_alone(owner: Owner, source: Source) -> None:
    ids = record(owner, source, *[NewEvent(content="Thanks") for _ in range(5)])
    lost(owner, ids[2], 1)
    sizes: list[int] = []
    process(
        owner,
        still_working=lambda: sizes.append(Event.objects.of(owner.id).filter(state="processed").count()),
    )
    assert sizes == [2, 3, 5]


def test_an_event_lost_with_three_workers_is_given_up_on_and_the_others_go_on(
    owner: Owner, source: Source
) -> None:
    ids = record(owner, source, *[NewEvent(content="Thanks") for _ in range(4)])
    lost(owner, ids[0], MOST_TRIES)
    process(owner)
    failed = Event.objects.of(owner.id).get(id=ids[0])
    assert (failed.state, [verdict["code"] for verdict in failed.outcome]) == ("failed", ["worker_lost"])
    assert Event.objects.of(owner.id).filter(state="processed").count() == 3


def test_a_failed_event_is_sent_round_again_by_a_person(owner: Owner, source: Source) -> None:
    (event_id,) = record(owner, source, NewEvent(content="My budget is 5000 yuan"))
    lost(owner, event_id, MOST_TRIES)
    process(owner)
    Job.objects.all().update(state="done")
    given = {"workspace_id": owner.workspace_id, "owner_id": owner.id, "event_id": event_id}
    assert requeue_failed_event(**given)
    assert not requeue_failed_event(**given)
    assert Job.objects.get(state="queued").payload == {"event_ids": [str(event_id)]}
    process(owner)
    assert Event.objects.of(owner.id).get().state == "processed"
    assert FieldVersion.objects.of(owner.id).count() == 1


def test_a_frozen_owners_events_are_not_touched(owner: Owner, source: Source) -> None:
    ids = record(owner, source, NewEvent(content="My budget is 5000 yuan"))
    Owner.objects.filter(id=owner.id).update(state="frozen")
    with pytest.raises(OwnerFrozen):
        process(owner, until=ids)
    assert Event.objects.of(owner.id).get().attempts == 0


def test_an_events_trust_is_the_one_it_was_recorded_with(owner: Owner) -> None:
    low = make_source(workspace_id=owner.workspace_id, trust_tier=2)
    (event,) = told(owner, low, "I am allergic to peanuts")
    assert event.outcome[0]["outcome"] == "in_review"
    assert Change.objects.of(owner.id).get().trust_tier == 2


def test_test_events_and_events_without_an_agent_walk_the_same_path(owner: Owner) -> None:
    nobody = Source(workspace_id=owner.workspace_id, trust_tier=3)
    (event,) = told(owner, nobody, "My budget is 5000 yuan", is_test=True)
    assert event.outcome[0]["outcome"] == "stored"


def test_searchable_rows_ask_for_their_vectors_once(owner: Owner, source: Source) -> None:
    told(owner, source, "My budget is 5000 yuan", "Thanks", "My budget is 6000 yuan")
    assert Job.objects.filter(kind="embed", owner_id=owner.id, state="queued").count() == 1
