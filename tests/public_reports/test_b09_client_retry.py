"""B09: a client's retry is the same event, at once or later, and replaying the whole log changes nothing."""

from __future__ import annotations

import pytest

from memoryhub.models import Change, Event, FieldVersion, Job, MemoryItem, Owner, SearchEntry
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import work_off_the_queue
from tests.public_reports.telling import START
from tests.threads import at_once

LOG = [
    NewEvent(content=text, occurred_at=START, idempotency_key=f"k{number}", session_ref="s")
    for number, text in enumerate(
        [
            "my favourite tea is oolong",
            "My budget is 5000 yuan",
            "these days my favourite tea is jasmine",
            "Thanks!",
        ]
    )
]


def counts(owner: Owner) -> dict[str, int]:
    models = (Event, FieldVersion, MemoryItem, Change, SearchEntry)
    found = {model.__name__: model.objects.of(owner.id).count() for model in models}
    return found | {"Job": Job.objects.filter(owner_id=owner.id).count()}


@pytest.mark.django_db
def test_b09_replaying_the_whole_log_fifty_times_changes_nothing() -> None:
    source = make_source(make_workspace())
    owner = make_owner(source)
    first = record_events(owner_id=owner.id, events=LOG, source=source)
    work_off_the_queue()
    before = counts(owner)
    assert before["FieldVersion"] > 0
    assert before["MemoryItem"] > 0
    for _ in range(50):
        again = record_events(owner_id=owner.id, events=LOG, source=source)
        assert [result.status for result in again.results] == ["duplicate"] * len(LOG)
        assert [result.event_id for result in again.results] == [result.event_id for result in first.results]
        work_off_the_queue()
    assert counts(owner) == before


def test_b09_both_at_once_with_another_body_one_is_told_so(committing_db: str) -> None:
    source: Source = make_source(make_workspace())
    owner = make_owner(source)

    def post(number: int) -> str:
        event = NewEvent(content=f"I moved to town {number % 2}", occurred_at=START, idempotency_key="K")
        return record_events(owner_id=owner.id, events=[event], source=source).results[0].status

    answers = [str(answer) for answer in at_once(20, post)]
    assert sorted(set(answers)) == ["duplicate", "recorded", "refused"]
    assert (answers.count("recorded"), answers.count("refused")) == (1, 10)
    assert Event.objects.of(owner.id).count() == 1
