"""Whether a provider is worth asking, agreed on by all processes through one row per provider.

Closed: ask. Open (after `TRIP_AFTER` failures in a row): nobody asks until the time is over, which doubles with every opening in a
row. Then one process asks, the others wait for what it finds. Never used inside a transaction that may roll back.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Literal

from django.db import transaction
from django.utils import timezone

from memoryhub.models import ProviderState

TRIP_AFTER = 4
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(minutes=5)
PROBE_LEASE = timedelta(seconds=60)
"""How long the one that asks first keeps the others away, should it never come back."""

type BreakerState = Literal["ok", "degraded", "down"]
type Leave = Literal["yes", "probe", "no"]


def ask_leave(name: str, *, now: datetime | None = None) -> Leave:
    """Whether the provider may be asked now. When its pause is over, the first to ask here is told 'probe' and the others 'no'."""
    now = now or timezone.now()
    row = ProviderState.objects.filter(name=name).first()
    if row is None or row.open_until is None:
        return "yes"
    if row.open_until > now:
        return "no"
    taken = ProviderState.objects.filter(name=name, open_until=row.open_until)
    return "probe" if taken.update(open_until=now + PROBE_LEASE) else "no"


def may_ask(name: str, *, now: datetime | None = None) -> bool:
    """Whether the provider may be asked now, as `ask_leave` says."""
    return ask_leave(name, now=now) != "no"


def note_answer(name: str, *, now: datetime | None = None) -> None:
    """The provider answered: closed again, everything forgotten but the time."""
    _row(name)
    ProviderState.objects.filter(name=name).update(
        failures=0, openings=0, open_until=None, error_code="", answered_at=now or timezone.now()
    )


@transaction.atomic
def note_failure(
    name: str, *, code: str, retry_after: float | None = None, now: datetime | None = None
) -> None:
    """The provider gave no answer. Opens after `TRIP_AFTER` in a row, at once when it was being tried out or said when to come back."""
    now = now or timezone.now()
    _row(name)
    row = ProviderState.objects.select_for_update().get(name=name)
    row.failures, row.error_code, row.failed_at = row.failures + 1, code[:60], now
    if row.failures >= TRIP_AFTER or row.openings or retry_after is not None:
        row.openings += 1
        row.open_until = now + max(_pause(row.openings), timedelta(seconds=retry_after or 0))
    row.save()


def state_of(row: ProviderState | None) -> BreakerState:
    """`degraded`: it failed lately but is still asked. `down`: it is not asked, or is being tried out."""
    if row is None:
        return "ok"
    if row.open_until is not None:
        return "down"
    return "degraded" if row.failures else "ok"


def _pause(openings: int) -> timedelta:
    whole: timedelta = min(FIRST_PAUSE * 2 ** min(openings - 1, 10), LONGEST_PAUSE)
    # Between three quarters and the whole: processes that wait for different providers do not come back in step.
    return whole * random.uniform(0.75, 1.0)  # noqa: S311


def _row(name: str) -> None:
    ProviderState.objects.bulk_create([ProviderState(name=name)], ignore_conflicts=True)
