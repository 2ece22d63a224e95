"""An outage of the model provider as real workers meet it: nothing lost, nothing twice, each owner's events in their order."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db.models.functions import Now

from memoryhub.jobs.sweeping import sweep
from memoryhub.models import Event, FieldVersion, Job, ModelUsage, Owner, ProviderState
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.model_server import KEY, Reply, about_field, events_in, running_model_server
from tests.programs import Worker, wait_until

EVENTS = 25


def budgets(body: dict[str, Any]) -> Reply:
    """Reads 'My budget is N yuan'."""
    entries = [
        about_field(event["event"], event["text"], "user_profile", "budget", event["text"].split()[3])
        for event in events_in(body)
    ]
    return Reply(text=json.dumps(entries))


def told(owner: Owner, source: Source, first: int) -> None:
    events = [NewEvent(content=f"My budget is {1000 + first + number} yuan") for number in range(5)]
    record_events(owner_id=owner.id, events=events, source=source)


def states(owners: list[Owner]) -> set[tuple[str, int]]:
    return {pair for owner in owners for pair in Event.objects.of(owner.id).values_list("state", "attempts")}


def job_states() -> set[str]:
    return set(Job.objects.filter(kind="process_events").values_list("state", flat=True))


def time_passes() -> None:
    """What the next minutes would bring: the pause ends, and the sweep hands out what has waited."""
    ProviderState.objects.update(open_until=Now() - timedelta(seconds=1))
    Job.objects.filter(state="queued").update(queued_at=Now() - timedelta(minutes=2))
    sweep()


def values(owner_id: UUID) -> list[Any]:
    return list(FieldVersion.objects.of(owner_id).order_by("version").values_list("value", flat=True))


@pytest.mark.slow
def test_workers_drain_the_backlog_in_order_when_the_provider_is_back(committing_db: str) -> None:
    source = make_source(make_workspace())
    owners = [make_owner(source) for _ in range(3)]
    faults = [Reply(status=500), Reply(cut=True), Reply(status=429), Reply(wait=3)]
    with running_model_server() as server:
        server.script = lambda body: faults[len(server.seen) % len(faults)]
        worker = Worker(
            changes={
                "MEMORYHUB_EXTRACTOR": "model",
                "MEMORYHUB_CHAT_URL": server.url,
                "MEMORYHUB_CHAT_MODEL": "m-1",
                "MEMORYHUB_CHAT_KEY": KEY,
                "MEMORYHUB_CHAT_TIMEOUT": "2",
            }
        )
        worker.start()
        try:
            for first in range(0, EVENTS, 5):
                for owner in owners:
                    told(owner, source, first)
            wait_until(lambda: ProviderState.objects.filter(open_until__isnull=False).exists(), seconds=60)
            time.sleep(2)
            # A try under way has been counted; it is given back when the provider turns out to be away.
            wait_until(lambda: states(owners) == {("accepted", 0)}, seconds=60)
            server.script = budgets

            def is_drained() -> bool:
                time_passes()
                time.sleep(0.5)
                return states(owners) == {("processed", 1)} and job_states() == {"done"}

            wait_until(is_drained, seconds=120)
        finally:
            worker.kill()
    for owner in owners:
        assert values(owner.id) == [str(1000 + number) for number in range(EVENTS)]
    usage = ModelUsage.objects.get()
    assert usage.calls > usage.failures > 0
