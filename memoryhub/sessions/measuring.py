"""How often the session layer has the answer itself: the share of recalls in a session with values that found theirs there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Q

from memoryhub.models import Recall

LOW_BELOW = 0.8
LEAST_RECALLS = 20
"""Fewer recalls say nothing about a rate."""
WINDOW = timedelta(days=7)


@dataclass(frozen=True, kw_only=True, slots=True)
class HitRate:
    """Recalls that could have been answered from their session, and those that were."""

    asked: int
    hits: int

    @property
    def share(self) -> float | None:
        return self.hits / self.asked if self.asked else None

    @property
    def is_low(self) -> bool:
        """Whether somebody should look: sessions are asked and seldom know."""
        return self.asked >= LEAST_RECALLS and self.hits < LOW_BELOW * self.asked


def session_hit_rate(*, workspace_id: UUID, now: datetime) -> HitRate:
    """Of the workspace's recalls of the last seven days; one statement, from an index. Call inside a scope of the workspace."""
    recent = Recall.objects.filter(
        workspace_id=workspace_id, created_at__gt=now - WINDOW, session_hit__isnull=False
    )
    counted = recent.aggregate(asked=Count("*"), hits=Count("id", filter=Q(session_hit=True)))
    return HitRate(asked=counted["asked"], hits=counted["hits"])
