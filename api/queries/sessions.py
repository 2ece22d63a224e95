"""Sessions of an owner as lists. Call inside a scope of the owner."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from api.pagination import Order
from memoryhub.models import Session

NEWEST_FIRST = Order(fields=("opened_at", "id"), kinds=(datetime, UUID))


def sessions_of(owner_id: UUID, asked: dict[str, Any]) -> QuerySet[Session]:
    sessions = Session.objects.of(owner_id)
    return sessions.filter(state=asked["state"]) if "state" in asked else sessions
