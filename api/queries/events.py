"""Events as agents ask for them. Call inside a scope of the owner."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from api.pagination import Order
from memoryhub.models import Event, Owner

NEWEST_FIRST = Order(fields=("occurred_at", "id"), kinds=(datetime, UUID))


def events_of(owner_id: UUID, asked: dict[str, Any]) -> QuerySet[Event]:
    """The owner's events that the filters of EventQuery let through; one more statement when a day is asked for."""
    events = Event.objects.of(owner_id)
    named = {"action": "action", "role": "role", "session": "session_ref"}
    exact = {column: asked[name] for name, column in named.items() if name in asked}
    events = events.filter(**exact)
    if "since" in asked:
        events = events.filter(occurred_at__gte=asked["since"])
    if "until" in asked:
        events = events.filter(occurred_at__lt=asked["until"])
    if "day" in asked:
        zone = ZoneInfo(asked.get("time_zone") or zone_of(owner_id))
        events = events.filter(
            occurred_at__gte=datetime.combine(asked["day"], time(), zone),
            occurred_at__lt=datetime.combine(asked["day"] + timedelta(days=1), time(), zone),
        )
    return events


def zone_of(owner_id: UUID) -> str:
    return Owner.objects.select_related("workspace").get(id=owner_id).zone


def outcomes_of(owner_id: UUID, event_ids: Sequence[UUID]) -> list[Event]:
    """The named events with their state and outcome, in the order they were recorded."""
    events = Event.objects.of(owner_id).filter(id__in=event_ids)
    return list(events.only("owner_id", "id", "state", "outcome").order_by("recorded_at", "id"))
