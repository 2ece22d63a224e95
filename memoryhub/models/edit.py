"""What every edit of a definition keeps, whatever is defined: who, when, why, what it said before and says now."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from .base import new_id
from .workspace import Workspace


class Edit(models.Model):
    """One version of a definition; a subclass says of what, and by which `action`. Append-only."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="+")
    version = models.PositiveIntegerField()
    restored_version = models.PositiveIntegerField(null=True)
    before = models.JSONField(null=True)
    after = models.JSONField()
    reason = models.CharField(max_length=500, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        abstract = True
