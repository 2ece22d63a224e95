"""Where a proposal on a shared owner came from: a member's own memory."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from .base import OwnerModel, OwnerRow, one_of
from .change import Change


class PromotionSource(models.TextChoices):
    FIELD_VERSION = "field_version"
    ITEM = "item"


class Promotion(OwnerModel):
    """`owner` is the shared owner, `change` what was proposed to him. The source belongs to another owner, so nothing links to it
    by key; when that owner is erased the database itself takes what nobody approved, and cuts the rest off from him."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE (settled_at)")
    role_privileges: ClassVar[dict[str, tuple[str, ...]]] = {"eraser": ("SELECT", "UPDATE", "DELETE")}

    Source = PromotionSource

    change_id = models.UUIDField()
    change = OwnerRow(Change, "change_id", related_name="promotions")
    source_owner_id = models.UUIDField(null=True, help_text="none: he was erased")
    source_kind = models.CharField(max_length=14, choices=PromotionSource)
    source_id = models.UUIDField(null=True, help_text="the version or item that was proposed")
    created_at = models.DateTimeField(db_default=Now())
    settled_at = models.DateTimeField(
        null=True, help_text="when the end of its source was followed: withdrawn, or looked at again"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "change_id"], name="one_promotion_per_change"),
            one_of("source_kind", PromotionSource),
            models.CheckConstraint(
                condition=Q(source_owner_id=None, source_id=None)
                | Q(source_owner_id__isnull=False, source_id__isnull=False),
                name="a_promotion_has_a_whole_source_or_none",
            ),
            models.CheckConstraint(
                condition=Q(source_owner_id=None) | ~Q(source_owner_id=models.F("owner_id")),
                name="nothing_is_promoted_to_its_own_owner",
            ),
        ]
        indexes = [
            models.Index(fields=["source_owner_id", "source_id"], name="promotions_of_a_source"),
            models.Index(
                fields=["workspace_id", "created_at"],
                condition=Q(settled_at=None),
                name="promotions_to_follow",
            ),
        ]
