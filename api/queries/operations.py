"""Background work as the agent that asked for it sees it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID

from memoryhub.models import Job

LONGEST_WAIT = 5.0
"""Seconds that ?wait=1 stays with the request."""
FIRST_LOOK, LAST_LOOK = 0.05, 0.4


def find_job(owner_id: UUID, job_id: UUID) -> Job | None:
    return Job.objects.filter(owner_id=owner_id, id=job_id).first()


def wait_for_jobs(job_ids: Sequence[UUID]) -> bool:
    """Look at the ledger until all jobs have ended, at most five seconds; whether they have. Opens no transaction."""
    end = time.monotonic() + LONGEST_WAIT
    pause = FIRST_LOOK
    while Job.objects.filter(id__in=job_ids, state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists():
        if time.monotonic() + pause > end:
            return False
        time.sleep(pause)
        pause = min(pause * 1.5, LAST_LOOK)
    return True
