"""B07: the same fact written at the same moment gives one active item, and the other events are its evidence."""

from __future__ import annotations

import pytest

from memoryhub.jobs.tasks import run_job
from memoryhub.models import Event, FieldVersion, MemoryItem
from memoryhub.writing.pipeline import process_waiting_events
from memoryhub.writing.recording import NewEvent, record_events
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import work_off_the_queue
from tests.public_reports.telling import active_items, outcomes, tell
from tests.threads import at_once

FACT = "my favourite tea is oolong"


@pytest.mark.parametrize("workers", [2, 20])
def test_b07_workers_with_the_same_fact_make_one_item(committing_db: str, workers: int) -> None:
    source = make_source(make_workspace())
    owner = make_owner(source)
    batches = [
        record_events(owner_id=owner.id, events=[NewEvent(content=FACT)], source=source)
        for _ in range(workers)
    ]
    ids = {batch.results[0].event_id for batch in batches}
    assert at_once(workers, lambda number: run_job(str(batches[number].job_id))) == [None] * workers
    work_off_the_queue()
    assert not Event.objects.of(owner.id).exclude(state="processed").exists()

    (item,) = MemoryItem.objects.of(owner.id)
    assert item.status == "active"
    evidence = {item.event_id, *item.sources.values_list("event_id", flat=True)}
    assert evidence == ids
    assert FieldVersion.objects.of(owner.id).filter(status="active").count() == 1

    # And three times more, one after another.
    for _ in range(3):
        (event,) = tell(owner, source, FACT)
        assert set(outcomes(event)) == {"reinforced"}
        assert [one.id for one in active_items(owner)] == [item.id]
    assert item.sources.count() == workers + 2


def test_b07_two_workers_who_both_looked_before_either_wrote(committing_db: str) -> None:
    """Past the ledger, which would let them take turns: both read every event, then both settle."""
    source = make_source(make_workspace())
    owner = make_owner(source)
    record_events(owner_id=owner.id, events=[NewEvent(content=FACT)] * 5, source=source)
    ids = list(Event.objects.of(owner.id).values_list("id", flat=True))

    def process(number: int) -> None:
        process_waiting_events(workspace_id=source.workspace_id, owner_id=owner.id, until=ids)

    assert at_once(2, process) == [None, None]
    (item,) = MemoryItem.objects.of(owner.id)
    assert item.sources.count() == 4
    assert not Event.objects.of(owner.id).exclude(state="processed").exists()
