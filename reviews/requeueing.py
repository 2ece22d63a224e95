"""Queue a parked job again on a person's word."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import User

from memoryhub.models import Workspace


def requeue_parked_job(*, workspace: Workspace, job_id: UUID, user: User) -> bool:
    """Put a parked job of the workspace back into the queue, with an audit entry. False when it is not parked any more."""
    raise NotImplementedError
