"""The three lanes above a timeline, over the time of the rows on the page: what happened, what was believed, who decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from memoryhub.models import FieldVersion, MemoryItem, Owner, ReviewStep
from reviews.as_of import AsOf
from reviews.lanes import Axis, Lane, axis_over
from reviews.queries.derivation import Memory
from reviews.queries.scopes import of
from reviews.queries.timeline import Moment

MOST_BARS = 12
MOST_TICKS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class TimelineLanes:
    """Ticks are places on the axis, in thousandths of its length."""

    axis: Axis
    events: Sequence[int]
    people: Sequence[int]
    memories: Sequence[Lane[Memory]]
    number_left_out: int


def lanes_over(
    *, owner: Owner, moments: Sequence[Moment], as_of: AsOf, now: datetime
) -> TimelineLanes | None:
    """The lanes over the time of these rows; None without rows. Three statements.

    The most important memories that overlap it are drawn. As of another time: those known then, and nothing later.
    """
    if not moments:
        return None
    valid_at, known_at = as_of.moments() if as_of.is_past else (now, now)
    axis = axis_over([moment.at for moment in moments], now=max(moment.at for moment in moments))
    wanted = Q(valid_from__lte=min(axis.last, valid_at), known_from__lte=known_at)
    wanted &= Q(valid_until=None) | Q(valid_until__gte=axis.first)
    wanted &= Q(known_until=None) | Q(known_until__gt=known_at)
    with of(owner):
        found: list[Memory] = []
        for rows in (FieldVersion.objects.select_related("field"), MemoryItem.objects.all()):
            held = rows.filter(wanted, owner_id=owner.id).exclude(status="retracted")
            found += held.order_by("-importance", "-valid_from", "id")[: MOST_BARS + 1]
        steps = ReviewStep.objects.of(owner.id).filter(
            user_id__isnull=False, at__gte=axis.first, at__lte=min(axis.last, known_at)
        )
        decided = list(steps.order_by("at").values_list("at", flat=True)[:MOST_TICKS])
    found.sort(key=lambda row: (-row.importance, row.valid_from))
    drawn = sorted(found[:MOST_BARS], key=lambda row: row.valid_from)
    return TimelineLanes(
        axis=axis,
        events=[axis.place(moment.at) for moment in moments if moment.event],
        people=[axis.place(at) for at in decided],
        memories=[
            Lane(
                row=row,
                world=axis.bar(row.valid_from, row.valid_until),
                belief=axis.bar(row.known_from, row.known_until),
            )
            for row in drawn
        ],
        number_left_out=max(0, len(found) - MOST_BARS),
    )
