"""Nothing that was accepted is left lying: lost jobs go round again, and events that no job will take up get one."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from memoryhub.database.scope import scope
from memoryhub.jobs.ledger import enqueue, requeue_lost
from memoryhub.models import Event, Job, Owner, Workspace

UNTOUCHED_FOR = timedelta(seconds=20)
MOST_OWNERS = 200


def sweep() -> int:
    """Requeue what was lost; answers how many jobs were queued. Safe to run at any time and more than once."""
    queued = requeue_lost()
    for workspace_id in Workspace.objects.values_list("id", flat=True):
        queued += _take_up_events(workspace_id)
    return queued


def _take_up_events(workspace_id: UUID) -> int:
    with scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"):
        open_jobs = Job.objects.filter(
            kind="process_events", owner_id=OuterRef("owner_id"), state__in=[Job.State.QUEUED, Job.State.RUNNING]
        )
        waiting = (
            Event.objects.filter(
                workspace_id=workspace_id,
                state=Event.State.ACCEPTED,
                recorded_at__lt=Now() - UNTOUCHED_FOR,
                owner__state=Owner.State.ACTIVE,
            )
            .exclude(Exists(open_jobs))
            .order_by()
            .values_list("owner_id", flat=True)
            .distinct()[:MOST_OWNERS]
        )
        newest = {
            owner_id: Event.objects.of(owner_id)
            .filter(state=Event.State.ACCEPTED)
            .order_by("recorded_at", "id")
            .values_list("id", flat=True)
            .last()
            for owner_id in waiting
        }
        for owner_id, event_id in newest.items():
            enqueue(
                kind="process_events",
                workspace_id=workspace_id,
                owner_id=owner_id,
                payload={"event_ids": [str(event_id)]},
            )
    return len(newest)
