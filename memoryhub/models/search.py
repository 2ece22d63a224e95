"""What can be found: one entry per searchable thing, one vector per entry and embedding model."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from pgvector.django import HalfVectorField

from .base import OwnerModel, OwnerRow, one_of


class EmbeddingModelState(models.TextChoices):
    BUILDING = "building"
    CURRENT = "current"
    RETIRED = "retired"


class EmbeddingModel(models.Model):
    """A model whose vectors are stored. Vectors of two models are never compared."""

    erasure: ClassVar[str] = "none: names of models"

    State = EmbeddingModelState

    id = models.SmallAutoField(primary_key=True)
    name = models.CharField(max_length=200, unique=True)
    dims = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.BUILDING)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=Q(state="current"), name="one_current_embedding_model"
            ),
            # 1,320 half-precision numbers are what fits beside the keys in a btree tuple; we ask models for at most 1,024.
            models.CheckConstraint(
                condition=Q(dims__gte=1, dims__lte=1024), name="dims_fit_the_covering_index"
            ),
            one_of("state", EmbeddingModelState),
        ]


class SearchEntryKind(models.TextChoices):
    EVENT = "event"
    FIELD_VERSION = "field_version"
    ITEM = "item"
    WINDOW = "window"
    CHUNK = "chunk"


class SearchEntry(OwnerModel):
    """The text of one event, item, field version, window or chunk, with its tokens. Updated once: when it stops being live."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE (known_until, cleared)")

    Kind = SearchEntryKind

    kind = models.CharField(max_length=14, choices=Kind.choices)
    target_id = models.UUIDField(
        help_text="the event, item, field version or chunk; of a window its middle event"
    )
    text = models.TextField()
    tokens = SearchVectorField()
    token_count = models.PositiveIntegerField()
    occurred_at = models.DateTimeField()
    known_from = models.DateTimeField(db_default=Now())
    known_until = models.DateTimeField(null=True)
    language = models.CharField(max_length=8)
    entities = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    session_ref = models.CharField(max_length=200, blank=True)
    cleared = models.BooleanField(
        default=True, help_text="false: low trust, flagged or not a user's turn; kept out of recall"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "kind", "target_id"], name="one_entry_per_target"),
            one_of("kind", SearchEntryKind),
        ]
        indexes = [
            models.Index(
                fields=["owner", "kind", "-occurred_at"],
                condition=Q(known_until__isnull=True),
                name="entry_live",
            ),
        ]


class SearchSource(OwnerModel):
    """The one to three events a window is made of."""

    entry_id = models.UUIDField()
    entry = OwnerRow(SearchEntry, "entry_id", related_name="sources")
    event_id = models.UUIDField()
    event = OwnerRow("memoryhub.Event", "event_id")
    position = models.SmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "entry_id", "position"], name="one_source_per_position")
        ]
        indexes = [models.Index(fields=["owner", "event_id"], name="search_source_event")]


class SearchVector(OwnerModel):
    """One vector. Inserted and deleted, never updated; read through an index that covers the whole row."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    model = models.ForeignKey(EmbeddingModel, models.PROTECT, related_name="+", db_index=False)
    entry_id = models.UUIDField()
    entry = OwnerRow(SearchEntry, "entry_id", related_name="vectors")
    kind = models.CharField(max_length=14)
    dims = models.PositiveSmallIntegerField()
    v = HalfVectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "model", "entry_id"], name="one_vector_per_model")
        ]
