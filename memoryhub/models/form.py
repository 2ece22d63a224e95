"""Typed, versioned facts, and the whitelist of what may be one."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from .as_of import Moment, TwoClocks, as_of
from .base import OwnerModel, OwnerQuerySet, OwnerRow, new_id, one_of, share, trust
from .evidence import Basis, Evidenced
from .workspace import Workspace


class FormType(models.Model):
    erasure: ClassVar[str] = "none: the whitelist, not people"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="form_types")
    name = models.SlugField(max_length=60)
    label_en = models.CharField(max_length=100)
    label_zh = models.CharField(max_length=100)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="one_form_type_per_name")]

    def __str__(self) -> str:
        return self.name


class FieldDefinitionValueType(models.TextChoices):
    TEXT = "text"
    NUMBER = "number"
    MONEY = "money"
    DATE = "date"
    DATETIME = "datetime"
    BOOLEAN = "boolean"
    CHOICE = "choice"


class FieldDefinitionConflictPolicy(models.TextChoices):
    REPLACE = "replace"
    CONFIRM = "confirm"
    REVIEW = "review"


class FieldDefinitionReviewMode(models.TextChoices):
    GATE = "gate"
    PATROL = "patrol"
    NONE = "none"


class FieldDefinition(models.Model):
    """One entry of the whitelist people maintain. Nothing outside it becomes a form value."""

    erasure: ClassVar[str] = "none: the whitelist, not people"

    ValueType = FieldDefinitionValueType
    ConflictPolicy = FieldDefinitionConflictPolicy
    ReviewMode = FieldDefinitionReviewMode

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    form_type = models.ForeignKey(FormType, models.PROTECT, related_name="fields")
    name = models.SlugField(max_length=60)
    label_en = models.CharField(max_length=100)
    label_zh = models.CharField(max_length=100)
    value_type = models.CharField(max_length=10, choices=ValueType.choices, default=ValueType.TEXT)
    choices = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    minimum = models.FloatField(null=True)
    maximum = models.FloatField(null=True)
    max_length = models.PositiveIntegerField(default=500)
    aliases = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    multi_valued = models.BooleanField(default=False)
    key_attribute = models.BooleanField(default=False, help_text="never decays, never goes cold")
    safety = models.BooleanField(default=False, help_text="a candidate of every recall")
    sensitivity = models.CharField(max_length=20, default="normal")
    default_importance = models.FloatField(default=0.7)
    conflict_policy = models.CharField(
        max_length=10, choices=ConflictPolicy.choices, default=ConflictPolicy.REPLACE
    )
    tolerance = models.FloatField(null=True, help_text="share for numbers, hours for dates")
    lifetime_days = models.PositiveIntegerField(null=True)
    review_mode = models.CharField(max_length=10, choices=ReviewMode.choices, default=ReviewMode.PATROL)
    least_trust_tier = models.PositiveSmallIntegerField(default=1)
    writer_roles = ArrayField(models.CharField(max_length=10), default=list, blank=True)
    writer_agents = ArrayField(models.UUIDField(), default=list, blank=True)
    decay_rate = models.FloatField(default=0.02, help_text="λ per day")
    active = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["form_type", "name"], name="one_field_per_name"),
            one_of("value_type", FieldDefinitionValueType),
            one_of("conflict_policy", FieldDefinitionConflictPolicy),
            one_of("review_mode", FieldDefinitionReviewMode),
            share("default_importance"),
            models.CheckConstraint(
                condition=Q(least_trust_tier__gte=1, least_trust_tier__lte=4), name="field_trust_is_1_to_4"
            ),
            models.CheckConstraint(
                condition=Q(decay_rate__gte=0, decay_rate__lte=1), name="field_decay_rate_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.form_type.name}.{self.name}"


class Form(OwnerModel):
    """The values of one subject: (owner, form type, subject). Its row is the lock under which versions are counted."""

    form_type = models.ForeignKey(FormType, models.PROTECT, related_name="+")
    subject = models.CharField(max_length=200, blank=True, db_collation="C")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "form_type", "subject"], name="one_form_per_subject")
        ]


class FieldVersionStatus(models.TextChoices):
    ACTIVE = "active"
    SCHEDULED = "scheduled"
    SUPERSEDED = "superseded"
    HISTORICAL = "historical"
    RETRACTED = "retracted"
    EXPIRED = "expired"
    ARCHIVED = "archived"


class FieldVersionTier(models.TextChoices):
    WARM = "warm"
    COLD = "cold"


class FieldVersionQuerySet(OwnerQuerySet["FieldVersion"]):
    def holding(self, *, valid_at: Moment, known_at: Moment) -> FieldVersionQuerySet:
        """What was true at `valid_at` as far as we believed at `known_at`; one per slot.

        Of two that hold in one slot (a value whose day has come beside the one before it, two late facts) the one that
        began last counts, then the one that arrived last.
        """
        slot = {name: OuterRef(name) for name in ("owner_id", "form_id", "field_id", "value_key")}
        later = FieldVersion.objects.filter(as_of(valid_at=valid_at, known_at=known_at), **slot).filter(
            Q(valid_from__gt=OuterRef("valid_from"))
            | Q(valid_from=OuterRef("valid_from"), version__gt=OuterRef("version"))
        )
        return self.filter(as_of(valid_at=valid_at, known_at=known_at)).exclude(Exists(later))


class FieldVersion(OwnerModel, TwoClocks, Evidenced):
    """One value a field has had. Only `writing.applying` makes or closes one."""

    objects: ClassVar = FieldVersionQuerySet.as_manager()

    Status = FieldVersionStatus
    Tier = FieldVersionTier

    form_id = models.UUIDField()
    form = OwnerRow(Form, "form_id", related_name="versions")
    field = models.ForeignKey(FieldDefinition, models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(help_text="order of arrival, counted under the form's row lock")
    value = models.JSONField()
    value_key = models.CharField(
        max_length=600, blank=True, help_text="'' for a single-valued field, else the normalised value"
    )
    value_norm = models.CharField(max_length=600, help_text="the normalised value: what equality means")
    status = models.CharField(max_length=12, choices=Status.choices)
    superseded_by_version = models.PositiveIntegerField(null=True)
    confirmations = models.PositiveIntegerField(default=0)
    last_confirmed_at = models.DateTimeField(null=True)
    strength_anchor = models.FloatField()
    decay_rate = models.FloatField(default=0.02)
    tier = models.CharField(max_length=10, choices=Tier.choices, default=Tier.WARM)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "form_id", "field", "value_key"],
                condition=Q(status="active"),
                name="one_active_version_per_field",
            ),
            models.UniqueConstraint(
                fields=["owner", "form_id", "field", "version"], name="one_row_per_version"
            ),
            models.CheckConstraint(
                condition=Q(status="superseded", superseded_by_version__isnull=False)
                | (~Q(status="superseded") & Q(superseded_by_version__isnull=True)),
                name="superseded_means_has_a_successor",
            ),
            models.CheckConstraint(
                condition=Q(superseded_by_version__isnull=True) | Q(superseded_by_version__gt=F("version")),
                name="versions_are_superseded_forward",
            ),
            one_of("status", FieldVersionStatus),
            one_of("basis", Basis),
            share("confidence"),
            share("importance"),
            share("strength_anchor"),
            share("decay_rate"),
            trust("trust_tier"),
            models.CheckConstraint(
                condition=Q(valid_until__isnull=True) | Q(valid_until__gte=F("valid_from")),
                name="a_version_ends_after_it_began",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "form_id", "field", "-version"], name="field_version_chain"),
            models.Index(fields=["owner", "event_id"], name="field_version_event"),
            models.Index(fields=["workspace_id", "-known_from", "-id"], name="version_newest_of_workspace"),
            models.Index(
                fields=["workspace_id", "valid_from"],
                condition=Q(status="scheduled"),
                name="field_version_due",
            ),
        ]
