"""Model providers: whether they answer, and what they cost."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from .base import new_id
from .workspace import Workspace


class ProviderState(models.Model):
    """Whether a provider answers, as all processes see it. Moved by memoryhub.language.breaker alone."""

    erasure: ClassVar[str] = "none: names of hosts and models"

    name = models.CharField(max_length=200, primary_key=True)
    failures = models.PositiveIntegerField(default=0, help_text="in a row, since the last answer")
    openings = models.PositiveIntegerField(
        default=0, help_text="in a row: each waits longer than the one before"
    )
    open_until = models.DateTimeField(null=True, help_text="nobody asks before this moment")
    error_code = models.CharField(max_length=60, blank=True)
    answered_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class ModelUsage(models.Model):
    """What a workspace asked a model on one day (UTC), and what it cost."""

    erasure: ClassVar[str] = "none: counts of a workspace"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="+")
    day = models.DateField()
    model = models.CharField(max_length=200)
    purpose = models.CharField(max_length=40)
    calls = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0, help_text="calls without a usable answer")
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=6, default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "day", "model", "purpose"], name="one_usage_row_per_day_and_model"
            ),
        ]
