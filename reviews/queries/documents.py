"""The library: documents of the workspace, those due for verification, and one document with its versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from memoryhub.knowledge.rights import KINDS
from memoryhub.knowledge.standing import (
    Progress,
    Standing,
    is_stale,
    progress_of,
    stale_versions,
    standing_of,
)
from memoryhub.models import Document, DocumentChunk, DocumentVersion, Owner, Workspace
from memoryhub.policies import current_policy
from reviews.document_diffing import Hunk, document_diff
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, beyond, moment_place, order, page_of
from reviews.queries.names import owners_by_id, staff_names
from reviews.queries.scopes import across, of

MOST_STALE = 200
MOST_PASSAGES = 60
MOST_SUGGESTED = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionRow:
    """A version and where it stands."""

    version: DocumentVersion
    standing: Standing
    is_stale: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentRow:
    """A document with the version that matters: the one in force, else the newest."""

    document: Document
    owner: Owner
    row: VersionRow

    @property
    def place(self) -> Key:
        return moment_place(self.document.created_at, self.document.id)


@dataclass(frozen=True, kw_only=True, slots=True)
class StaleRow:
    version: DocumentVersion
    document: Document
    owner: Owner
    days: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentDetail:
    """One document: all its versions newest first, the shown one with its passages, and what it changed."""

    document: Document
    rows: Sequence[VersionRow]
    shown: VersionRow
    against: VersionRow | None
    hunks: Sequence[Hunk]
    chunks: Sequence[DocumentChunk]
    progress: Progress
    names: Mapping[int | None, str]

    @property
    def number_hidden(self) -> int:
        return self.shown.version.chunk_count - len(self.chunks)


def list_documents(
    *, workspace: Workspace, q: str = "", owner: str = "", show: str = "", cursor: Cursor | None = None
) -> Page[DocumentRow]:
    """Newest first; of owners being erased none. `show`: `drafts` that wait to be published, or `archived` ones."""
    rows = Document.objects.filter(workspace_id=workspace.id, archived_at__isnull=show != "archived")
    rows = rows.exclude(owner__state=Owner.State.ERASING)
    if show == "drafts":
        drafts = DocumentVersion.objects.filter(
            workspace_id=workspace.id, document_id=OuterRef("id"), state=DocumentVersion.State.DRAFT
        )
        rows = rows.filter(Exists(drafts))
    rows = rows.filter(title__icontains=q) if q else rows
    rows = rows.filter(owner__ref=owner) if owner else rows
    rows = rows.filter(beyond(cursor, column="created_at")).order_by(*order(cursor, column="created_at"))
    with across(workspace):
        found = list(rows[: PAGE_SIZE + 1])
        versions = _versions_of(workspace, [row.id for row in found])
    owners = owners_by_id(workspace=workspace, ids=[row.owner_id for row in found])
    now, stale_days = timezone.now(), stale_days_of(workspace)
    return page_of(
        [
            DocumentRow(
                document=row,
                owner=owners[row.owner_id],
                row=_telling(_rows(versions[row.id], row, now, stale_days)),
            )
            for row in found
            if row.owner_id in owners
        ],
        cursor=cursor,
    )


def list_stale(*, workspace: Workspace) -> tuple[list[StaleRow], int]:
    """The versions in force that are due for verification, longest first (at most MOST_STALE), and after how many days."""
    now, stale_days = timezone.now(), stale_days_of(workspace)
    with across(workspace):
        versions = DocumentVersion.objects.filter(workspace_id=workspace.id).defer("text")
        found = list(stale_versions(versions, now=now, stale_days=stale_days)[:MOST_STALE])
        documents = Document.objects.filter(
            workspace_id=workspace.id, id__in=[row.document_id for row in found]
        )
        by_id = {row.id: row for row in documents}
    owners = owners_by_id(workspace=workspace, ids=[row.owner_id for row in found])
    rows = [
        StaleRow(
            version=row,
            document=by_id[row.document_id],
            owner=owners[row.owner_id],
            days=(now - row.last_verified_at).days,
        )
        for row in found
        if row.owner_id in owners and row.last_verified_at
    ]
    return rows, stale_days


def document_detail(
    *, owner: Owner, document_id: UUID, shown: int | None, against: int | None
) -> DocumentDetail | None:
    """None for a document the owner does not have. Unknown version numbers fall back: to what is in force, to the one before."""
    now, stale_days = timezone.now(), stale_days_of(owner.workspace)
    with of(owner):
        document = Document.objects.of(owner.id).filter(id=document_id).first()
        if document is None:
            return None
        versions = list(
            DocumentVersion.objects.of(owner.id)
            .filter(document_id=document_id)
            .defer("text")
            .order_by("-number")
        )
        rows = _rows(versions, document, now, stale_days)
        by_number = {row.version.number: row for row in rows}
        chosen = by_number.get(shown or 0) or _telling(rows)
        other = by_number.get(against or chosen.version.number - 1)
        other = None if other is chosen else other
        chunks = DocumentChunk.objects.of(owner.id).filter(version_id=chosen.version.id).order_by("position")
        return DocumentDetail(
            document=document,
            rows=rows,
            shown=chosen,
            against=other,
            # A deferred text is read by its owner and id when it is asked for: here, and only of these two.
            hunks=document_diff(other.version.text, chosen.version.text) if other else [],
            chunks=list(chunks[:MOST_PASSAGES]),
            progress=progress_of(chosen.version),
            names=staff_names(
                user_id for version in versions for user_id in (version.verified_by_id, version.user_id)
            ),
        )


def library_owners(*, workspace: Workspace) -> list[Owner]:
    """Owners who may have documents, to be suggested."""
    with across(workspace):
        owners = Owner.objects.filter(workspace=workspace, kind__in=KINDS, state=Owner.State.ACTIVE)
        return list(owners.order_by("ref")[:MOST_SUGGESTED])


def stale_days_of(workspace: Workspace) -> int:
    return current_policy(workspace_id=workspace.id).policy.stale_document_days


def _versions_of(workspace: Workspace, document_ids: Sequence[UUID]) -> dict[UUID, list[DocumentVersion]]:
    found: dict[UUID, list[DocumentVersion]] = {document_id: [] for document_id in document_ids}
    rows = DocumentVersion.objects.filter(workspace_id=workspace.id, document_id__in=document_ids)
    for row in rows.defer("text").order_by("-number"):
        found[row.document_id].append(row)
    return found


def _rows(
    versions: Sequence[DocumentVersion], document: Document, now: datetime, stale_days: int
) -> list[VersionRow]:
    return [
        VersionRow(
            version=version,
            standing=(standing := standing_of(version, document, now=now)),
            is_stale=standing == "in_force" and is_stale(version, now=now, stale_days=stale_days),
        )
        for version in versions
    ]


def _telling(rows: Sequence[VersionRow]) -> VersionRow:
    """The version in force, else the newest one."""
    return next((row for row in rows if row.standing == "in_force"), rows[0])
