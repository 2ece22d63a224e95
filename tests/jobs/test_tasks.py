"""Running a job: one effect however often it is delivered, a code instead of an error's text, and nobody's work lost."""

from __future__ import annotations

from uuid import UUID

import pytest
from django_q.models import OrmQ

from memoryhub.jobs import ledger
from memoryhub.jobs.sweeping import sweep
from memoryhub.jobs.tasks import HANDLERS, run_job
from memoryhub.models import AuditEntry, Change, Event, FieldVersion, Job, Owner
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import work_off_the_queue
from tests.threads import at_once


@pytest.fixture
def source(db: None) -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def told(owner: Owner, source: Source, *contents: str) -> UUID:
    """Record turns of the owner; answers the job that will process them."""
    batch = record_events(
        owner_id=owner.id, events=[NewEvent(content=text) for text in contents], source=source
    )
    assert batch.job_id is not None
    return batch.job_id


def state(job_id: UUID) -> tuple[str, int, str]:
    job = Job.objects.get(id=job_id)
    return job.state, job.attempts, job.error_code


def values(owner: Owner) -> list[object]:
    return list(FieldVersion.objects.of(owner.id).order_by("version").values_list("value", flat=True))


def test_a_job_is_done_once_and_delivered_again_does_nothing(owner: Owner, source: Source) -> None:
    job_id = told(owner, source, "My budget is 5000 yuan")
    for _ in range(5):
        run_job(str(job_id))
    assert state(job_id) == ("done", 1, "")
    assert Event.objects.of(owner.id).get().state == "processed"
    assert Change.objects.of(owner.id).count() == len(values(owner)) == 1


def test_a_job_handed_out_twice_at_one_moment_takes_effect_once(committing_db: str) -> None:
    source = make_source(make_workspace())
    owner = make_owner(source)
    jobs = [told(owner, source, f"My budget is {number}000 yuan") for number in range(1, 6)]
    answers = at_once(20, lambda number: run_job(str(jobs[number % 5])))
    assert answers == [None] * 20
    work_off_the_queue()
    assert {state(job_id) for job_id in jobs} == {("done", 1, "")}
    events = Event.objects.of(owner.id)
    assert {(event.state, event.attempts) for event in events} == {("processed", 1)}
    assert Change.objects.of(owner.id).count() == len(values(owner)) == 5
    assert FieldVersion.objects.of(owner.id).filter(status="active").get().value == values(owner)[-1]


def test_while_one_job_of_an_owner_runs_his_next_one_waits_and_is_woken(owner: Owner, source: Source) -> None:
    first, second = (
        told(owner, source, "My budget is 1000 yuan"),
        told(owner, source, "My budget is 2000 yuan"),
    )
    running = ledger.claim(first)
    assert running is not None
    run_job(str(second))
    assert state(second) == ("queued", 0, "")
    OrmQ.objects.all().delete()
    ledger.finish(running)
    (message,) = OrmQ.objects.all()
    assert message.task["args"] == (str(second),)
    run_job(str(second))
    assert state(second) == ("done", 1, "")


def test_jobs_of_other_owners_and_kinds_do_not_wait(owner: Owner, source: Source) -> None:
    first = told(owner, source, "My budget is 1000 yuan")
    other = told(make_owner(source), source, "My budget is 2000 yuan")
    vectors = ledger.enqueue(kind="embed", workspace_id=source.workspace_id, owner_id=owner.id)
    assert all(ledger.claim(job_id) is not None for job_id in (first, other, vectors))


def test_an_owners_events_are_taken_in_the_order_they_were_recorded(owner: Owner, source: Source) -> None:
    told(owner, source, "My budget is 1000 yuan")
    told(owner, source, "My budget is 2000 yuan")
    last = told(owner, source, "My budget is 3000 yuan")
    run_job(str(last))
    assert Event.objects.of(owner.id).filter(state="processed").count() == 3
    assert [str(value)[0] for value in values(owner)] == ["1", "2", "3"]


def test_what_a_job_does_is_audited_as_the_jobs(owner: Owner, source: Source) -> None:
    job_id = told(owner, source, "My budget is 5000 yuan")
    run_job(str(job_id))
    entry = AuditEntry.objects.get(owner_id=owner.id, action="change.applied")
    assert (entry.actor_kind, entry.actor_id, entry.transport) == ("job", str(job_id), "job")


def test_a_poisonous_job_is_parked_after_three_tries_with_a_code(source: Source) -> None:
    job_id = ledger.enqueue(kind="nonsense", workspace_id=source.workspace_id)
    for _ in range(5):
        run_job(str(job_id))
    assert state(job_id) == ("parked", 3, "KeyError")
    assert OrmQ.objects.count() == 3


@pytest.mark.parametrize(("owner_state", "code"), [("frozen", "owner_frozen"), ("erasing", "owner_erased")])
def test_the_work_of_an_inactive_owner_waits_for_him(
    owner: Owner, source: Source, owner_state: str, code: str
) -> None:
    job_id = told(owner, source, "My budget is 5000 yuan")
    Owner.objects.filter(id=owner.id).update(state=owner_state)
    run_job(str(job_id))
    assert state(job_id) == ("parked", 1, code)
    event = Event.objects.of(owner.id).get()
    assert (event.state, event.attempts) == ("accepted", 0)


def test_every_kind_of_job_that_is_queued_is_handled(owner: Owner, source: Source) -> None:
    run_job(str(told(owner, source, "My budget is 5000 yuan")))
    assert set(Job.objects.values_list("kind", flat=True)) <= set(HANDLERS)


def test_running_the_vectors_job_fills_them(owner: Owner, source: Source) -> None:
    run_job(str(told(owner, source, "My budget is 5000 yuan")))
    embed = Job.objects.get(kind="embed")
    run_job(str(embed.id))
    assert state(embed.id) == ("done", 1, "")
    assert sweep() == 0
