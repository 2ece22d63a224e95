"""Which workspace a person at the desk belongs to. What he may do there is said by his groups (reviews.access.ROLES)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from memoryhub.models import Workspace


class Membership(models.Model):
    """A staff account works in exactly one workspace; without a membership it sees nothing."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE", "DELETE")
    erasure: ClassVar[str] = "none: staff accounts, not owners"

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="membership")
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="members")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user_id}@{self.workspace_id}"
