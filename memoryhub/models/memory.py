"""Sentences worth recalling."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce

from .as_of import Moment, TwoClocks, as_of
from .base import OwnerModel, OwnerQuerySet, OwnerRow, one_of, share, trust
from .evidence import Basis, Evidenced

USUAL_DECAY_RATE = 0.02
"""λ per day of a sentence; a key attribute has 0."""


class MemoryItemKind(models.TextChoices):
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    KNOWLEDGE = "knowledge"


class MemoryItemStatus(models.TextChoices):
    ACTIVE = "active"
    SCHEDULED = "scheduled"
    SUPERSEDED = "superseded"
    HISTORICAL = "historical"
    RETRACTED = "retracted"
    FORGOTTEN = "forgotten"
    EXPIRED = "expired"


class MemoryItemQuerySet(OwnerQuerySet["MemoryItem"]):
    def holding(self, *, valid_at: Moment, known_at: Moment) -> MemoryItemQuerySet:
        """What was true at `valid_at` as far as we believed at `known_at`; of one subject and attribute one sentence.

        Of two that hold the one that began last counts, then the one that arrived last.
        """
        chain = {name: OuterRef(name) for name in ("owner_id", "subject_entity", "attribute")}
        later = MemoryItem.objects.filter(as_of(valid_at=valid_at, known_at=known_at), **chain).filter(
            ~Q(attribute=""),
            Q(valid_from__gt=OuterRef("valid_from"))
            | Q(valid_from=OuterRef("valid_from"), seq__gt=OuterRef("seq")),
        )
        return self.filter(as_of(valid_at=valid_at, known_at=known_at)).exclude(Exists(later))

    def wordings(self, memory_id: UUID) -> MemoryItemQuerySet:
        """What a memory has said since it was written: its first wording and what edits made of it. Call on one owner's rows."""
        return self.filter(Q(id=memory_id) | Q(first_id=memory_id))

    def current_wording(self, item_id: UUID) -> MemoryItem | None:
        """How a memory stands, found by the id of any of its wordings; None when there is none. Call on one owner's rows."""
        named: MemoryItem | None = self.filter(id=item_id).first()
        if named is None or named.status == MemoryItemStatus.ACTIVE:
            return named
        found: MemoryItem | None = self.wordings(named.memory_id).order_by("-seq").first()
        return found


class MemoryItem(OwnerModel, TwoClocks, Evidenced):
    """One sentence. Items of one subject and attribute form a chain; without them an item can only be an exact duplicate."""

    objects: ClassVar = MemoryItemQuerySet.as_manager()

    Kind = MemoryItemKind
    Status = MemoryItemStatus

    seq = models.BigIntegerField(
        help_text="order of arrival within the owner, counted under OwnerSequence's lock"
    )
    first_id = models.UUIDField(
        null=True,
        help_text="of an edited memory the id of its first wording, by which it goes on being known; null: its own",
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    content = models.TextField()
    content_norm = models.CharField(
        max_length=64, help_text="digest of the normalised content: what an exact duplicate means"
    )
    entities = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    subject_entity = models.CharField(max_length=200, blank=True)
    attribute = models.CharField(max_length=200, blank=True)
    value_key = models.CharField(max_length=600, blank=True)
    status = models.CharField(max_length=12, choices=Status.choices)
    superseded_by_seq = models.BigIntegerField(null=True)
    key_attribute = models.BooleanField(default=False)
    decay_rate = models.FloatField(default=USUAL_DECAY_RATE)
    confirmations = models.PositiveIntegerField(default=0)
    last_confirmed_at = models.DateTimeField(null=True)
    strength_anchor = models.FloatField()
    metadata = models.JSONField(default=dict)
    procedure = models.JSONField(
        null=True,
        help_text="of a procedure with a trigger: title, tasks, phrases, patterns and ordered steps; the content is its text",
    )
    session_ref = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    updated_by_agent_id = models.UUIDField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "seq"], name="one_item_per_seq"),
            models.UniqueConstraint(
                fields=["owner", "kind", "content_norm"],
                condition=Q(status="active"),
                name="one_active_item_per_content",
            ),
            models.UniqueConstraint(
                fields=["owner", "subject_entity", "attribute"],
                condition=Q(status="active") & ~Q(attribute=""),
                name="one_active_item_per_attribute",
            ),
            models.UniqueConstraint(
                F("owner"),
                Coalesce("first_id", "id"),
                condition=Q(status="active"),
                name="one_active_wording_per_memory",
            ),
            models.CheckConstraint(
                condition=Q(status="superseded", superseded_by_seq__isnull=False)
                | (~Q(status="superseded") & Q(superseded_by_seq__isnull=True)),
                name="superseded_item_has_a_successor",
            ),
            models.CheckConstraint(
                condition=Q(superseded_by_seq__isnull=True) | Q(superseded_by_seq__gt=F("seq")),
                name="items_are_superseded_forward",
            ),
            one_of("kind", MemoryItemKind),
            one_of("status", MemoryItemStatus),
            one_of("basis", Basis),
            share("confidence"),
            share("importance"),
            share("strength_anchor"),
            share("decay_rate"),
            trust("trust_tier"),
            models.CheckConstraint(
                condition=Q(valid_until__isnull=True) | Q(valid_until__gte=F("valid_from")),
                name="an_item_ends_after_it_began",
            ),
            models.CheckConstraint(
                condition=Q(procedure__isnull=True) | Q(kind="procedural"),
                name="only_procedural_items_have_steps",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-seq"], name="item_list"),
            models.Index(fields=["workspace_id", "-known_from", "-id"], name="item_newest_of_workspace"),
            models.Index(fields=["owner", "event_id"], name="item_event"),
            models.Index(
                fields=["owner", "first_id"], condition=Q(first_id__isnull=False), name="item_first_wording"
            ),
            models.Index(
                fields=["workspace_id", "valid_from"], condition=Q(status="scheduled"), name="item_due"
            ),
            models.Index(
                fields=["owner", "status"], condition=Q(procedure__isnull=False), name="item_procedures"
            ),
        ]

    @property
    def memory_id(self) -> UUID:
        """The id the memory is known by, whatever its wording is now."""
        return self.first_id or self.id


class ItemSource(OwnerModel):
    """Further evidence of an item: another event that said the same."""

    item_id = models.UUIDField()
    item = OwnerRow(MemoryItem, "item_id", related_name="sources")
    event_id = models.UUIDField()
    event = OwnerRow("memoryhub.Event", "event_id")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "item_id", "event_id"], name="one_source_per_event")
        ]


class Usage(OwnerModel):
    """When a thing was served and used. Narrow and apart, because updating searchable rows slows search."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    target_kind = models.CharField(max_length=20)
    target_id = models.UUIDField()
    last_access_at = models.DateTimeField(null=True)
    access_count = models.PositiveIntegerField(default=0)
    last_served_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "target_kind", "target_id"], name="one_usage_per_target")
        ]
