"""Write quotas: exact between any number of writers, and nothing that was accepted is lost."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryhub.exceptions import QuotaExceeded
from memoryhub.jobs.sweeping import sweep
from memoryhub.models import Event, Job, MemoryItem, QuotaBucket
from memoryhub.policies import Policy
from memoryhub.writing.pipeline import process_waiting_events
from memoryhub.writing.quotas import sweep_buckets
from memoryhub.writing.recording import NewEvent, RecordedBatch, record_event, record_events
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_memory
from tests.builders import make_owner, make_source, make_workspace, put_policy
from tests.threads import at_once

LIMITS = ("writes_per_hour_of_owner", "writes_per_hour_of_agent", "writes_per_hour_of_document")
DOCUMENT = {"document": "https://feed.example/1"}


def limited(**limits: int) -> Source:
    """A source in a workspace with these limits; those not named are off."""
    source = make_source(make_workspace())
    put_policy(workspace_id=source.workspace_id, **{**dict.fromkeys(LIMITS, 0), **limits})
    return source


def say(source: Source, owner: Any, content: str, **event: Any) -> RecordedBatch:
    return record_event(owner_id=owner.id, event=NewEvent(content=content, **event), source=source)


@pytest.mark.django_db
@pytest.mark.parametrize("limit", LIMITS)
def test_events_over_a_quota_are_kept_and_wait(limit: str) -> None:
    source = limited(**{limit: 2})
    owner, name = make_owner(source), limit.rpartition("_")[2]
    batches = [say(source, owner, f"I live in town {number}", metadata=DOCUMENT) for number in range(3)]
    assert [batch.overdraft and batch.overdraft.quota for batch in batches] == [None, None, name]
    process_waiting_events(
        workspace_id=source.workspace_id,
        owner_id=owner.id,
        until=[batch.results[0].event_id for batch in batches if batch.results[0].event_id],
    )
    held = Event.objects.of(owner.id).get(state="accepted")
    assert held.content == "I live in town 2"
    assert held.outcome[0]["outcome"] == "waiting"
    assert held.outcome[0]["code"] == f"quota_of_{name}"
    assert held.held_until is not None
    assert held.held_until > timezone.now()


@pytest.mark.django_db
def test_a_held_event_is_read_when_its_time_has_come() -> None:
    source = limited(writes_per_hour_of_owner=1)
    owner = make_owner(source)
    for number in range(2):
        say(source, owner, f"I live in town {number}")
    held = Event.objects.of(owner.id).get(held_until__isnull=False)
    Job.objects.all().update(state="done")
    Event.objects.of(owner.id).filter(held_until=None).update(state="processed")
    before = sweep()
    Event.objects.of(owner.id).filter(id=held.id).update(held_until=timezone.now() - timedelta(seconds=1))
    process_waiting_events(workspace_id=source.workspace_id, owner_id=owner.id, until=[held.id])
    held.refresh_from_db()
    assert (before, held.state) == (0, "processed")
    assert "waiting" not in [verdict["outcome"] for verdict in held.outcome]


@pytest.mark.django_db
def test_in_a_batch_only_what_is_too_much_waits() -> None:
    source = limited(writes_per_hour_of_document=2)
    owner = make_owner(source)
    events = [NewEvent(content=f"line {number}", metadata=DOCUMENT) for number in range(4)]
    events.append(NewEvent(content="no document"))
    batch = record_events(owner_id=owner.id, events=events, source=source)
    assert {result.status for result in batch.results} == {"recorded"}
    held = Event.objects.of(owner.id).filter(held_until__isnull=False).order_by("held_until")
    assert list(held.values_list("content", flat=True)) == ["line 2", "line 3"]


@pytest.mark.django_db
def test_a_structured_write_over_a_quota_is_refused_and_leaves_nothing() -> None:
    source = limited(writes_per_hour_of_owner=1)
    owner = make_owner(source)

    def write(number: int) -> Any:
        return write_memory(owner_id=owner.id, content=f"Fact {number}", item_kind="semantic", source=source)

    write(0)
    with pytest.raises(QuotaExceeded) as refused:
        write(1)
    assert refused.value.details["quota"] == "owner"
    assert 3_500 < refused.value.details["retry_after"] <= 3_600
    assert MemoryItem.objects.of(owner.id).count() == 1


@pytest.mark.django_db
def test_people_jobs_and_commands_are_not_limited() -> None:
    source = limited(writes_per_hour_of_owner=1)
    owner = make_owner(source)
    command = Source(
        workspace_id=source.workspace_id, trust_tier=3, agent_id=source.agent_id, transport="command"
    )
    assert [say(command, owner, f"line {number}").overdraft for number in range(3)] == [None] * 3
    assert QuotaBucket.objects.count() == 0


@pytest.mark.django_db
def test_the_bucket_says_nothing_and_goes_when_it_is_full_again() -> None:
    source = limited(writes_per_hour_of_owner=10)
    owner = make_owner(source)
    say(source, owner, "hello there")
    (bucket,) = QuotaBucket.objects.all()
    assert len(bytes(bucket.digest)) == 32
    assert sweep_buckets() == 0
    QuotaBucket.objects.update(full_until=timezone.now() - timedelta(minutes=2))
    assert sweep_buckets() == 1


def test_of_many_writers_at_one_moment_exactly_as_many_get_through(committing_db: str) -> None:
    source = limited(writes_per_hour_of_owner=7)
    owner = make_owner(source)
    batches = at_once(16, lambda number: say(source, owner, f"line {number}"))
    faults = [batch for batch in batches if isinstance(batch, Exception)]
    held = [batch for batch in batches if isinstance(batch, RecordedBatch) and batch.overdraft]
    assert (faults, len(held)) == ([], 9)
    assert Event.objects.of(owner.id).filter(held_until=None).count() == 7
    assert Event.objects.of(owner.id).count() == 16


def test_the_defaults_let_a_busy_agent_work() -> None:
    assert Policy().writes_per_hour_of_agent >= 20 * Policy().writes_per_hour_of_owner
