"""Our own account of background work. The task queue carries a job's id and nothing else (DESIGN 12 and 13, "Jobs").

A job is queued in the transaction of what it is about. Attempts are counted and committed before the effect, so that a killed
worker counts; a lease that ran out lets another worker try again; after `MOST_ATTEMPTS` the job is parked for people to see.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django_q.brokers import get_broker
from django_q.tasks import async_task

from memoryhub.models import Job

MOST_ATTEMPTS = 3
LEASE = timedelta(seconds=settings.JOB_LEASE)
STALE_QUEUE = timedelta(seconds=60)
"""How long a job may lie queued before the sweep hands it to the queue once more (its message may have been lost)."""
STALE_IN_EMPTY_QUEUE = timedelta(seconds=10)
"""The same when no message waits: a worker that was killed took it along."""

TAKING_TURNS = frozenset({"process_events"})
"""Kinds of which one job per owner runs at a time (constraint `one_worker_per_owner`)."""

TASK = "memoryhub.jobs.tasks.run_job"


@transaction.atomic
def enqueue(
    *,
    kind: str,
    workspace_id: UUID | None = None,
    owner_id: UUID | None = None,
    payload: dict[str, Any] | None = None,
    dedupe_key: str | None = None,
) -> UUID:
    """Queue a job in the current transaction and answer its id; a queued job with the same dedupe key serves for both."""
    job = Job(
        kind=kind, workspace_id=workspace_id, owner_id=owner_id, payload=payload or {}, dedupe_key=dedupe_key
    )
    if dedupe_key is None:
        job.save(force_insert=True)
    else:
        Job.objects.bulk_create([job], ignore_conflicts=True)
        queued = Job.objects.filter(kind=kind, dedupe_key=dedupe_key, state=Job.State.QUEUED).values_list(
            "id", flat=True
        )
        # The other one may have been taken between the two statements; then nothing is queued and ours must be.
        waiting = queued.first()
        if waiting is None:
            return enqueue(
                kind=kind,
                workspace_id=workspace_id,
                owner_id=owner_id,
                payload=payload,
                dedupe_key=dedupe_key,
            )
        if waiting != job.id:
            return waiting
    async_task(TASK, str(job.id))
    return job.id


def claim(job_id: UUID) -> Job | None:
    """Take the job, counting the attempt; None when it is done, parked, somebody else's, or out of attempts.

    None also while another worker processes the same owner's events: whoever ends that job wakes the next one.
    """
    takeable = Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_until__lt=Now())
    try:
        with transaction.atomic():
            taken = Job.objects.filter(takeable, id=job_id, attempts__lt=MOST_ATTEMPTS).update(
                state=Job.State.RUNNING,
                attempts=F("attempts") + 1,
                lease_until=Now() + LEASE,
                started_at=Now(),
            )
            if taken:
                return Job.objects.get(id=job_id)
    except IntegrityError:
        return None
    lost = Job.objects.filter(takeable, id=job_id).first()
    if lost is not None:
        park(lost, code="worker_lost")
    return None


def renew(job: Job) -> None:
    """Keep the job while it goes on."""
    Job.objects.filter(id=job.id, state=Job.State.RUNNING).update(lease_until=Now() + LEASE)


def finish(job: Job) -> None:
    _end(job, state=Job.State.DONE, code="")


def park(job: Job, *, code: str) -> None:
    """Set the job aside for people to see, with the reason."""
    _end(job, state=Job.State.PARKED, code=code)


@transaction.atomic
def _end(job: Job, *, state: str, code: str) -> None:
    """End the job, and wake the owner's next one when they take turns: its message may have come while this one ran."""
    Job.objects.filter(id=job.id).update(state=state, finished_at=Now(), lease_until=None, error_code=code)
    if job.kind not in TAKING_TURNS or job.owner_id is None:
        return
    waiting = Job.objects.filter(owner_id=job.owner_id, kind=job.kind, state=Job.State.QUEUED)
    if next_id := waiting.order_by("created_at", "id").values_list("id", flat=True).first():
        async_task(TASK, str(next_id))


def put_back(job: Job, *, code: str) -> None:
    """The attempt failed in a way the job survived: queue it again, or park it when it was the last attempt."""
    if job.attempts >= MOST_ATTEMPTS:
        park(job, code=code)
        return
    _queue_again(Job.objects.filter(id=job.id), job.id, error_code=code)


def postpone(job: Job, *, code: str = "", at_once: bool = False) -> None:
    """Queue the job again as if it had not been tried: what it needs is not there now, or its time was over.

    Handed out `at_once`, or by the sweep when it has lain for `STALE_QUEUE`.
    """
    running = Job.objects.filter(id=job.id, state=Job.State.RUNNING)
    with transaction.atomic():
        moved = running.update(
            state=Job.State.QUEUED,
            attempts=F("attempts") - 1,
            queued_at=Now(),
            lease_until=None,
            error_code=code,
        )
        if moved and at_once:
            async_task(TASK, str(job.id))


def requeue_parked(job_id: UUID) -> bool:
    """A person sends a parked job round again; False when it was not parked."""
    parked = Job.objects.filter(id=job_id, state=Job.State.PARKED)
    return _queue_again(parked, job_id, attempts=0, finished_at=None)


def _queue_again(found: QuerySet[Job], job_id: UUID, **changes: Any) -> bool:
    """Queue the job if it is found; one whose twin (same dedupe key) is queued already is done, for the twin serves both."""
    try:
        with transaction.atomic():
            moved = found.update(state=Job.State.QUEUED, queued_at=Now(), lease_until=None, **changes)
            if moved:
                async_task(TASK, str(job_id))
    except IntegrityError:
        done = {**changes, "finished_at": Now(), "error_code": "twin_is_queued"}
        moved = found.update(state=Job.State.DONE, lease_until=None, **done)
    return bool(moved)


def requeue_lost() -> int:
    """Hand jobs to the queue again whose worker or whose message was lost. Safe to run at any time; answers how many."""
    stale = STALE_QUEUE if get_broker().queue_size() else STALE_IN_EMPTY_QUEUE
    lost = Q(state=Job.State.RUNNING, lease_until__lt=Now()) | Q(
        state=Job.State.QUEUED, queued_at__lt=Now() - stale
    )
    with transaction.atomic():
        jobs = list(
            Job.objects.select_for_update(skip_locked=True).filter(lost).values_list("id", flat=True)[:500]
        )
        Job.objects.filter(id__in=jobs).update(queued_at=Now())
        for job_id in jobs:
            async_task(TASK, str(job_id))
    return len(jobs)
