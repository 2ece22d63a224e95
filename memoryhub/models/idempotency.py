"""The answer to a writing request that may be sent again."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from .base import OwnerModel
from .workspace import Agent


class IdempotencyKey(OwnerModel):
    """Kept as status, ids and codes, never as a body: the answer is rendered again from the rows it names."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    agent = models.ForeignKey(Agent, models.PROTECT, related_name="+", db_index=False)
    route = models.CharField(max_length=100)
    key = models.CharField(max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.JSONField(default=dict, help_text="ids and codes")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "agent", "route", "key"], name="one_answer_per_idempotency_key"
            ),
        ]
