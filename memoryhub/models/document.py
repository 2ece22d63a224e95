"""Documents: sources of domain knowledge with an authority and dates of force, their versions, and the chunks that are found."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .as_of import TwoClocks
from .base import OwnerModel, OwnerRow, one_of, trust
from .workspace import Agent

LEAST_AUTHORITY, MOST_AUTHORITY = 1, 5


class Document(OwnerModel):
    """One document of a domain, team or project. Its row lock makes publishing take turns; archived it is never served."""

    title = models.CharField(max_length=300)
    source = models.CharField(
        max_length=500, blank=True, help_text="where it comes from: an address or a name"
    )
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="+", db_index=False)
    user_id = models.BigIntegerField(null=True, help_text="the person who imported it at the desk")
    created_at = models.DateTimeField(db_default=Now())
    archived_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(title=""), name="a_document_has_a_title"),
        ]
        indexes = [models.Index(fields=["owner", "-created_at", "-id"], name="document_list")]


class DocumentVersionState(models.TextChoices):
    IMPORTING = "importing"
    DRAFT = "draft"
    PUBLISHED = "published"


class DocumentVersionMedia(models.TextChoices):
    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    PDF = "pdf"


class DocumentVersion(OwnerModel, TwoClocks):
    """One wording. `valid_from`/`valid_until` are its dates of force, `known_from` is when it was published.

    `importing` until all its chunks are cut, `draft` until somebody publishes it. Two published versions of a document are
    never in force on the same day (exclusion constraint `published_versions_do_not_overlap`); one that a later version took
    the whole time of has `known_until` set and is history.
    """

    State = DocumentVersionState
    Media = DocumentVersionMedia

    document_id = models.UUIDField()
    document = OwnerRow(Document, "document_id", related_name="versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.IMPORTING)
    media = models.CharField(max_length=10, choices=Media.choices)
    file_name = models.CharField(max_length=200, blank=True)
    byte_count = models.PositiveIntegerField()
    sha256 = models.BinaryField(max_length=32, help_text="of the bytes that were imported")
    text = models.TextField(help_text="what was read out of it, as Markdown")
    authority = models.PositiveSmallIntegerField(default=LEAST_AUTHORITY)
    trust_tier = models.PositiveSmallIntegerField()
    flags = ArrayField(
        models.CharField(max_length=60), default=list, blank=True, help_text="what screening saw"
    )
    chunk_count = models.PositiveIntegerField(default=0, help_text="of the whole text, known when it is cut")
    last_verified_at = models.DateTimeField(null=True)
    verified_by_id = models.BigIntegerField(null=True)
    published_at = models.DateTimeField(null=True)
    agent = models.ForeignKey(Agent, models.PROTECT, null=True, related_name="+", db_index=False)
    user_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "document_id", "number"], name="one_document_version_per_number"
            ),
            models.CheckConstraint(
                condition=Q(authority__gte=LEAST_AUTHORITY, authority__lte=MOST_AUTHORITY),
                name="authority_is_1_to_5",
            ),
            models.CheckConstraint(
                condition=Q(valid_until=None) | Q(valid_until__gt=F("valid_from")),
                name="a_document_version_ends_after_it_began",
            ),
            models.CheckConstraint(
                condition=~Q(state="published")
                | Q(published_at__isnull=False, last_verified_at__isnull=False),
                name="a_published_version_was_verified",
            ),
            trust("trust_tier"),
            one_of("state", DocumentVersionState),
            one_of("media", DocumentVersionMedia),
        ]


class DocumentChunk(OwnerModel):
    """A passage that is found and served whole: never half a row of a table or half an entry of a list."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    document_id = models.UUIDField()
    document = OwnerRow(Document, "document_id")
    version_id = models.UUIDField()
    version = OwnerRow(DocumentVersion, "version_id", related_name="chunks")
    position = models.PositiveIntegerField()
    heading_path = ArrayField(models.CharField(max_length=300), default=list, blank=True)
    text = models.TextField()
    token_count = models.PositiveIntegerField()
    flags = ArrayField(models.CharField(max_length=60), default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "version_id", "position"], name="one_chunk_per_position")
        ]
