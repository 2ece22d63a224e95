"""Every edit of the whitelist: who, when, why, what it said before and says now."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from .base import one_of
from .edit import Edit
from .form import FieldDefinition, FormType


class WhitelistEditAction(models.TextChoices):
    START = "start"
    CREATE = "create"
    EDIT = "edit"
    ALIAS = "alias"
    RESTORE = "restore"


class WhitelistEdit(Edit):
    """One version of a form type (`field` is empty) or of a field. Append-only.

    `start` is what stood before the first edit: definitions that came with the workspace have no maker.
    """

    erasure: ClassVar[str] = "none: the whitelist, not people"

    Action = WhitelistEditAction

    form_type = models.ForeignKey(FormType, models.PROTECT, related_name="+")
    field = models.ForeignKey(FieldDefinition, models.PROTECT, null=True, related_name="edits")
    action = models.CharField(max_length=10, choices=Action.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["field", "version"],
                condition=Q(field__isnull=False),
                name="one_edit_per_field_version",
            ),
            models.UniqueConstraint(
                fields=["form_type", "version"],
                condition=Q(field__isnull=True),
                name="one_edit_per_form_type_version",
            ),
            one_of("action", WhitelistEditAction),
            models.CheckConstraint(
                condition=Q(action__in=["start", "create"], before__isnull=True)
                | (~Q(action__in=["start", "create"]) & Q(before__isnull=False)),
                name="an_edit_says_what_stood_before",
            ),
            models.CheckConstraint(
                condition=Q(action="restore", restored_version__isnull=False)
                | (~Q(action="restore") & Q(restored_version__isnull=True)),
                name="a_restored_edit_names_its_version",
            ),
        ]
        indexes = [models.Index(fields=["workspace", "-at", "-id"], name="whitelist_edit_newest")]
