"""Our own ledger over the task queue, which carries only the job's id."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from .base import new_id, one_of
from .owner import Owner
from .workspace import Workspace


class JobState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    PARKED = "parked"


class Job(models.Model):
    """One piece of background work. Attempts are counted before the effect, so that a killed worker counts."""

    erasure: ClassVar[str] = "via owner_id"

    State = JobState

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=40)
    dedupe_key = models.CharField(max_length=200, null=True)
    workspace = models.ForeignKey(Workspace, models.PROTECT, null=True, related_name="+")
    owner = models.ForeignKey(Owner, models.DO_NOTHING, null=True, related_name="+")
    payload = models.JSONField(default=dict, help_text="ids and numbers only")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    error_code = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    queued_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "dedupe_key"],
                condition=Q(dedupe_key__isnull=False, state="queued"),
                name="one_queued_job_per_dedupe_key",
            ),
            # Two at once would count each other's tries against the events, and read everything twice.
            models.UniqueConstraint(
                fields=["owner"],
                condition=Q(kind="process_events", state="running"),
                name="one_worker_per_owner",
            ),
            one_of("state", JobState),
        ]
        indexes = [
            models.Index(
                fields=["created_at"], condition=Q(state__in=["queued", "running"]), name="job_open"
            ),
            models.Index(fields=["owner", "created_at"], name="job_owner"),
        ]


class WorkerBeat(models.Model):
    """When a worker process was last seen."""

    erasure: ClassVar[str] = "none: process names"
    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE", "DELETE")

    name = models.CharField(max_length=100, primary_key=True)
    seen_at = models.DateTimeField()
