"""Which kinds of things there are and how they may be related: the vocabulary that staff keep, and every edit of it."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from .base import new_id, one_of, share
from .edit import Edit
from .workspace import Workspace


class EntityKind(models.Model):
    """One kind of thing: person, order, product."""

    erasure: ClassVar[str] = "none: the vocabulary, not people"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="entity_kinds")
    name = models.SlugField(max_length=60)
    label_en = models.CharField(max_length=100)
    label_zh = models.CharField(max_length=100)
    separates = models.BooleanField(
        default=False,
        help_text="what is bound to one entity of this kind is not told when another one of it is asked about",
    )
    active = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="one_entity_kind_per_name")]

    def __str__(self) -> str:
        return self.name


class RelationKindTarget(models.TextChoices):
    ENTITY = "entity"
    TEXT = "text"
    DATE = "date"


class RelationKind(models.Model):
    """One way in which a thing is related to another, or to a plain value (a status, a date).

    Relations of one `family` replace each other: who dislikes a thing prefers it no longer. A `single` kind has one target
    at a time: an order has one status.
    """

    erasure: ClassVar[str] = "none: the vocabulary, not people"

    Target = RelationKindTarget

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="relation_kinds")
    name = models.SlugField(max_length=60)
    label_en = models.CharField(max_length=100, help_text="as in 'coffee contains milk'")
    label_zh = models.CharField(max_length=100)
    aliases = ArrayField(
        models.CharField(max_length=60),
        default=list,
        blank=True,
        help_text="words by which a question names it",
    )
    target = models.CharField(max_length=10, choices=Target.choices, default=Target.ENTITY)
    family = models.SlugField(max_length=60, help_text="its own name, or one that it shares")
    single = models.BooleanField(default=False)
    from_kinds = ArrayField(models.SlugField(max_length=60), default=list, blank=True, help_text="empty: any")
    to_kinds = ArrayField(models.SlugField(max_length=60), default=list, blank=True, help_text="empty: any")
    attributes = ArrayField(
        models.CharField(max_length=12), default=list, blank=True, help_text="strength | impact | resolution"
    )
    warns = models.BooleanField(
        default=False, help_text="a path that ends with it is a warning when something is to be recommended"
    )
    reserved = models.BooleanField(
        default=False, help_text="kept by memoryhub itself: two names of one thing"
    )
    default_importance = models.FloatField(default=0.7)
    active = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "name"], name="one_relation_kind_per_name"),
            one_of("target", RelationKindTarget),
            share("default_importance"),
            models.CheckConstraint(condition=~Q(family=""), name="a_relation_kind_has_a_family"),
            models.CheckConstraint(
                condition=Q(target="entity") | Q(single=True), name="a_plain_value_has_one_place"
            ),
            models.CheckConstraint(
                condition=Q(attributes__contained_by=["strength", "impact", "resolution"]),
                name="relation_attributes_are_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class VocabularyEditAction(models.TextChoices):
    START = "start"
    CREATE = "create"
    EDIT = "edit"
    RESTORE = "restore"


class VocabularyEdit(Edit):
    """One version of an entity kind or of a relation kind. Append-only, as `WhitelistEdit`."""

    erasure: ClassVar[str] = "none: the vocabulary, not people"

    Action = VocabularyEditAction

    entity_kind = models.ForeignKey(EntityKind, models.PROTECT, null=True, related_name="edits")
    relation_kind = models.ForeignKey(RelationKind, models.PROTECT, null=True, related_name="edits")
    action = models.CharField(max_length=10, choices=Action.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entity_kind", "version"],
                condition=Q(entity_kind__isnull=False),
                name="one_edit_per_entity_kind_version",
            ),
            models.UniqueConstraint(
                fields=["relation_kind", "version"],
                condition=Q(relation_kind__isnull=False),
                name="one_edit_per_relation_kind_version",
            ),
            one_of("action", VocabularyEditAction),
            models.CheckConstraint(
                condition=Q(entity_kind__isnull=True, relation_kind__isnull=False)
                | Q(entity_kind__isnull=False, relation_kind__isnull=True),
                name="a_vocabulary_edit_is_of_one_kind",
            ),
            models.CheckConstraint(
                condition=Q(action__in=["start", "create"], before__isnull=True)
                | (~Q(action__in=["start", "create"]) & Q(before__isnull=False)),
                name="a_vocabulary_edit_says_what_stood_before",
            ),
            models.CheckConstraint(
                condition=Q(action="restore", restored_version__isnull=False)
                | (~Q(action="restore") & Q(restored_version__isnull=True)),
                name="a_restored_vocabulary_edit_names_its_version",
            ),
        ]
        indexes = [models.Index(fields=["workspace", "-at", "-id"], name="vocabulary_edit_newest")]
