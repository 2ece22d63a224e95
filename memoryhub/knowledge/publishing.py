"""Bring a version into force: the one before it ends on the day this one begins, and both are kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from memoryhub import audit, idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput, NotFound, WrongMove
from memoryhub.knowledge.indexing import embed_soon
from memoryhub.knowledge.rights import check_reach, check_unflagged, locked_document
from memoryhub.models import Document, DocumentChunk, DocumentVersion
from memoryhub.search_index import close_entries, set_cleared
from memoryhub.writing.source import Source

STANDING = Q(state=DocumentVersion.State.PUBLISHED, known_until=None)


@run_again_when_busy
def publish_version(
    *,
    owner_id: UUID,
    document_id: UUID,
    number: int,
    source: Source,
    effective_from: datetime | None = None,
    effective_to: datetime | None = None,
    clear_flagged: bool = False,
) -> DocumentVersion:
    """Put a draft in force from its date on (default: the date it was imported with), and answer it.

    The version in force before ends at that date; one that began on the same date is replaced and stays as history; one that
    begins later is where this one ends. `clear_flagged` (people only) lets passages be served that read like instructions.
    Publishing is a verification. Raises NotFound; WrongMove for anything but a draft of a document that is not archived;
    Forbidden for an agent (knowledge.rights); InvalidInput for dates the wrong way round.
    """
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        idempotency.take_claim()
        document = locked_document(owner_id, document_id)
        version = find_version(document, number)
        if document.archived_at is not None or version.state != DocumentVersion.State.DRAFT:
            raise WrongMove(f"version {number} is {version.state}; a draft is published")
        check_unflagged(source, version)
        version.valid_from = effective_from or version.valid_from
        version.valid_until = _end(document, version, effective_to or version.valid_until)
        check_reach(source, version, *_overlapping(document, version))
        ended = _end_the_ones_before(document, version)
        _put_in_force(version, source)
        _open_entries(version, clear_flagged=clear_flagged and source.user_id is not None)
        note(
            "document.published",
            version,
            closed=[other.number for other in ended],
            authority=version.authority,
        )
        idempotency.keep_answer({"document": str(document_id), "version": number})
    return version


def find_version(document: Document, number: int) -> DocumentVersion:
    """Raises NotFound."""
    versions = DocumentVersion.objects.of(document.owner_id).filter(document_id=document.id, number=number)
    version = versions.first()
    if version is None:
        raise NotFound("no such version")
    return version


def close_chunks(versions: Sequence[DocumentVersion]) -> None:
    """Their passages are no longer looked through for what holds now."""
    if not versions:
        return
    chunks = DocumentChunk.objects.of(versions[0].owner_id).filter(version_id__in=[v.id for v in versions])
    close_entries(owner_id=versions[0].owner_id, target_ids=list(chunks.values_list("id", flat=True)))


def note(action: str, version: DocumentVersion, **details: Any) -> None:
    """One audit entry about an act on a version."""
    audit.record(
        audit.entry(
            action=action,
            workspace_id=version.workspace_id,
            owner_id=version.owner_id,
            object_kind="document",
            object_id=version.document_id,
            details={"version": version.number, **details},
        )
    )


def _standing(document: Document) -> Any:
    return DocumentVersion.objects.of(document.owner_id).filter(STANDING, document_id=document.id)


def _end(document: Document, version: DocumentVersion, wanted: datetime | None) -> datetime | None:
    """Where a later version begins, or the date that was asked for, whichever comes first."""
    later = _standing(document).filter(valid_from__gt=version.valid_from).order_by("valid_from").first()
    ends = [end for end in (wanted, later.valid_from if later else None) if end is not None]
    end = min(ends, default=None)
    if end is not None and end <= version.valid_from:
        raise InvalidInput("it ends before it begins", field="effective_to", code="ends_before_it_begins")
    return end


def _overlapping(document: Document, version: DocumentVersion) -> list[DocumentVersion]:
    running = Q(valid_until=None) | Q(valid_until__gt=version.valid_from)
    return list(_standing(document).filter(running, valid_from__lte=version.valid_from))


def _end_the_ones_before(document: Document, version: DocumentVersion) -> list[DocumentVersion]:
    ended = _overlapping(document, version)
    for other in ended:
        row = DocumentVersion.objects.of(document.owner_id).filter(id=other.id)
        if other.valid_from == version.valid_from:
            row.update(known_until=Now())
        else:
            row.update(valid_until=version.valid_from, closed_at=Now())
    if version.valid_from <= timezone.now():
        close_chunks(ended)
    return ended


def _put_in_force(version: DocumentVersion, source: Source) -> None:
    DocumentVersion.objects.of(version.owner_id).filter(id=version.id).update(
        state=DocumentVersion.State.PUBLISHED,
        valid_from=version.valid_from,
        valid_until=version.valid_until,
        known_from=Now(),
        published_at=Now(),
        last_verified_at=Now(),
        verified_by_id=source.user_id,
    )
    version.refresh_from_db()


def _open_entries(version: DocumentVersion, *, clear_flagged: bool) -> None:
    if clear_flagged and version.flags:
        flagged = DocumentChunk.objects.of(version.owner_id).filter(version_id=version.id).exclude(flags=[])
        set_cleared(
            owner_id=version.owner_id, event_ids=list(flagged.values_list("id", flat=True)), cleared=True
        )
    embed_soon(version.workspace_id, version.owner_id)
