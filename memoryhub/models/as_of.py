"""The one as-of predicate, in Python, as a Q and as SQL (DESIGN section 13, "Two clocks").

A change of the world closes a row in valid time (`valid_until`) and notes when we learned it (`closed_at`); a correction
closes it in known time (`known_until`). Asked for valid time v and known time k, a row holds when

    valid_from <= v and (valid_until is null or valid_until > v or closed_at > k)
    and known_from <= k and (known_until is null or known_until > k)
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class TwoClocks(models.Model):
    valid_from = models.DateTimeField()
    valid_until = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True, help_text="when we learned that it ended")
    known_from = models.DateTimeField(db_default=Now())
    known_until = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class HasTwoClocks(Protocol):
    valid_from: datetime
    valid_until: datetime | None
    closed_at: datetime | None
    known_from: datetime
    known_until: datetime | None


def holds(row: HasTwoClocks, *, valid_at: datetime, known_at: datetime) -> bool:
    """Whether the row was true at `valid_at` as far as we believed at `known_at`."""
    ended = row.valid_until is not None and row.valid_until <= valid_at
    ended = ended and not (row.closed_at is not None and row.closed_at > known_at)
    withdrawn = row.known_until is not None and row.known_until <= known_at
    return row.valid_from <= valid_at and row.known_from <= known_at and not ended and not withdrawn


type Moment = datetime | Now
"""A time, or the database's own now."""


def as_of(*, valid_at: Moment, known_at: Moment) -> Q:
    """The same predicate as a condition on a queryset."""
    return (
        Q(valid_from__lte=valid_at, known_from__lte=known_at)
        & (Q(valid_until=None) | Q(valid_until__gt=valid_at) | Q(closed_at__gt=known_at))
        & (Q(known_until=None) | Q(known_until__gt=known_at))
    )


def as_of_sql(alias: str) -> str:
    """The same predicate as SQL over `alias`, with parameters %(valid_at)s and %(known_at)s."""
    return (
        f"({alias}.valid_from <= %(valid_at)s AND {alias}.known_from <= %(known_at)s"
        f" AND ({alias}.valid_until IS NULL OR {alias}.valid_until > %(valid_at)s OR {alias}.closed_at > %(known_at)s)"
        f" AND ({alias}.known_until IS NULL OR {alias}.known_until > %(known_at)s))"
    )
