"""People and things that an owner's memory speaks of, and how they are related."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .as_of import Moment, TwoClocks, as_of
from .base import OwnerModel, OwnerQuerySet, OwnerRow, one_of, share, trust
from .evidence import Basis, Evidenced
from .vocabulary import EntityKind, RelationKind

SAME_AS = "same_as"
"""The relation kind that says that two names mean one thing; merging writes one, splitting ends it."""


class Entity(OwnerModel):
    """One name of a thing of one kind. Rows never change: that two names mean one thing is a relation (`same_as`) like any
    other, with evidence, dates and a way back; the entity it points at is the one whose name the thing is known by.

    An entity is told of only while some relation about it is believed. One per owner stands for the owner himself.
    """

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    kind = models.ForeignKey(EntityKind, models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=200, blank=True, help_text="as it was first written; '' for the owner")
    key = models.CharField(
        max_length=600, blank=True, db_collation="C", help_text="equal for spellings of one name"
    )
    skeleton = models.CharField(
        max_length=600, blank=True, db_collation="C", help_text="equal for names that look the same"
    )
    is_owner = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "kind", "key"], name="one_entity_per_name"),
            models.UniqueConstraint(
                fields=["owner"], condition=Q(is_owner=True), name="one_entity_is_the_owner"
            ),
            models.CheckConstraint(
                condition=Q(is_owner=True, key="") | (Q(is_owner=False) & ~Q(key="")),
                name="an_entity_has_a_name",
            ),
        ]
        indexes = [models.Index(fields=["owner", "skeleton"], name="entity_skeleton")]


OWNER_NAMED = {"en": "the owner", "zh": "用户"}


def line_of(*, start: str, label: str, end: str) -> str:
    """'coffee contains milk', '咖啡含有牛奶': a relation in one sentence."""
    is_chinese = any("\u3400" <= letter <= "\u9fff" for letter in label)
    return f"{start}{label}{end}" if is_chinese else f"{start} {label} {end}"


class RelationStatus(models.TextChoices):
    ACTIVE = "active"
    SCHEDULED = "scheduled"
    SUPERSEDED = "superseded"
    HISTORICAL = "historical"
    RETRACTED = "retracted"
    EXPIRED = "expired"


class RelationResolution(models.TextChoices):
    OPEN = "open"
    PENDING = "pending"
    SOLVED = "solved"


class RelationQuerySet(OwnerQuerySet["Relation"]):
    def whole(self) -> RelationQuerySet:
        """With what a relation is told by."""
        return self.select_related("kind", "from_entity__kind", "to_entity__kind")

    def holding(self, *, valid_at: Moment, known_at: Moment) -> RelationQuerySet:
        """What was true at `valid_at` as far as we believed at `known_at`."""
        return self.filter(as_of(valid_at=valid_at, known_at=known_at))


class Relation(OwnerModel, TwoClocks, Evidenced):
    """How one thing is related to another (or to a plain value), since when and until when.

    Relations that cannot be true at once share `from_entity`, `slot` and `slot_key` and form a chain: who dislikes tea
    prefers it no longer, an order has one status.
    """

    objects: ClassVar = RelationQuerySet.as_manager()

    Status = RelationStatus
    Resolution = RelationResolution

    seq = models.BigIntegerField(
        help_text="order of arrival within the owner, counted with his memory items under OwnerSequence's lock"
    )
    kind = models.ForeignKey(RelationKind, models.PROTECT, related_name="+", db_index=False)
    from_entity_id = models.UUIDField()
    from_entity = OwnerRow(Entity, "from_entity_id", related_name="relations_from")
    to_entity_id = models.UUIDField(null=True)
    to_entity = OwnerRow(Entity, "to_entity_id", related_name="relations_to", null=True)
    value = models.CharField(
        max_length=500, blank=True, help_text="the plain value, when it is not an entity"
    )
    slot = models.CharField(max_length=60, help_text="the family of its kind")
    slot_key = models.CharField(max_length=40, blank=True, help_text="the target; '' for a single kind")
    strength = models.FloatField(null=True, help_text="0 to 1")
    impact = models.PositiveSmallIntegerField(null=True, help_text="1 to 3")
    resolution = models.CharField(max_length=10, blank=True, choices=Resolution.choices)
    status = models.CharField(max_length=12, choices=Status.choices)
    superseded_by_seq = models.BigIntegerField(null=True)
    confirmations = models.PositiveIntegerField(default=0)
    last_confirmed_at = models.DateTimeField(null=True)
    session_ref = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "seq"], name="one_relation_per_seq"),
            models.UniqueConstraint(
                fields=["owner", "from_entity_id", "slot", "slot_key"],
                condition=Q(status="active"),
                name="one_active_relation_per_slot",
            ),
            models.CheckConstraint(
                condition=Q(to_entity_id__isnull=False, value="") | (Q(to_entity_id=None) & ~Q(value="")),
                name="a_relation_has_one_target",
            ),
            models.CheckConstraint(
                condition=Q(to_entity_id=None) | ~Q(to_entity_id=F("from_entity_id")),
                name="a_relation_has_two_ends",
            ),
            models.CheckConstraint(
                condition=Q(status="superseded", superseded_by_seq__isnull=False)
                | (~Q(status="superseded") & Q(superseded_by_seq__isnull=True)),
                name="superseded_relation_has_a_successor",
            ),
            models.CheckConstraint(
                condition=Q(superseded_by_seq__isnull=True) | Q(superseded_by_seq__gt=F("seq")),
                name="relations_are_superseded_forward",
            ),
            models.CheckConstraint(
                condition=Q(valid_until__isnull=True) | Q(valid_until__gte=F("valid_from")),
                name="a_relation_ends_after_it_began",
            ),
            models.CheckConstraint(
                condition=Q(impact__isnull=True) | Q(impact__gte=1, impact__lte=3),
                name="relation_impact_is_1_to_3",
            ),
            models.CheckConstraint(
                condition=Q(resolution="") | Q(resolution__in=RelationResolution.values),
                name="relation_resolution_is_known",
            ),
            one_of("status", RelationStatus),
            one_of("basis", Basis),
            share("strength"),
            share("confidence"),
            share("importance"),
            trust("trust_tier"),
        ]
        indexes = [
            models.Index(fields=["owner", "-seq"], name="relation_list"),
            models.Index(fields=["owner", "from_entity_id"], name="relation_from"),
            models.Index(
                fields=["owner", "to_entity_id"],
                condition=Q(to_entity_id__isnull=False),
                name="relation_to",
            ),
            models.Index(fields=["owner", "event_id"], name="relation_event"),
            models.Index(
                fields=["workspace_id", "valid_from"], condition=Q(status="scheduled"), name="relation_due"
            ),
        ]

    @property
    def content(self) -> str:
        """The relation as a sentence in English; load with `whole()`."""
        return self.told_in("en")

    def told_in(self, language: str) -> str:
        label = self.kind.label_zh if language == "zh" else self.kind.label_en
        end = self.value if self.to_entity is None else _named(self.to_entity, language)
        return line_of(start=_named(self.from_entity, language), label=label, end=end)


def _named(entity: Entity, language: str) -> str:
    return entity.name or OWNER_NAMED[language]
