"""One beat of the worker: it says that it lives, takes up what was lost, and does what is due."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryhub.jobs.beating import beat
from memoryhub.models import FieldVersion, Job, SessionSlot, WorkerBeat
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace
from tests.jobs.waiting import work_off_the_queue
from tests.sessions.talking import talk

pytestmark = pytest.mark.django_db


def test_a_worker_is_seen_and_one_long_gone_is_forgotten() -> None:
    long_ago = timezone.now() - timedelta(days=2)
    WorkerBeat.objects.create(name="gone", seen_at=long_ago)
    WorkerBeat.objects.create(name="other", seen_at=timezone.now())
    for _ in range(2):
        beat(name="me", with_search=False)
    assert set(WorkerBeat.objects.values_list("name", flat=True)) == {"me", "other"}


def test_what_was_lost_and_what_is_due_is_taken_up() -> None:
    source = make_source(make_workspace())
    owner = make_owner(source)
    batch = record_events(
        owner_id=owner.id, events=[NewEvent(content="My budget is 5000 yuan")], source=source
    )
    Job.objects.update(state="running", attempts=1, lease_until=timezone.now() - timedelta(seconds=1))
    write_field(
        owner_id=owner.id, form_type="user_profile", field="location", value="Porto", source=source,
        valid_from=timezone.now() + timedelta(days=1),
    )  # fmt: skip
    FieldVersion.objects.of(owner.id).update(valid_from=timezone.now() - timedelta(hours=1))
    beat(name="me", with_search=True)
    work_off_the_queue()
    assert batch.job_id is not None
    assert Job.objects.get(id=batch.job_id).state == "done"
    assert {version.status for version in FieldVersion.objects.of(owner.id)} == {"active"}
    assert FieldVersion.objects.of(owner.id).count() == 2


def test_what_ran_out_in_sessions_is_tidied_with_the_slow_beat() -> None:
    chat = talk()
    chat.put("order:A", "address", "12 Main Street")
    ran_out = timezone.now() - timedelta(seconds=1)
    SessionSlot.objects.of(chat.story.owner.id).update(expires_at=ran_out)
    beat(name="me", with_search=False)
    assert SessionSlot.objects.of(chat.story.owner.id).get().state == "active"
    beat(name="me", with_search=True)
    assert SessionSlot.objects.of(chat.story.owner.id).get().reason == "timeout"
