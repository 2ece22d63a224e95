"""What the worker's main process does every few seconds: say that it lives, take up what was lost, do what is due."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from memoryhub.changes.coming_due import run_due
from memoryhub.jobs.sweeping import sweep, sweep_repeats, sweep_search
from memoryhub.models import WorkerBeat, Workspace
from memoryhub.sessions.expiring import expire_sessions
from memoryhub.writing.opening import open_due_values

FORGOTTEN_AFTER = timedelta(days=1)


def beat(*, name: str, with_search: bool) -> None:
    """One beat of the worker called `name`; the look for missing vectors and windows, and for what ran out in sessions, is
    asked for less often."""
    now = timezone.now()
    WorkerBeat.objects.update_or_create(name=name, defaults={"seen_at": now})
    WorkerBeat.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()
    sweep()
    if with_search:
        sweep_search()
    for workspace_id in Workspace.objects.values_list("id", flat=True):
        open_due_values(workspace_id=workspace_id, now=now)
        run_due(workspace_id=workspace_id, now=now)
        if with_search:
            expire_sessions(workspace_id=workspace_id, now=now)
            sweep_repeats(workspace_id=workspace_id, now=now)
