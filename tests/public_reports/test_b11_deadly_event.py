"""B11: an event that kills its worker is given up on after three tries and shown; everything else is processed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryhub.models import Event, Job
from memoryhub.writing.pipeline import requeue_failed_event
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import sweep_until
from tests.programs import Worker, wait_until

DEADLY = Path(__file__).parent.parent / "jobs" / "deadly"
BAD = "This sentence ends the process that reads it"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "deaths"


@pytest.fixture
def deadly_worker(committing_db: str, log: Path) -> Iterator[Worker]:
    """A worker that dies of one text."""
    running = Worker({"PYTHONPATH": str(DEADLY), "DEADLY_LOG": str(log)})
    running.start()
    yield running
    running.kill()


def deaths(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


@pytest.mark.slow
def test_b11_an_event_that_kills_its_worker_is_given_up_on_and_shown(
    deadly_worker: Worker, log: Path
) -> None:
    source: Source = make_source(make_workspace())
    one, two = make_owner(source), make_owner(source)
    ordinary = [NewEvent(content=f"My budget is {number}000 yuan") for number in range(1, 6)]
    bad = record_events(owner_id=one.id, events=[NewEvent(content=BAD), *ordinary[:3]], source=source)
    record_events(owner_id=two.id, events=ordinary[3:], source=source)
    events = Event.objects.filter(owner_id__in=[one.id, two.id])

    sweep_until(lambda: not events.filter(state="accepted").exists(), seconds=90)

    failed = events.get(state="failed")
    assert failed.id == bad.results[0].event_id
    assert 1 <= deaths(log) <= 3
    assert failed.attempts == 3
    assert failed.outcome == [{"outcome": "refused", "kind": "event", "code": "worker_lost"}]
    assert events.filter(state="processed").count() == 5
    sweep_until(lambda: not Job.objects.filter(state__in=["queued", "running"]).exists())
    assert set(Job.objects.filter(state="parked").values_list("error_code", flat=True)) <= {"worker_lost"}

    # A person sends it round again, to a worker that survives it.
    before = deaths(log)
    deadly_worker.kill()
    deadly_worker.changes = {}
    assert requeue_failed_event(workspace_id=source.workspace_id, owner_id=one.id, event_id=failed.id)
    assert not requeue_failed_event(workspace_id=source.workspace_id, owner_id=one.id, event_id=failed.id)
    deadly_worker.start()
    wait_until(lambda: events.filter(state="processed").count() == 6)
    assert deaths(log) == before
