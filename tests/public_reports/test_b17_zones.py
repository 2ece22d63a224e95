"""B17, what is written: one instant, whatever the zone of the machine."""

from __future__ import annotations

import json
import subprocess
import sys

from django.conf import settings

from tests.programs import environment

RECORD = """
import os, sys, time, json
import django
django.setup()
time.tzset()
from datetime import datetime
from memoryhub.models import Event, FieldVersion
from memoryhub.jobs.tasks import run_job
from memoryhub.writing.recording import NewEvent, record_events
from tests.builders import make_owner, make_source, make_workspace

source = make_source(make_workspace())
owner = make_owner(source, time_zone="Asia/Shanghai")
written = ["2025-07-25T02:00:00Z", "2025-07-25T10:00:00+08:00", "2025-07-25T02:00:00"]
batch = record_events(
    owner_id=owner.id, source=source,
    events=[NewEvent(content="My budget is 900 yuan", occurred_at=datetime.fromisoformat(text)) for text in written],
)
run_job(str(batch.job_id))
print(json.dumps({
    "zone": time.tzname,
    "stored": [event.occurred_at.isoformat() for event in Event.objects.of(owner.id).order_by("id")],
    "valid_from": [row.valid_from.isoformat() for row in FieldVersion.objects.of(owner.id)],
    "recorded": [str(event.recorded_at.utcoffset()) for event in Event.objects.of(owner.id)],
}))
"""


def recorded_in(zone: str) -> dict[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", RECORD], cwd=settings.BASE_DIR, env=environment(TZ=zone), text=True,
        capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_b17_the_stored_instant_is_the_same_in_every_zone(committing_db: str) -> None:
    west, east = recorded_in("America/Los_Angeles"), recorded_in("Asia/Shanghai")
    for found in (west, east):
        assert found["stored"] == ["2025-07-25T02:00:00+00:00"] * 3
        assert found["valid_from"] == ["2025-07-25T02:00:00+00:00"]
        assert found["recorded"] == ["0:00:00"] * 3
