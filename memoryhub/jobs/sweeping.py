"""Nothing that was accepted is left lying: lost jobs go round again, and events that no job will take up get one."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from memoryhub.database.scope import scope
from memoryhub.jobs.ledger import enqueue, requeue_lost
from memoryhub.knowledge.ending import close_ended_versions
from memoryhub.models import Event, Job, Owner, Recall, RepeatSearch, Workspace
from memoryhub.search_vectors import ensure_model
from memoryhub.sharing.following import follow_promotions
from memoryhub.writing.quotas import sweep_buckets

UNTOUCHED_FOR = timedelta(seconds=20)
MOST_OWNERS = 200
REPEATS_EVERY = timedelta(minutes=5)

_UNFINISHED = """
SELECT owner_id FROM (
  SELECT e.owner_id FROM memoryhub_searchentry e
  WHERE e.workspace_id = %(workspace)s AND e.known_until IS NULL AND e.cleared
    AND e.known_from < now() - interval '20 seconds' AND e.known_from > now() - interval '7 days'
    AND NOT EXISTS (
      SELECT FROM memoryhub_searchvector v
      WHERE v.owner_id = e.owner_id AND v.model_id = %(model)s AND v.entry_id = e.id)
  UNION
  SELECT e.owner_id FROM memoryhub_event e
  JOIN memoryhub_searchentry t ON t.owner_id = e.owner_id AND t.id = e.id AND t.cleared AND t.known_until IS NULL
  WHERE e.workspace_id = %(workspace)s AND e.session_ref <> '' AND e.state = 'processed'
    AND e.recorded_at < now() - interval '10 minutes' AND e.recorded_at > now() - interval '1 day'
    AND NOT EXISTS (
      SELECT FROM memoryhub_searchentry w
      WHERE w.owner_id = e.owner_id AND w.kind = 'window' AND w.target_id = e.id)
) unfinished JOIN memoryhub_owner o ON o.id = unfinished.owner_id AND o.state = 'active' LIMIT %(most)s
"""


def sweep() -> int:
    """Requeue what was lost; answers how many jobs were queued. Safe to run at any time and more than once."""
    queued = requeue_lost()
    sweep_buckets()
    for workspace_id in Workspace.objects.values_list("id", flat=True):
        queued += _take_up_events(workspace_id)
    return queued


def sweep_search() -> int:
    """Queue the owners whose entries lack a vector, or whose idle sessions lack a window; answers how many. Once a minute."""
    queued, model_id = 0, ensure_model().id
    for workspace_id in Workspace.objects.values_list("id", flat=True):
        close_ended_versions(workspace_id=workspace_id)
        follow_promotions(workspace_id=workspace_id)
        with (
            scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"),
            connection.cursor() as cursor,
        ):
            cursor.execute(_UNFINISHED, {"workspace": workspace_id, "model": model_id, "most": MOST_OWNERS})
            owners: list[UUID] = [row[0] for row in cursor.fetchall()]
            for owner_id in owners:
                enqueue(kind="embed", workspace_id=workspace_id, owner_id=owner_id, dedupe_key=str(owner_id))
        queued += len(owners)
    return queued


def sweep_repeats(*, workspace_id: UUID, now: datetime) -> bool:
    """Have the recalls of the last minutes looked through for questions that came again; whether a job was queued.

    At most every REPEATS_EVERY per workspace, and only when somebody asked something since the last look.
    """
    looked = (
        RepeatSearch.objects.filter(workspace_id=workspace_id).values_list("looked_until", flat=True).first()
    )
    if looked is not None and looked > now - REPEATS_EVERY:
        return False
    with scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"):
        asked = Recall.objects.filter(workspace_id=workspace_id, agent_id__isnull=False)
        if not (asked.filter(created_at__gt=looked) if looked else asked).exists():
            return False
        enqueue(kind="find_repeats", workspace_id=workspace_id, dedupe_key=str(workspace_id))
    return True


def _take_up_events(workspace_id: UUID) -> int:
    with scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"):
        open_jobs = Job.objects.filter(
            kind="process_events",
            owner_id=OuterRef("owner_id"),
            state__in=[Job.State.QUEUED, Job.State.RUNNING],
        )
        waiting = (
            Event.objects.filter(
                Q(held_until=None) | Q(held_until__lte=Now()),
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
