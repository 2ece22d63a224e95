"""Who else has a review open. A script says every 15 seconds that the page is still seen; without one the opening counts."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from reviews.models import Viewing

SEEN_FOR = timedelta(seconds=45)
"""So long after he was last seen a person counts as looking: three polls of the script."""


def look_at(*, review_id: UUID, user_id: int, now: datetime) -> list[str]:
    """Note that the person looks at the review; answers the login names of the others who do, in order. Three statements."""
    Viewing.objects.bulk_create(
        [Viewing(user_id=user_id, review_id=review_id, seen_at=now)],
        update_conflicts=True,
        unique_fields=["user", "review_id"],
        update_fields=["seen_at"],
    )
    Viewing.objects.filter(user_id=user_id, seen_at__lte=now - SEEN_FOR).delete()
    others = Viewing.objects.filter(review_id=review_id, seen_at__gt=now - SEEN_FOR).exclude(user_id=user_id)
    return list(others.order_by("user__username").values_list("user__username", flat=True))


def look_away(*, user_id: int) -> None:
    """Forget what the person had open, at logout."""
    Viewing.objects.filter(user_id=user_id).delete()
