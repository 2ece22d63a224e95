"""The kill drill: events are recorded while the worker is killed again and again, then the effects are counted.

A scratch workspace is filled at an even pace. Meanwhile the worker is killed with SIGKILL at random moments: mostly its whole
group, sometimes one of its processes, sometimes its main process alone, which must take the others along. Afterwards every
event must have taken effect exactly once and nothing may lie waiting.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Count
from django.db.models.functions import Now
from django.utils import timezone

from memoryhub.database.owners import resolve_owner
from memoryhub.database.scope import scope
from memoryhub.models import Change, Event, FieldVersion, Job, Workspace, new_id
from memoryhub.workspaces import create_agent, create_workspace
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source

OWNERS = 8
JUST_NOW = timedelta(seconds=1)
BATCH = 5
TRUST_TIER = 3
SHORTEST_LIFE, LONGEST_LIFE = 0.2, 4.0
"""Seconds between the start of a worker and its end; starting takes about one and a half of them."""
KILLS_AT_WORK, LONGEST_AT_WORK = 0.7, 0.03
"""The share of kills that wait until a job runs, and how many seconds later they come: work is short, idleness long."""
KILLS_OF_A_CHILD, KILLS_OF_THE_MAIN_PROCESS = 0.2, 0.15


@dataclass(frozen=True, kw_only=True, slots=True)
class DrillReport:
    """What was found after the last kill. `twice` and `missing` count effects against what each event's outcome says.

    `interrupted` events were being processed when a worker was killed; without any the drill has shown nothing.
    """

    kills: int
    events: int
    processed: int
    failed: int
    waiting: int
    interrupted: int
    twice: int
    missing: int
    open_jobs: int
    parked_jobs: int
    seconds: float
    seconds_to_settle: float

    @property
    def holds(self) -> bool:
        """Every event processed, with each of its effects exactly once, and nothing left to do."""
        wrong = self.failed + self.waiting + self.twice + self.missing + self.open_jobs
        return self.processed == self.events and not wrong

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "holds": self.holds}


@dataclass
class _Worker:
    """One `qcluster` after another."""

    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "qcluster"],
            cwd=settings.BASE_DIR,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill(self, chance: random.Random) -> None:
        """SIGKILL to the group, to one of those that work, or to the main process alone."""
        assert self.process is not None
        kind = chance.random()
        # Below the main process there is the sentinel, and below it those that work; it starts a lost one again.
        workers = [pid for child in _children(self.process.pid) for pid in _children(child)]
        if kind < KILLS_OF_A_CHILD and workers and self.process.poll() is None:
            _send(os.kill, chance.choice(workers))
            return
        if kind < KILLS_OF_A_CHILD + KILLS_OF_THE_MAIN_PROCESS:
            _send(os.kill, self.process.pid)
        else:
            _send(os.killpg, self.process.pid)
        self.process.wait()
        self.start()

    def stop(self) -> None:
        """Ask the last worker to end; then end whatever is left of it."""
        if self.process is not None:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            if self.process.poll() is None:
                _send(os.killpg, self.process.pid)
                self.process.wait()


def run_drill(
    *,
    kills: int,
    events: int,
    seed: int = 0,
    settle_seconds: float = 180,
    environment: Mapping[str, str] | None = None,
    progress: Callable[[int], None] = lambda kill: None,
) -> tuple[Workspace, DrillReport]:
    """Run the drill on the configured database; the workspace is returned for a look and is marked as scratch.

    `environment` is the worker's (default: this process's). No other worker may run on the database meanwhile.
    """
    began = time.monotonic()
    chance = random.Random(seed)  # noqa: S311  a drill that can be repeated
    source = _make_source()
    owners = [_make_owner(source, number) for number in range(OWNERS)]
    lives = [chance.uniform(SHORTEST_LIFE, LONGEST_LIFE) for _ in range(kills)]
    worker = _Worker(environment if environment is not None else os.environ)
    recorder = threading.Thread(target=_record, args=[owners, events, source, sum(lives) * 0.9])
    worker.start()
    try:
        recorder.start()
        for number, life in enumerate(lives, start=1):
            time.sleep(life)
            if chance.random() < KILLS_AT_WORK:
                _wait_for_work(source.workspace_id)
                time.sleep(chance.uniform(0, LONGEST_AT_WORK))
            worker.kill(chance)
            progress(number)
        recorder.join()
        settling = time.monotonic()
        while _unsettled(source.workspace_id) and time.monotonic() - settling < settle_seconds:
            time.sleep(0.5)
    finally:
        worker.stop()
        recorder.join()
    report = _count(
        source.workspace_id, kills=kills, events=events, began=began, settled=time.monotonic() - settling
    )
    return Workspace.objects.get(id=source.workspace_id), report


def _make_source() -> Source:
    now = timezone.now()
    workspace = create_workspace(
        slug=f"drill-{new_id().hex}", name=f"Kill drill {now:%Y-%m-%d %H:%M}", is_scratch=True
    )
    agent = create_agent(workspace=workspace, name="drill")
    return Source(workspace_id=workspace.id, trust_tier=TRUST_TIER, agent_id=agent.id)


def _make_owner(source: Source, number: int) -> UUID:
    return resolve_owner(workspace_id=source.workspace_id, ref=f"drill-{number}", create=True).id


def _record(owners: list[UUID], events: int, source: Source, seconds: float) -> None:
    """Record the events in small batches at an even pace over the given time."""
    starts = range(0, events, BATCH)
    for start in starts:
        batch = [_event(number) for number in range(start, min(start + BATCH, events))]
        record_events(owner_id=owners[(start // BATCH) % len(owners)], events=batch, source=source)
        time.sleep(seconds / len(starts))
    connection.close()


def _event(number: int) -> NewEvent:
    """Every second event is a tool's value for an order of its own, which must give exactly one version."""
    if number % 2:
        return NewEvent(content=f"My budget is {number} yuan", session_ref="drill")
    return NewEvent(
        role="tool",
        form_type="order",
        form_subject=f"A-{number}",
        field_name="status",
        after=f"shipped {number}",
    )


def _wait_for_work(workspace_id: UUID, *, seconds: float = 5) -> None:
    """Until a job of the workspace is being worked on."""
    running = Job.objects.filter(workspace_id=workspace_id, kind="process_events", state=Job.State.RUNNING)
    end = time.monotonic() + seconds
    while time.monotonic() < end and not running.filter(started_at__gt=Now() - JUST_NOW).exists():
        time.sleep(0.002)


def _unsettled(workspace_id: UUID) -> bool:
    with scope(workspace_id=workspace_id, owners="workspace", purpose="evaluation"):
        waiting = Event.objects.filter(workspace_id=workspace_id, state=Event.State.ACCEPTED)
        return waiting.exists() or _open_jobs(workspace_id) > 0


def _open_jobs(workspace_id: UUID) -> int:
    return Job.objects.filter(
        workspace_id=workspace_id, state__in=[Job.State.QUEUED, Job.State.RUNNING]
    ).count()


def _count(workspace_id: UUID, *, kills: int, events: int, began: float, settled: float) -> DrillReport:
    with scope(workspace_id=workspace_id, owners="workspace", purpose="evaluation"):
        recorded = Event.objects.filter(workspace_id=workspace_id)
        states = dict(recorded.order_by().values_list("state").annotate(Count("id")))
        twice, missing = _effects(workspace_id)
        return DrillReport(
            kills=kills,
            events=events,
            processed=states.get(Event.State.PROCESSED, 0),
            failed=states.get(Event.State.FAILED, 0),
            waiting=states.get(Event.State.ACCEPTED, 0),
            interrupted=recorded.filter(attempts__gt=1).count(),
            twice=twice,
            missing=missing,
            open_jobs=_open_jobs(workspace_id),
            parked_jobs=Job.objects.filter(workspace_id=workspace_id, state=Job.State.PARKED).count(),
            seconds=round(time.monotonic() - began, 1),
            seconds_to_settle=round(settled, 1),
        )


def _effects(workspace_id: UUID) -> tuple[int, int]:
    """How many changes and versions are there that no outcome names, and how many are named but not there."""
    changes = Change.objects.filter(workspace_id=workspace_id)
    made = {(str(event), str(change)) for event, change in changes.values_list("event_id", "id")}
    events = Event.objects.filter(workspace_id=workspace_id)
    named = {
        (str(event_id), verdict["change_id"])
        for event_id, outcome in events.values_list("id", "outcome")
        for verdict in outcome
        if "change_id" in verdict
    }
    orders = FieldVersion.objects.filter(workspace_id=workspace_id, form__form_type__name="order")
    versions = orders.values("event_id").annotate(times=Count("id"))
    tool_events = events.filter(role=Event.Role.TOOL, state=Event.State.PROCESSED).count()
    repeated = sum(row["times"] - 1 for row in versions)
    return len(made - named) + repeated, len(named - made) + tool_events - len(versions)


def _children(pid: int) -> list[int]:
    """The process ids of the direct children, as Linux tells them."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def _send(call: Callable[[int, int], None], target: int) -> None:
    with suppress(ProcessLookupError):
        call(target, signal.SIGKILL)
