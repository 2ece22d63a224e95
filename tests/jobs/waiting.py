"""Time passing for background work: leases run out and the sweep goes round, without the waiting."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.db import connection
from django_q.models import OrmQ

from memoryhub.jobs.sweeping import sweep
from memoryhub.jobs.tasks import run_job


def work_off_the_queue() -> None:
    """Do here what a worker would do, until the queue is empty."""
    while message := OrmQ.objects.order_by("id").first():
        message.delete()
        run_job(*message.task["args"])


_PASS = """
UPDATE memoryhub_job SET lease_until = now() - interval '1 second'
WHERE state = 'running' AND started_at < now() - interval '1 second'
"""


def sweep_until(holds: Callable[[], bool], *, seconds: float = 60) -> None:
    """Let every lease older than a second run out and sweep, again and again, until something holds.

    A job whose lease is taken away while it still runs is done by two workers; that it takes effect once is part of the promise.
    """
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"did not hold within {seconds} s"
        with connection.cursor() as cursor:
            cursor.execute(_PASS)
        sweep()
        time.sleep(0.25)
