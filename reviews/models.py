"""Which workspace a person at the desk belongs to, and which reviews he has open.

What he may do there is said by his groups (reviews.access).
"""

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


class Viewing(models.Model):
    """Somebody has a review open: staff and a review by its id, for others who open the same. Replaced as he moves on."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE", "DELETE")
    erasure: ClassVar[str] = "none: a staff account and the id of a review, gone when he opens another"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="viewings")
    review_id = models.UUIDField()
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "review_id"], name="one_viewing_per_person_and_review")
        ]
        indexes = [models.Index(fields=["review_id", "seen_at"], name="viewing_of_review")]

    def __str__(self) -> str:
        return f"{self.user_id}@{self.review_id}"
