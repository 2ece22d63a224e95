"""Where a value came from: the event, the words, and how sure we were."""

from __future__ import annotations

from django.db import models

from .base import OwnerRow


class Basis(models.TextChoices):
    STATED = "stated"
    CORRECTED = "corrected"
    OBSERVED = "observed"
    INFERRED = "inferred"
    IMPORTED = "imported"
    STAFF = "staff"


class Evidenced(models.Model):
    event_id = models.UUIDField(null=True)
    event = OwnerRow("memoryhub.Event", "event_id", null=True)
    quote = models.TextField(blank=True)
    quote_start = models.PositiveIntegerField(null=True)
    quote_end = models.PositiveIntegerField(null=True)
    confidence = models.FloatField()
    importance = models.FloatField()
    trust_tier = models.PositiveSmallIntegerField()
    basis = models.CharField(max_length=10, choices=Basis.choices, default=Basis.STATED)
    agent_id = models.UUIDField(null=True)

    class Meta:
        abstract = True
