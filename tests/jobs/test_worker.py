"""A real worker: it works, it stops when asked, it survives what fails, and nothing of an owner's words leaks on the way."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import connection

from memoryhub.models import Event, FieldVersion, Job, SearchVector, WorkerBeat
from memoryhub.writing.recording import NewEvent, record_events
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import sweep_until
from tests.programs import Worker, wait_until

DEADLY = Path(__file__).parent / "deadly"
SECRET = "A gunpowder secret that cannot be read by anybody"


def test_it_works_off_what_is_recorded_and_stops_when_asked(worker: Worker) -> None:
    source = make_source(make_workspace())
    owner = make_owner(source)
    record_events(owner_id=owner.id, events=[NewEvent(content="My budget is 5000 yuan")], source=source)
    wait_until(lambda: Job.objects.filter(state="done").count() == 2, what="both jobs")
    assert FieldVersion.objects.of(owner.id).get().status == "active"
    assert SearchVector.objects.of(owner.id).count() == 2
    assert WorkerBeat.objects.get().name.endswith(f":{worker.pid}")

    began = time.monotonic()
    worker.stop(seconds=10)
    assert time.monotonic() - began < 10
    assert worker.process is not None
    assert worker.process.returncode == 0


@pytest.fixture
def failing_worker(committing_db: str, tmp_path: Path) -> Iterator[Worker]:
    """A worker that cannot read one text."""
    running = Worker({"PYTHONPATH": str(DEADLY), "DEADLY_LOG": str(tmp_path / "deaths")})
    running.start()
    yield running
    running.kill()


@pytest.mark.slow
def test_an_event_that_cannot_be_read_fails_alone_and_says_so(failing_worker: Worker) -> None:
    source = make_source(make_workspace())
    owner = make_owner(source)
    texts = ["My budget is 1000 yuan", SECRET, "My budget is 2000 yuan"]
    record_events(owner_id=owner.id, events=[NewEvent(content=text) for text in texts], source=source)
    events = Event.objects.of(owner.id)
    sweep_until(lambda: not events.filter(state="accepted").exists())

    assert events.filter(state="processed").count() == 2
    assert events.get(state="failed").outcome == [
        {"outcome": "refused", "kind": "event", "code": "processing_failed"}
    ]
    sweep_until(lambda: not Job.objects.filter(state__in=["queued", "running"]).exists())
    # Neither the ledger nor the queue's tables have a word of it, though both keep what went wrong.
    for table in ("memoryhub_job", "django_q_task", "django_q_ormq"):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT coalesce(string_agg(t::text, ''), '') FROM {table} t /* owner_id */")
            assert "gunpowder" not in cursor.fetchone()[0]


def test_no_orphan_works_on_when_the_main_process_is_killed(worker: Worker) -> None:
    wait_until(lambda: WorkerBeat.objects.exists(), what="a beat")
    os.kill(worker.pid, signal.SIGKILL)
    assert worker.process is not None
    worker.process.wait(10)
    wait_until(lambda: not _has_members(worker.pid), seconds=10, what="the end of the whole group")


def _has_members(group: int) -> bool:
    """Whether a process of the group is alive. One that ended and was not waited for yet has no command line."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                if int(fields[2]) == group and fields[0] != "Z":
                    return True
    return False
