"""Make the passages of a version findable: entries with their words here, vectors by the embedding job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef

from memoryhub.database.scope import scope
from memoryhub.jobs.ledger import enqueue
from memoryhub.models import Document, DocumentChunk, DocumentVersion, SearchEntry
from memoryhub.search_index import NewEntry, add_entries

ENTRIES_AT_ONCE = 100


def index_now(document: Document, chunks: Sequence[DocumentChunk]) -> None:
    """Entries for these passages in the caller's transaction. A flagged one is kept out of recall until a person clears it."""
    add_entries(
        workspace_id=document.workspace_id,
        owner_id=document.owner_id,
        entries=[_entry(document, chunk) for chunk in chunks],
    )
    embed_soon(document.workspace_id, document.owner_id)


def index_version(
    *, workspace_id: UUID, owner_id: UUID, version_id: UUID, still_working: Callable[[], None]
) -> None:
    """Index a long version piece by piece; a run that was broken off goes on where it stopped. Ends as a draft."""
    while _index_some(workspace_id, owner_id, version_id):
        still_working()


def embed_soon(workspace_id: UUID, owner_id: UUID) -> None:
    """Queue the embedding of what lacks a vector, in the caller's transaction."""
    enqueue(kind="embed", workspace_id=workspace_id, owner_id=owner_id, dedupe_key=str(owner_id))


def _index_some(workspace_id: UUID, owner_id: UUID, version_id: UUID) -> bool:
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="write", write=True):
        versions = DocumentVersion.objects.of(owner_id).filter(
            id=version_id, state=DocumentVersion.State.IMPORTING
        )
        version = versions.select_for_update(of=("self",)).first()
        if version is None:
            return False
        entries = SearchEntry.objects.of(owner_id).filter(id=OuterRef("id"), owner_id=OuterRef("owner_id"))
        chunks = DocumentChunk.objects.of(owner_id).filter(version_id=version_id).exclude(Exists(entries))
        waiting = list(chunks.order_by("position")[:ENTRIES_AT_ONCE])
        if waiting:
            document = Document.objects.of(owner_id).get(id=version.document_id)
            index_now(document, waiting)
            return True
        versions.update(state=DocumentVersion.State.DRAFT)
    return False


def _entry(document: Document, chunk: DocumentChunk) -> NewEntry:
    return NewEntry(
        kind="chunk",
        target_id=chunk.id,
        text=f"{' › '.join((document.title, *chunk.heading_path))}\n{chunk.text}",
        occurred_at=document.created_at,
        cleared=not chunk.flags,
    )
