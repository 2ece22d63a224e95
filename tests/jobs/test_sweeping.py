"""Nothing accepted is left lying: the sweep finds events without a job, and jobs without a worker."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from memoryhub.jobs.sweeping import sweep
from memoryhub.jobs.tasks import run_job
from memoryhub.models import Event, Job, Owner
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.models.sound_rows import make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


def accepted_long_ago(source: Source, *, minutes: float = 1) -> Owner:
    """An owner with one event whose job was lost, a while after it was recorded."""
    world = make_world(source)
    Event.objects.of(world.owner_id).update(state="processed")
    then = timezone.now() - timedelta(minutes=minutes)
    Event(
        owner_id=world.owner_id, workspace_id=source.workspace_id, occurred_at=then, recorded_at=then,
        content="My budget is 5000 yuan", trust_tier=3, agent_id=source.agent_id,
    ).save(force_insert=True)  # fmt: skip
    return Owner.objects.get(id=world.owner_id)


def jobs_of(owner: Owner) -> list[Job]:
    return list(Job.objects.filter(owner_id=owner.id, kind="process_events"))


def test_an_event_without_a_job_gets_one_and_is_processed(source: Source) -> None:
    owner = accepted_long_ago(source)
    assert sweep() == 1
    (job,) = jobs_of(owner)
    run_job(str(job.id))
    assert not Event.objects.of(owner.id).filter(state="accepted").exists()


def test_a_second_sweep_queues_nothing_more(source: Source) -> None:
    owner = accepted_long_ago(source)
    assert (sweep(), sweep()) == (1, 0)
    assert len(jobs_of(owner)) == 1


def test_an_event_just_recorded_is_left_to_its_own_job(source: Source) -> None:
    owner = accepted_long_ago(source, minutes=0)
    assert sweep() == 0
    assert jobs_of(owner) == []


@pytest.mark.parametrize("state", ["parked", "done"])
def test_a_job_that_ended_without_its_events_does_not_hold_them_back(source: Source, state: str) -> None:
    owner = accepted_long_ago(source)
    Job.objects.create(
        kind="process_events",
        workspace_id=source.workspace_id,
        owner=owner,
        state=state,
        payload={"event_ids": []},
    )
    assert sweep() == 1


@pytest.mark.parametrize("state", ["frozen", "erasing"])
def test_events_of_an_inactive_owner_are_taken_up_when_he_is_active_again(source: Source, state: str) -> None:
    owner = accepted_long_ago(source)
    Owner.objects.filter(id=owner.id).update(state=state)
    assert sweep() == 0
    Owner.objects.filter(id=owner.id).update(state="active")
    assert sweep() == 1


def test_a_worker_lost_with_a_job_is_noticed_when_its_lease_runs_out(source: Source) -> None:
    owner = make_owner(source)
    batch = record_events(owner_id=owner.id, events=[NewEvent(content="Hello")], source=source)
    assert batch.job_id is not None
    Job.objects.filter(id=batch.job_id).update(
        state="running", attempts=1, lease_until=timezone.now() - timedelta(seconds=1)
    )
    OrmQ.objects.all().delete()
    assert sweep() == 1
    (message,) = OrmQ.objects.all()
    assert message.task["args"] == (str(batch.job_id),)
