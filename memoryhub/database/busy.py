"""A transaction that lost a race is run again: here, and nowhere else (DESIGN section 13, "Connections")."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import wraps

from django.db import OperationalError, connection

TRIES = 3
LONGEST_PAUSE_SECONDS = 0.1
LOST_RACES = frozenset({"40001", "40P01", "55P03"})
"""Serialisation failure, deadlock, and a lock that was not free in time: nothing of the transaction is left."""


def run_again_when_busy[**P, T](service: Callable[P, T]) -> Callable[P, T]:
    """Run a service whose whole effect is one `scope` up to three times while it loses races.

    Inside an open transaction there is nothing that could be run again, so the error goes on to who opened it.
    """

    @wraps(service)
    def trying(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(TRIES - 1):
            try:
                return service(*args, **kwargs)
            except OperationalError as error:
                if connection.in_atomic_block or not lost_a_race(error):
                    raise
            time.sleep(random.uniform(0, LONGEST_PAUSE_SECONDS))  # noqa: S311  spreads the losers out
        return service(*args, **kwargs)

    return trying


def lost_a_race(error: Exception) -> bool:
    return getattr(error.__cause__, "sqlstate", None) in LOST_RACES
