"""One event with everything around it: the turns beside it, what caused it, and what was learned from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from memoryhub.models import Change, Event, FieldVersion, MemoryItem, Owner
from reviews.queries.scopes import of

MOST_RESULTS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class EventDetail:
    event: Event
    before: Event | None
    after: Event | None
    effects: Sequence[Event]
    versions: Sequence[FieldVersion]
    items: Sequence[MemoryItem]
    changes: Sequence[Change]

    @property
    def quotes(self) -> list[tuple[str, int | None]]:
        """The words that something was learned from or proposed, with where they begin when known."""
        rows: list[FieldVersion | MemoryItem] = [*self.versions, *self.items]
        learned = [(row.quote, row.quote_start) for row in rows if row.quote]
        return learned + [(change.quote, None) for change in self.changes if change.quote]


def event_detail(*, owner: Owner, event_id: UUID) -> EventDetail | None:
    """The event and its surroundings; None when the owner has no such event."""
    with of(owner):
        event = Event.objects.of(owner.id).filter(id=event_id).select_related("agent", "caused_by").first()
        if event is None:
            return None
        session = Event.objects.of(owner.id).filter(session_ref=event.session_ref)
        earlier = Q(occurred_at__lt=event.occurred_at) | Q(occurred_at=event.occurred_at, id__lt=event.id)
        later = Q(occurred_at__gt=event.occurred_at) | Q(occurred_at=event.occurred_at, id__gt=event.id)
        versions = (
            FieldVersion.objects.of(owner.id)
            .filter(event_id=event.id)
            .select_related("form__form_type", "field")
        )
        return EventDetail(
            event=event,
            before=session.filter(earlier).order_by("-occurred_at", "-id").first()
            if event.session_ref
            else None,
            after=session.filter(later).order_by("occurred_at", "id").first() if event.session_ref else None,
            effects=list(
                Event.objects.of(owner.id)
                .filter(caused_by_id=event.id)
                .order_by("occurred_at", "id")[:MOST_RESULTS]
            ),
            versions=list(versions.order_by("id")[:MOST_RESULTS]),
            items=list(
                MemoryItem.objects.of(owner.id).filter(event_id=event.id).order_by("id")[:MOST_RESULTS]
            ),
            changes=list(Change.objects.of(owner.id).filter(event_id=event.id).order_by("id")[:MOST_RESULTS]),
        )
