"""Where a version stands today, which of them are due for verification, and how far a long one is indexed. Call in a scope."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from memoryhub.models import Document, DocumentVersion, as_of, holds

type Standing = Literal["importing", "draft", "scheduled", "in_force", "ended", "replaced", "archived"]
STANDINGS: list[Standing] = [
    "importing",
    "draft",
    "scheduled",
    "in_force",
    "ended",
    "replaced",
    "archived",
]

_PROGRESS = """
SELECT count(e.id), count(v.id)
FROM memoryhub_documentchunk c
LEFT JOIN memoryhub_searchentry e ON e.owner_id = c.owner_id AND e.id = c.id
LEFT JOIN memoryhub_searchvector v ON v.owner_id = c.owner_id AND v.entry_id = c.id
  AND v.model_id = (SELECT m.id FROM memoryhub_embeddingmodel m WHERE m.state = 'current')
WHERE c.owner_id = %s AND c.version_id = %s
"""


@dataclass(frozen=True, slots=True)
class Progress:
    """Of `chunks` passages so many can be found by words (`indexed`) and by meaning (`embedded`)."""

    chunks: int
    indexed: int
    embedded: int


def standing_of(version: DocumentVersion, document: Document, *, now: datetime) -> Standing:
    """What a version is to somebody who asks now."""
    if version.state != DocumentVersion.State.PUBLISHED:
        return "importing" if version.state == DocumentVersion.State.IMPORTING else "draft"
    if document.archived_at is not None:
        return "archived"
    if version.known_until is not None:
        return "replaced"
    if holds(version, valid_at=now, known_at=now):
        return "in_force"
    return "scheduled" if version.valid_from > now else "ended"


def is_stale(version: DocumentVersion, *, now: datetime, stale_days: int) -> bool:
    """Whether nobody has verified it for longer than that. A draft was never verified and is not stale."""
    return version.last_verified_at is not None and now - version.last_verified_at > timedelta(
        days=stale_days
    )


def stale_versions(
    versions: QuerySet[DocumentVersion], *, now: datetime, stale_days: int
) -> QuerySet[DocumentVersion]:
    """Those of the versions that are in force and due for verification, longest unverified first."""
    return versions.filter(
        as_of(valid_at=now, known_at=now),
        state=DocumentVersion.State.PUBLISHED,
        last_verified_at__lt=now - timedelta(days=stale_days),
        document__archived_at=None,
    ).order_by("last_verified_at", "id")


def progress_of(version: DocumentVersion) -> Progress:
    """One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_PROGRESS, [version.owner_id, version.id])
        indexed, embedded = cursor.fetchone()
    return Progress(version.chunk_count, indexed, embedded)


def versions_of(owner_id: UUID, document_ids: list[UUID]) -> dict[UUID, list[DocumentVersion]]:
    """The versions of these documents without their texts, newest first."""
    found: dict[UUID, list[DocumentVersion]] = {document_id: [] for document_id in document_ids}
    rows = DocumentVersion.objects.of(owner_id).filter(document_id__in=document_ids).defer("text")
    for row in rows.order_by("-number"):
        found[row.document_id].append(row)
    return found
