"""Background work as the desk shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q, QuerySet

from memoryhub.models import Job, WorkerBeat, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Page, beyond, moment_place, order, page_of
from reviews.queries.scopes import across

WORKER_IS_MISSED_AFTER = timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class JobHealth:
    queued: int
    running: int
    parked: int
    oldest_at: datetime | None
    worker_seen_at: datetime | None
    worker_is_missed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class JobRow:
    job: Job

    @property
    def place(self) -> tuple[str, ...]:
        return moment_place(self.job.created_at, self.job.id)


def of_workspace(workspace: Workspace) -> QuerySet[Job]:
    """This workspace's jobs and those that concern no workspace."""
    return Job.objects.filter(Q(workspace=workspace) | Q(workspace=None))


def job_health(*, workspace: Workspace, now: datetime) -> JobHealth:
    """Two queries: open and parked jobs, and when a worker was last seen."""
    counted = of_workspace(workspace).filter(state__in=("queued", "running", "parked")).order_by()
    states = counted.values_list("state").annotate(n=Count("id"), oldest=Min("created_at"))
    by_state = {state: (number, oldest) for state, number, oldest in states}
    waiting = [oldest for state, (_number, oldest) in by_state.items() if state != "parked"]
    seen = WorkerBeat.objects.order_by("-seen_at").values_list("seen_at", flat=True).first()
    return JobHealth(
        queued=by_state.get("queued", (0, None))[0],
        running=by_state.get("running", (0, None))[0],
        parked=by_state.get("parked", (0, None))[0],
        oldest_at=min(waiting, default=None),
        worker_seen_at=seen,
        worker_is_missed=seen is None or now - seen > WORKER_IS_MISSED_AFTER,
    )


def list_jobs(*, workspace: Workspace, state: str = "", cursor: Cursor | None = None) -> Page[JobRow]:
    """Jobs, newest first; those in `state`, or all."""
    matching = of_workspace(workspace).filter(state=state) if state else of_workspace(workspace)
    matching = matching.select_related("owner").filter(beyond(cursor, column="created_at"))
    with across(workspace):
        found = list(matching.order_by(*order(cursor, column="created_at"))[: PAGE_SIZE + 1])
    return page_of([JobRow(job=job) for job in found], cursor=cursor)


def list_workers() -> list[WorkerBeat]:
    return list(WorkerBeat.objects.order_by("-seen_at")[:20])
