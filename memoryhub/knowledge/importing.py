"""Take a file in: read it outside any transaction, then keep the document, the version and its passages in one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from memoryhub import audit, idempotency
from memoryhub.database.busy import run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.exceptions import Forbidden, InvalidInput, TooLarge, WrongMove
from memoryhub.jobs.ledger import enqueue
from memoryhub.knowledge.indexing import index_now
from memoryhub.knowledge.limits import FileRefused
from memoryhub.knowledge.passages import Passage
from memoryhub.knowledge.reading import ReadFile, read_file
from memoryhub.knowledge.rights import AGENTS_AUTHORITY, check_owner, is_staff, locked_document
from memoryhub.language.text import find_text_fault
from memoryhub.models import Document, DocumentChunk, DocumentVersion, Owner, new_id
from memoryhub.policies import current_policy
from memoryhub.writing.instructions import instruction_families
from memoryhub.writing.quotas import take_or_refuse
from memoryhub.writing.source import Source

MOST_AT_ONCE = 50
"""A document of more passages is indexed by a job, which tells how far it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NewFile:
    """What is imported. `authority` is for people; `effective_from` defaults to now, both dates are aware.

    With `document_id` the file is a new version of that document, and title and source may be left blank to stay.
    """

    content: bytes
    media: str
    title: str = ""
    source: str = ""
    file_name: str = ""
    authority: int | None = None
    effective_from: datetime | None = None
    effective_to: datetime | None = None
    document_id: UUID | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """`job_id` is set when the passages are still being indexed."""

    document_id: UUID
    version_id: UUID
    number: int
    state: str
    chunk_count: int
    flags: tuple[str, ...]
    job_id: UUID | None

    def as_json(self) -> dict[str, Any]:
        return {
            "document": str(self.document_id),
            "version": self.number,
            "state": self.state,
            "chunks": self.chunk_count,
            "flags": list(self.flags),
            "operation": str(self.job_id) if self.job_id else None,
        }


def import_file(*, owner_id: UUID, file: NewFile, source: Source) -> Imported:
    """Read the file and keep it as a draft; nothing of it is served before it is published.

    Raises InvalidInput or TooLarge for a file that cannot be taken (field `content`, the code says why), a blank title, dates the
    wrong way round or an owner who has no documents; Forbidden for an authority that an agent sets; NotFound for an unknown
    `document_id`; WrongMove for an archived one; QuotaExceeded.
    """
    _check(file, source)
    try:
        read = read_file(file.content, media=file.media)
    except FileRefused as refusal:
        kind = TooLarge if refusal.is_too_large else InvalidInput
        raise kind(str(refusal), field="content", code=refusal.code) from None
    return _keep(owner_id, file, read, source)


@run_again_when_busy
def _keep(owner_id: UUID, file: NewFile, read: ReadFile, source: Source) -> Imported:
    with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="write", write=True):
        idempotency.take_claim()
        document = _document(owner_id, file, source)
        version = _version(document, file, read, source)
        chunks = [_chunk(version, position, passage) for position, passage in enumerate(read.passages)]
        version.flags = sorted({flag for chunk in chunks for flag in chunk.flags})
        is_long = len(chunks) > MOST_AT_ONCE
        version.state = DocumentVersion.State.IMPORTING if is_long else DocumentVersion.State.DRAFT
        version.save(force_insert=True)
        DocumentChunk.objects.bulk_create(chunks)
        job_id = _index(document, version, chunks, is_long)
        imported = Imported(
            document_id=document.id,
            version_id=version.id,
            number=version.number,
            state=version.state,
            chunk_count=len(chunks),
            flags=tuple(version.flags),
            job_id=job_id,
        )
        _note(version, file, source)
        policy = current_policy(workspace_id=source.workspace_id).policy
        take_or_refuse(owner_id=owner_id, document="", source=source, policy=policy)
        idempotency.keep_answer(imported.as_json())
    return imported


def _check(file: NewFile, source: Source) -> None:
    texts = {"title": (file.title, 300), "source": (file.source, 500), "file_name": (file.file_name, 200)}
    for field, (text, longest) in texts.items():
        if fault := find_text_fault(text, field=field, max_length=longest):
            raise InvalidInput(fault.code.replace("_", " "), field=field, code=fault.code)
    if file.document_id is None and not file.title.strip():
        raise InvalidInput("a document has a title", field="title", code="blank")
    if file.media not in DocumentVersion.Media.values:
        raise InvalidInput(
            f"one of {', '.join(DocumentVersion.Media.values)}", field="media", code="unknown_media"
        )
    if file.authority is not None and not is_staff(source):
        raise Forbidden("authority is set by people", field="authority")
    if file.authority is not None and not 1 <= file.authority <= 5:
        raise InvalidInput("authority is 1 to 5", field="authority", code="out_of_range")
    check_dates(file.effective_from, file.effective_to)


def check_dates(effective_from: datetime | None, effective_to: datetime | None) -> None:
    """Raises InvalidInput when the end is not after the beginning (now, when none is given)."""
    if effective_to is not None and effective_to <= (effective_from or timezone.now()):
        raise InvalidInput("it ends before it begins", field="effective_to", code="ends_before_it_begins")


def _document(owner_id: UUID, file: NewFile, source: Source) -> Document:
    if file.document_id is None:
        check_owner(Owner.objects.get(id=owner_id))
        return Document.objects.create(
            owner_id=owner_id,
            workspace_id=source.workspace_id,
            title=file.title.strip(),
            source=file.source.strip(),
            agent_id=source.agent_id,
            user_id=source.user_id,
        )
    document = locked_document(owner_id, file.document_id)
    if document.archived_at is not None:
        raise WrongMove("the document is archived")
    return document


def _version(document: Document, file: NewFile, read: ReadFile, source: Source) -> DocumentVersion:
    newest = DocumentVersion.objects.of(document.owner_id).filter(document_id=document.id).order_by("-number")
    number = (newest.values_list("number", flat=True).first() or 0) + 1
    return DocumentVersion(
        owner_id=document.owner_id,
        id=new_id(),
        workspace_id=document.workspace_id,
        document_id=document.id,
        number=number,
        media=file.media,
        file_name=file.file_name,
        byte_count=len(file.content),
        sha256=hashlib.sha256(file.content).digest(),
        text=read.text,
        authority=file.authority or AGENTS_AUTHORITY,
        trust_tier=source.trust_tier,
        chunk_count=len(read.passages),
        valid_from=file.effective_from or timezone.now(),
        valid_until=file.effective_to,
        agent_id=source.agent_id,
        user_id=source.user_id,
    )


def _chunk(version: DocumentVersion, position: int, passage: Passage) -> DocumentChunk:
    families = instruction_families("\n".join((*passage.path, passage.text)))
    return DocumentChunk(
        owner_id=version.owner_id,
        workspace_id=version.workspace_id,
        document_id=version.document_id,
        version_id=version.id,
        position=position,
        heading_path=list(passage.path),
        text=passage.text,
        token_count=passage.tokens,
        flags=[f"instruction_like:{family}" for family in families],
    )


def _index(
    document: Document, version: DocumentVersion, chunks: Sequence[DocumentChunk], is_long: bool
) -> UUID | None:
    if not is_long:
        index_now(document, chunks)
        return None
    return enqueue(
        kind="index_document",
        workspace_id=version.workspace_id,
        owner_id=version.owner_id,
        payload={"version_id": str(version.id)},
    )


def _note(version: DocumentVersion, file: NewFile, source: Source) -> None:
    audit.record(
        audit.entry(
            action="document.imported",
            workspace_id=version.workspace_id,
            owner_id=version.owner_id,
            object_kind="document",
            object_id=version.document_id,
            content=file.content,
            details={
                "version": version.number,
                "media": version.media,
                "authority": version.authority,
                "chunks": version.chunk_count,
                "responsible_user_id": source.responsible_user_id or source.user_id,
            },
        )
    )
