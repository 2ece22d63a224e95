"""Named, immutable sets of weights, thresholds and budgets."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from .base import new_id
from .workspace import Workspace


class PolicyVersion(models.Model):
    """Values that differ from `memoryhub.policies.Policy`'s defaults. A workspace has one current version."""

    erasure: ClassVar[str] = "none: rules, not people"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="policy_versions")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    values = models.JSONField(default=dict)
    is_current = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "number"], name="one_policy_per_number"),
            models.UniqueConstraint(
                fields=["workspace"], condition=Q(is_current=True), name="one_current_policy_per_workspace"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.number}"
