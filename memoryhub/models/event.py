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
        "UPDATE (state, outcome, learned, attempts, processed_at, tier, heat_anchor, held_until)",
    )

    Role = EventRole
    State = EventState
    Tier = EventTier

    occurred_at = models.DateTimeField()
    recorded_at = models.DateTimeField(db_default=Now())
    session_ref = models.CharField(max_length=200, blank=True)
    actor = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.USER)
    subject = models.CharField(max_length=200, blank=True)
    action = models.CharField(max_length=40, default="message")
    content = models.TextField(blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.CharField(max_length=1000, blank=True)
    alternatives = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    caused_by_id = models.UUIDField(null=True)
    caused_by = OwnerRow("memoryhub.Event", "caused_by_id", null=True)
    form_type = models.CharField(max_length=60, blank=True)
    form_subject = models.CharField(max_length=200, blank=True)
    field_name = models.CharField(max_length=60, blank=True)
    metadata = models.JSONField(default=dict)
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="+", db_index=False)
    api_key_id = models.UUIDField(
        null=True,
        help_text="the key it came with; empty for events from before this was kept, and without a key",
    )
    trust_tier = models.PositiveSmallIntegerField()
    idempotency_key = models.CharField(max_length=255, null=True)
    fingerprint = models.BinaryField(
        max_length=32, null=True, help_text="HMAC(owner key, body): the same key must bring the same body"
    )
    is_test = models.BooleanField(default=False)

    state = models.CharField(max_length=10, choices=State.choices, default=State.ACCEPTED)
    outcome = models.JSONField(default=list, help_text="verdicts of the write path: ids and codes")
    learned = models.JSONField(
        default=dict, help_text="what the extractor read in it: action, reason, alternatives"
    )
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="counted before each try, so that a killed worker counts"
    )
    held_until = models.DateTimeField(
        null=True, help_text="over a write quota: kept, and read no earlier than this"
    )
    processed_at = models.DateTimeField(null=True)
    tier = models.CharField(max_length=10, choices=Tier.choices, default=Tier.HOT)
    heat_anchor = models.FloatField(default=1.0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "agent", "idempotency_key"],
                condition=Q(idempotency_key__isnull=False),
                nulls_distinct=False,
                name="one_event_per_idempotency_key",
            ),
            one_of("role", EventRole),
            one_of("state", EventState),
            one_of("tier", EventTier),
            models.CheckConstraint(
                condition=Q(heat_anchor__gte=0, heat_anchor__lte=1), name="event_heat_is_a_share"
            ),
            models.CheckConstraint(
                condition=Q(trust_tier__gte=1, trust_tier__lte=4), name="event_trust_is_1_to_4"
            ),
            models.CheckConstraint(
                condition=~Q(caused_by_id=models.F("id")), name="an_event_does_not_cause_itself"
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-occurred_at", "-id"], name="event_timeline"),
            models.Index(fields=["owner", "session_ref", "occurred_at", "id"], name="event_session"),
            models.Index(
                fields=["owner", "recorded_at", "id"], condition=Q(state="accepted"), name="event_unprocessed"
            ),
            models.Index(fields=["workspace_id", "-recorded_at", "-id"], name="event_newest_of_workspace"),
        ]
