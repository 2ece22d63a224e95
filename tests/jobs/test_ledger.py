"""The account of background work: counted before the effect, leased, deduplicated, parked, and never trusted twice."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.utils import timezone
from django_q.models import OrmQ

from memoryhub.jobs import ledger
from memoryhub.models import Job, Owner, Workspace, new_id
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db


@pytest.fixture
def workspace() -> Workspace:
    return make_workspace()


@pytest.fixture
def owner(workspace: Workspace) -> Owner:
    return make_owner(make_source(workspace))


def queue(workspace: Workspace, **values: object) -> Job:
    job_id = ledger.enqueue(kind="embed", workspace_id=workspace.id, **values)  # type: ignore[arg-type]
    return Job.objects.get(id=job_id)


def lease_runs_out(job: Job) -> None:
    Job.objects.filter(id=job.id).update(lease_until=timezone.now() - timedelta(seconds=1))


def messages() -> list[str]:
    """The job ids the queue holds, in order."""
    return [message.task["args"][0] for message in OrmQ.objects.order_by("id")]


def test_a_job_and_its_message_are_queued_together(workspace: Workspace) -> None:
    job = queue(workspace)
    assert (job.state, job.attempts) == ("queued", 0)
    assert messages() == [str(job.id)]


def test_nothing_is_queued_when_the_transaction_is_undone(workspace: Workspace) -> None:
    with transaction.atomic():
        queue(workspace)
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    assert messages() == []


def test_the_queue_carries_the_id_and_nothing_else(workspace: Workspace, owner: Owner) -> None:
    event_ids = [str(new_id())]
    job = queue(workspace, owner_id=owner.id, payload={"event_ids": event_ids})
    task = OrmQ.objects.get().task
    assert (task["func"], task["args"], task["kwargs"]) == (ledger.TASK, (str(job.id),), {})
    assert not set(task) - {"id", "name", "func", "args", "kwargs", "started", "cluster", "ack_failure"}


def test_an_attempt_is_counted_before_anything_is_done(workspace: Workspace) -> None:
    job = queue(workspace)
    claimed = ledger.claim(job.id)
    assert claimed is not None
    assert (claimed.state, claimed.attempts) == ("running", 1)
    assert claimed.lease_until is not None


def test_a_job_is_claimed_by_one(workspace: Workspace) -> None:
    job = queue(workspace)
    assert ledger.claim(job.id) is not None
    assert ledger.claim(job.id) is None


@pytest.mark.parametrize("state", ["done", "parked"])
def test_a_message_delivered_again_after_the_end_does_nothing(workspace: Workspace, state: str) -> None:
    job = queue(workspace)
    Job.objects.filter(id=job.id).update(state=state, attempts=1)
    assert ledger.claim(job.id) is None
    job.refresh_from_db()
    assert (job.state, job.attempts) == (state, 1)


def test_an_unknown_id_is_ignored() -> None:
    assert ledger.claim(new_id()) is None


def test_a_lease_that_ran_out_lets_another_worker_try(workspace: Workspace) -> None:
    job = queue(workspace)
    assert ledger.claim(job.id) is not None
    lease_runs_out(job)
    again = ledger.claim(job.id)
    assert again is not None
    assert again.attempts == 2


def test_a_renewed_lease_keeps_the_job(workspace: Workspace) -> None:
    job = queue(workspace)
    claimed = ledger.claim(job.id)
    assert claimed is not None
    lease_runs_out(job)
    ledger.renew(claimed)
    assert ledger.claim(job.id) is None


def test_a_job_whose_worker_was_lost_three_times_is_parked_and_says_so(workspace: Workspace) -> None:
    job = queue(workspace)
    for _ in range(ledger.MOST_ATTEMPTS):
        assert ledger.claim(job.id) is not None
        lease_runs_out(job)
    assert ledger.claim(job.id) is None
    job.refresh_from_db()
    assert (job.state, job.error_code, job.attempts) == ("parked", "worker_lost", 3)
    assert job.finished_at is not None


def test_a_failing_job_goes_round_three_times_and_is_parked_with_its_code(workspace: Workspace) -> None:
    job = queue(workspace)
    for attempt in range(1, 4):
        claimed = ledger.claim(job.id)
        assert claimed is not None
        ledger.put_back(claimed, code="ValueError")
        job.refresh_from_db()
        assert (job.state, job.error_code) == ("parked" if attempt == 3 else "queued", "ValueError")
    assert len(messages()) == 3
    assert ledger.claim(job.id) is None


def test_a_finished_job_forgets_its_earlier_failures(workspace: Workspace) -> None:
    job = queue(workspace)
    first = ledger.claim(job.id)
    assert first is not None
    ledger.put_back(first, code="ValueError")
    second = ledger.claim(job.id)
    assert second is not None
    ledger.finish(second)
    job.refresh_from_db()
    assert (job.state, job.error_code, job.lease_until) == ("done", "", None)


def test_a_person_sends_a_parked_job_round_again_once(workspace: Workspace) -> None:
    job = queue(workspace)
    claimed = ledger.claim(job.id)
    assert claimed is not None
    ledger.park(claimed, code="owner_frozen")
    assert ledger.requeue_parked(job.id)
    assert not ledger.requeue_parked(job.id)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("queued", 0)
    assert messages() == [str(job.id)] * 2


def test_one_queued_job_serves_all_who_ask_for_the_same(workspace: Workspace) -> None:
    first = queue(workspace, dedupe_key="owner")
    assert queue(workspace, dedupe_key="owner").id == first.id
    assert queue(workspace, dedupe_key="other").id != first.id
    assert len(messages()) == 2


def test_a_job_that_was_taken_does_not_serve_for_what_came_after(workspace: Workspace) -> None:
    first = queue(workspace, dedupe_key="owner")
    assert ledger.claim(first.id) is not None
    assert queue(workspace, dedupe_key="owner").id != first.id


def test_a_failed_job_is_put_back_beside_a_queued_one_with_its_key(workspace: Workspace) -> None:
    first = queue(workspace, dedupe_key="owner")
    claimed = ledger.claim(first.id)
    assert claimed is not None
    second = queue(workspace, dedupe_key="owner")
    ledger.put_back(claimed, code="ValueError")
    open_jobs = Job.objects.filter(state="queued")
    assert [job.id for job in open_jobs] == [second.id]
    first.refresh_from_db()
    assert first.state in ("done", "parked")


def test_a_parked_job_is_sent_round_beside_a_queued_one_with_its_key(workspace: Workspace) -> None:
    first = queue(workspace, dedupe_key="owner")
    claimed = ledger.claim(first.id)
    assert claimed is not None
    ledger.park(claimed, code="ValueError")
    queue(workspace, dedupe_key="owner")
    ledger.requeue_parked(first.id)
    assert Job.objects.filter(state="queued").count() == 1


def test_the_sweep_hands_lost_jobs_to_the_queue_again(workspace: Workspace) -> None:
    lost, running, fresh, stale = (queue(workspace) for _ in range(4))
    for job in (lost, running):
        assert ledger.claim(job.id) is not None
    lease_runs_out(lost)
    Job.objects.filter(id=stale.id).update(queued_at=timezone.now() - timedelta(minutes=5))
    OrmQ.objects.all().delete()
    assert ledger.requeue_lost() == 2
    assert sorted(messages()) == sorted([str(lost.id), str(stale.id)])
    assert fresh.state == "queued"
    assert ledger.claim(lost.id) is not None


@pytest.mark.parametrize(("seconds", "is_waiting", "found"), [(5, 0, 0), (15, 0, 1), (15, 1, 0), (70, 1, 1)])
def test_a_queued_job_counts_as_lost_sooner_when_no_message_waits(
    workspace: Workspace, seconds: int, is_waiting: bool, found: int
) -> None:
    job = queue(workspace)
    OrmQ.objects.all().delete()
    Job.objects.filter(id=job.id).update(queued_at=timezone.now() - timedelta(seconds=seconds))
    if is_waiting:
        other = queue(workspace)
        assert messages() == [str(other.id)]
    assert ledger.requeue_lost() == found


def test_a_sweep_right_after_a_sweep_queues_no_stale_job_twice(workspace: Workspace) -> None:
    job = queue(workspace)
    Job.objects.filter(id=job.id).update(queued_at=timezone.now() - timedelta(minutes=5))
    assert (ledger.requeue_lost(), ledger.requeue_lost()) == (1, 0)


def test_the_account_holds_ids_and_codes_only(workspace: Workspace, owner: Owner) -> None:
    source = make_source(workspace)
    secret = "a word that must not travel"
    record_events(owner_id=owner.id, events=[NewEvent(content=secret)], source=source)
    write_field(owner_id=owner.id, form_type="user_profile", field="location", value=secret, source=source)
    for table in ("memoryhub_job", "django_q_ormq"):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT string_agg(t::text, '') FROM {table} t /* owner_id */")
            assert secret not in cursor.fetchone()[0]
    for message in OrmQ.objects.all():
        assert str(UUID(message.task["args"][0])) == message.task["args"][0]
    for job in Job.objects.all():
        assert set(job.payload) <= {"event_ids"}
