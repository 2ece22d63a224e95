"""What the queue runs: load the job, call one service, answer nothing.

Nothing but an id comes in and nothing goes out, because the queue pickles both into its tables. An exception is turned into
a code on the job: its text may carry row values.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from uuid import UUID

import structlog
from django.conf import settings
from django.utils import timezone

from memoryhub import audit
from memoryhub.changes.rollback_job import run_rollback
from memoryhub.exceptions import ModelUnavailable, OwnerErasing, OwnerFrozen, UnknownOwner
from memoryhub.jobs import ledger
from memoryhub.knowledge.indexing import index_version
from memoryhub.language.embedders import current_embedder
from memoryhub.models import Job
from memoryhub.recall.repeating import find_new_repeats
from memoryhub.search_vectors import embed_missing
from memoryhub.search_windows import make_windows
from memoryhub.writing.pipeline import process_waiting_events

EMBEDDED_AT_ONCE = 64

log = structlog.get_logger(__name__)


class TimeIsOver(Exception):
    """The job has used its share of time; the rest of its work is for the next turn."""


def run_job(job_id: str) -> None:
    """Run one job of the ledger if it is free to be run."""
    job = ledger.claim(UUID(job_id))
    if job is None:
        return
    acting = audit.current_actor.set(audit.Actor(kind="job", id=str(job.id), transport="job"))
    try:
        HANDLERS[job.kind](job)
    except ModelUnavailable as error:
        ledger.postpone(job, code=error.code)
    except TimeIsOver:
        ledger.postpone(job, at_once=True)
    except (OwnerErasing, OwnerFrozen, UnknownOwner) as error:
        # Nothing to retry: the events stay accepted and the sweep takes them up when the owner is active again.
        ledger.park(job, code=error.code)
    except Exception as error:
        code = type(error).__name__
        log.warning("job_failed", job=str(job.id), kind=job.kind, error=code, attempt=job.attempts)
        ledger.put_back(job, code=code)
    else:
        ledger.finish(job)
    finally:
        audit.current_actor.reset(acting)


def _process_events(job: Job) -> None:
    workspace_id, owner_id = _owner_of(job)
    started = time.monotonic()

    def still_working() -> None:
        ledger.renew(job)
        # A model may take its whole timeout for the next events; the queue kills a worker that is over its own.
        if settings.EXTRACTOR == "model" and time.monotonic() - started > settings.JOB_TIMEOUT / 2:
            raise TimeIsOver

    process_waiting_events(
        workspace_id=workspace_id,
        owner_id=owner_id,
        until=[UUID(event_id) for event_id in job.payload["event_ids"]],
        still_working=still_working,
    )


def _embed(job: Job) -> None:
    """The windows that are due, then the missing vectors. A provider that is down is asked again by the sweep."""
    workspace_id, owner_id = _owner_of(job)
    make_windows(workspace_id=workspace_id, owner_id=owner_id)
    while embed_missing(workspace_id=workspace_id, owner_id=owner_id, limit=EMBEDDED_AT_ONCE).stored:
        ledger.renew(job)


def _rollback(job: Job) -> None:
    run_rollback(job, still_working=lambda: ledger.renew(job))


def _index_document(job: Job) -> None:
    workspace_id, owner_id = _owner_of(job)
    index_version(
        workspace_id=workspace_id,
        owner_id=owner_id,
        version_id=UUID(job.payload["version_id"]),
        still_working=lambda: ledger.renew(job),
    )


def _find_repeats(job: Job) -> None:
    assert job.workspace_id is not None
    find_new_repeats(
        workspace_id=job.workspace_id,
        now=timezone.now(),
        embedder=current_embedder(),
        still_working=lambda: ledger.renew(job),
    )


def _owner_of(job: Job) -> tuple[UUID, UUID]:
    assert job.workspace_id is not None
    assert job.owner_id is not None
    return job.workspace_id, job.owner_id


HANDLERS: dict[str, Callable[[Job], None]] = {
    "process_events": _process_events,
    "embed": _embed,
    "rollback": _rollback,
    "index_document": _index_document,
    "find_repeats": _find_repeats,
}
