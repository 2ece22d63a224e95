"""What happens to a document in force: verified again, given another authority, archived."""

from __future__ import annotations

from uuid import UUID

from django.db.models.functions import Now

from memoryhub import idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import Forbidden, InvalidInput, WrongMove
from memoryhub.knowledge.publishing import STANDING, close_chunks, find_version, note
from memoryhub.knowledge.rights import check_reach, is_staff, locked_document
from memoryhub.models import DocumentVersion
from memoryhub.writing.source import Source


@run_again_when_busy
def verify_version(*, owner_id: UUID, document_id: UUID, number: int, source: Source) -> DocumentVersion:
    """Say that a published version is still right, today. Raises NotFound, WrongMove for a draft, Forbidden for an agent."""
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        idempotency.take_claim()
        version = find_version(locked_document(owner_id, document_id), number)
        if version.state != DocumentVersion.State.PUBLISHED:
            raise WrongMove(f"version {number} is {version.state}; a published one is verified")
        check_reach(source, version)
        rows = DocumentVersion.objects.of(owner_id).filter(id=version.id)
        rows.update(last_verified_at=Now(), verified_by_id=source.user_id)
        version.refresh_from_db()
        note("document.verified", version)
        idempotency.keep_answer({"document": str(document_id), "version": number})
    return version


@run_again_when_busy
def grade_version(
    *, owner_id: UUID, document_id: UUID, number: int, authority: int, source: Source
) -> DocumentVersion:
    """Give a version another authority, 1 to 5. Raises Forbidden for anybody but a person, InvalidInput, NotFound."""
    if not is_staff(source):
        raise Forbidden("authority is set by people", field="authority")
    if not 1 <= authority <= 5:
        raise InvalidInput("authority is 1 to 5", field="authority", code="out_of_range")
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        version = find_version(locked_document(owner_id, document_id), number)
        before = version.authority
        DocumentVersion.objects.of(owner_id).filter(id=version.id).update(authority=authority)
        version.refresh_from_db()
        note("document.graded", version, before=before, after=authority)
    return version


@run_again_when_busy
def archive_document(*, owner_id: UUID, document_id: UUID, source: Source) -> None:
    """Serve the document no longer; it and its versions are kept. Raises NotFound, WrongMove when it is archived already."""
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        idempotency.take_claim()
        document = locked_document(owner_id, document_id)
        if document.archived_at is not None:
            raise WrongMove("the document is archived already")
        versions = list(DocumentVersion.objects.of(owner_id).filter(document_id=document_id))
        standing = DocumentVersion.objects.of(owner_id).filter(STANDING, document_id=document_id)
        check_reach(source, *standing)
        type(document).objects.of(owner_id).filter(id=document_id).update(archived_at=Now())
        close_chunks(versions)
        note("document.archived", versions[-1])
        idempotency.keep_answer({"document": str(document_id)})
