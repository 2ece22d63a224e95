"""Questions that came again: the sign that the first answer did not do."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from .base import OwnerModel, OwnerRow, one_of, share
from .recall import Recall
from .workspace import Workspace


class RepeatedQuestionSign(models.TextChoices):
    SAME_WORDS = "same_words"
    SAME_FIELD = "same_field"
    SAME_NAMES = "same_names"
    MEANING = "meaning"


class RepeatedQuestion(OwnerModel):
    """A recall that asks about the subject of an earlier one of the same owner, at most seven days before."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    Sign = RepeatedQuestionSign

    earlier_id = models.UUIDField()
    earlier = OwnerRow(Recall, "earlier_id", related_name="repeated_by")
    later_id = models.UUIDField()
    later = OwnerRow(Recall, "later_id", related_name="repeats")
    sign = models.CharField(
        max_length=12, choices=Sign.choices, help_text="by what the subject is known as the same"
    )
    likeness = models.FloatField(help_text="share of common words, or the cosine")
    earlier_at = models.DateTimeField()
    at = models.DateTimeField(help_text="when it was asked again")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "later_id", "earlier_id"], name="one_repeat_per_pair"),
            one_of("sign", RepeatedQuestionSign),
            share("likeness"),
            models.CheckConstraint(condition=Q(at__gt=F("earlier_at")), name="a_repeat_comes_later"),
        ]
        indexes = [
            models.Index(fields=["workspace_id", "-at", "-id"], name="repeat_newest_of_workspace"),
            models.Index(fields=["owner", "earlier_id"], name="repeat_of_question"),
        ]


class RepeatSearch(models.Model):
    """Up to when the recalls of a workspace were looked through for repeated questions."""

    erasure: ClassVar[str] = "none: a time"
    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    workspace = models.OneToOneField(Workspace, models.PROTECT, primary_key=True, related_name="+")
    looked_until = models.DateTimeField()
