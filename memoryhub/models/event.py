"""What happened: append-only."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from .base import OwnerModel, OwnerRow, one_of
from .workspace import Agent


class EventRole(models.TextChoices):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    STAFF = "staff"


class EventState(models.TextChoices):
    ACCEPTED = "accepted"
    PROCESSED = "processed"
    FAILED = "failed"


class EventTier(models.TextChoices):
    HOT = "hot"
    COLD = "cold"
    COMPACTED = "compacted"


class Event(OwnerModel):
    """Facts are immutable (trigger `event_facts_are_immutable`); only the bookkeeping columns below may move."""

    runtime_privileges: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (state, outcome, learned, processed_at, tier, heat_anchor)",
    )
