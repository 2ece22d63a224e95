"""Queue a parked job again on a person's word."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from memoryhub import audit
from memoryhub.jobs.ledger import requeue_parked
from memoryhub.models import Workspace
from reviews.queries.jobs import of_workspace


@transaction.atomic
def requeue_parked_job(*, workspace: Workspace, job_id: UUID) -> bool:
    """Put a parked job of the workspace back into the queue and say so in the audit log.

    False when it is not parked any more, or is another workspace's.
    """
    job = of_workspace(workspace).filter(id=job_id).first()
    if job is None or not requeue_parked(job.id):
        return False
    audit.record(
        audit.entry(
            action="job.requeued",
            workspace_id=workspace.id,
            owner_id=job.owner_id,
            object_kind="job",
            object_id=job.id,
            details={"kind": job.kind, "attempts": job.attempts, "error_code": job.error_code},
        )
    )
    return True
