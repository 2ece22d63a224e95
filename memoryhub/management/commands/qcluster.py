"""The background worker: the task queue's cluster, a heartbeat, and the sweep."""

from __future__ import annotations

import os
import socket
import time
from typing import Any

import structlog
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection
from django_q.cluster import Cluster

from memoryhub.exceptions import MemoryhubError
from memoryhub.jobs.beating import beat
from memoryhub.language.patterns import compile_all
from memoryhub.running.orphans import end_forks_with_their_parent

BEAT_SECONDS = 5.0
BEATS_PER_SEARCH_SWEEP = 12

log = structlog.get_logger(__name__)


class Command(BaseCommand):
    help = "Run the background worker until SIGTERM or Ctrl-C."

    def handle(self, *args: Any, **options: Any) -> None:
        # Killed without warning, the main process must not leave a cluster behind that works on beside the next one.
        end_forks_with_their_parent()
        # Once, for all the forks to come.
        compile_all()
        cluster = Cluster()
        # The cluster forks before this process opens a connection of its own: connections do not survive a fork.
        connection.close()
        cluster.start()
        name = f"{socket.gethostname()}:{os.getpid()}"
        next_beat, beats = 0.0, 0
        # The cluster's signal handler stops it and clears stop_event.
        while cluster.stop_event is not None and cluster.sentinel.is_alive():
            if time.monotonic() >= next_beat:
                self._beat(name, with_search=beats % BEATS_PER_SEARCH_SWEEP == 0)
                beats += 1
                next_beat = time.monotonic() + BEAT_SECONDS
            time.sleep(0.2)

    def _beat(self, name: str, *, with_search: bool) -> None:
        """A database that is away is waited for; an owner who was frozen meanwhile is left to the next beat."""
        try:
            beat(name=name, with_search=with_search)
        except (DatabaseError, MemoryhubError) as error:
            log.warning("beat_failed", error=type(error).__name__)
            connection.close()
