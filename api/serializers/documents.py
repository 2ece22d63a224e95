"""Documents in and out."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework import serializers

from api.serializers.fields import INSTANT_RULE, Instant, OwnerRef, Strict, Text, Whole, as_instant
from memoryhub.exceptions import InvalidInput
from memoryhub.knowledge.importing import NewFile
from memoryhub.knowledge.limits import MOST_BYTES, MOST_CHARACTERS
from memoryhub.knowledge.standing import STANDINGS, Progress, is_stale, standing_of
from memoryhub.models import Document, DocumentVersion

IMPORT_STATES = ["importing", "draft"]
WHETHER = [("0", "0"), ("1", "1")]
MOST_BASE64 = 4 * (MOST_BYTES // 3 + 1) + 4


class FileContent(Strict):
    """A file: `content` as text, or `content_base64` for anything (a PDF)."""

    media = serializers.ChoiceField(choices=DocumentVersion.Media.choices, default="markdown")
    content = Text(max_length=MOST_CHARACTERS, required=False, help_text="The text of the file.")
    content_base64 = Text(
        max_length=MOST_BASE64, required=False, help_text=f"Its bytes, at most {MOST_BYTES:,}, in base64."
    )
    file_name = Text(max_length=200, allow_blank=True, default="")
    effective_from = Instant(
        required=False, allow_null=True, default=None, help_text=f"{INSTANT_RULE} Left out: now."
    )
    effective_to = Instant(required=False, allow_null=True, default=None)


class DocumentImport(FileContent):
    owner = OwnerRef()
    title = Text(max_length=300)
    source = Text(  # type: ignore[assignment]  # the member, not where it comes from
        max_length=500, allow_blank=True, default="", help_text="Where it comes from."
    )


class VersionImport(FileContent):
    owner = OwnerRef()


class VersionAct(Strict):
    owner = OwnerRef()
    version = Whole(min_value=1, max_value=1_000_000)


class PublishAct(VersionAct):
    effective_from = Instant(
        required=False, allow_null=True, default=None, help_text="Left out: as it was imported."
    )
    effective_to = Instant(required=False, allow_null=True, default=None)


def as_new_file(sent: dict[str, Any], *, document_id: UUID | None = None) -> NewFile:
    """Raises InvalidInput when not exactly one of the two contents was sent, or it is not base64."""
    text, coded = sent.get("content"), sent.get("content_base64")
    if (text is None) == (coded is None):
        raise InvalidInput(
            "send either content or content_base64", field="content", code="content_or_content_base64"
        )
    try:
        content = text.encode() if text is not None else base64.b64decode(coded or "", validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("not base64", field="content_base64", code="not_base64") from None
    return NewFile(
        content=content,
        media=sent["media"],
        title=sent.get("title", ""),
        source=sent.get("source", ""),
        file_name=sent["file_name"],
        effective_from=sent["effective_from"],
        effective_to=sent["effective_to"],
        document_id=document_id,
    )


class DocumentQuery(Strict):
    owner = OwnerRef()
    archived = serializers.ChoiceField(choices=WHETHER, default="0", help_text="1: the archived ones.")


class ImportAnswer(serializers.Serializer[None]):
    document = serializers.UUIDField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=IMPORT_STATES)
    chunks = serializers.IntegerField(help_text="Passages it was cut into.")
    flags = serializers.ListField(child=serializers.CharField(), help_text="What screening saw in it.")
    operation = serializers.UUIDField(allow_null=True, help_text="Of a long file: the job that indexes it.")


class DocumentVersionSummaryAnswer(serializers.Serializer[None]):
    version = serializers.IntegerField()
    standing = serializers.ChoiceField(choices=STANDINGS)
    media = serializers.ChoiceField(choices=DocumentVersion.Media.choices)
    file_name = serializers.CharField()
    bytes = serializers.IntegerField()
    authority = serializers.IntegerField(help_text="5 signed by legal … 1 a note. Set by people.")
    flags = serializers.ListField(child=serializers.CharField())
    chunks = serializers.IntegerField()
    effective_from = Instant()
    effective_to = Instant(allow_null=True)
    published_at = Instant(allow_null=True)
    last_verified = Instant(allow_null=True)
    is_stale = serializers.BooleanField(help_text="Due for verification: served with a notice.")
    created_at = Instant()


class ProgressAnswer(serializers.Serializer[None]):
    chunks = serializers.IntegerField()
    indexed = serializers.IntegerField(help_text="Found by their words.")
    embedded = serializers.IntegerField(help_text="Found by their meaning.")


class DocumentVersionAnswer(DocumentVersionSummaryAnswer):
    document = serializers.UUIDField()
    text = serializers.CharField(help_text="What was read out of the file, as Markdown.")
    progress = ProgressAnswer()


class DocumentAnswer(serializers.Serializer[None]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # the member, not where it comes from
    created_at = Instant()
    archived_at = Instant(allow_null=True)
    in_force = DocumentVersionSummaryAnswer(allow_null=True, help_text="The version that is served today.")
    newest = serializers.IntegerField(help_text="The number of the newest version, drafts included.")


def version_body(
    version: DocumentVersion, document: Document, *, now: datetime, stale_days: int
) -> dict[str, Any]:
    """What a DocumentVersionSummaryAnswer says."""
    return {
        "version": version.number,
        "standing": standing_of(version, document, now=now),
        "media": version.media,
        "file_name": version.file_name,
        "bytes": version.byte_count,
        "authority": version.authority,
        "flags": version.flags,
        "chunks": version.chunk_count,
        "effective_from": as_instant(version.valid_from),
        "effective_to": _instant(version.valid_until),
        "published_at": _instant(version.published_at),
        "last_verified": _instant(version.last_verified_at),
        "is_stale": is_stale(version, now=now, stale_days=stale_days),
        "created_at": as_instant(version.created_at),
    }


def whole_version_body(
    version: DocumentVersion, document: Document, progress: Progress, *, now: datetime, stale_days: int
) -> dict[str, Any]:
    """What a DocumentVersionAnswer says."""
    told = {"chunks": progress.chunks, "indexed": progress.indexed, "embedded": progress.embedded}
    summary = version_body(version, document, now=now, stale_days=stale_days)
    return {**summary, "document": document.id, "text": version.text, "progress": told}


def document_body(
    document: Document, versions: Sequence[DocumentVersion], *, now: datetime, stale_days: int
) -> dict[str, Any]:
    """What a DocumentAnswer says; `versions` are newest first."""
    served = next((v for v in versions if standing_of(v, document, now=now) == "in_force"), None)
    return {
        "id": document.id,
        "title": document.title,
        "source": document.source,
        "created_at": as_instant(document.created_at),
        "archived_at": _instant(document.archived_at),
        "in_force": version_body(served, document, now=now, stale_days=stale_days) if served else None,
        "newest": versions[0].number,
    }


def _instant(moment: datetime | None) -> str | None:
    return as_instant(moment) if moment else None


DOCUMENT_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e21"
IMPORT_EXAMPLE: dict[str, Any] = {
    "document": DOCUMENT_ID,
    "version": 1,
    "state": "draft",
    "chunks": 2,
    "flags": [],
    "operation": None,
}
LONG_IMPORT_EXAMPLE: dict[str, Any] = {
    **IMPORT_EXAMPLE,
    "state": "importing",
    "chunks": 812,
    "operation": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e22",
}
VERSION_SUMMARY_EXAMPLE: dict[str, Any] = {
    "version": 1,
    "standing": "in_force",
    "media": "markdown",
    "file_name": "returns.md",
    "bytes": 412,
    "authority": 4,
    "flags": [],
    "chunks": 2,
    "effective_from": "2026-03-01T00:00:00.000000Z",
    "effective_to": None,
    "published_at": "2026-02-27T09:12:00.000000Z",
    "last_verified": "2026-02-27T09:12:00.000000Z",
    "is_stale": False,
    "created_at": "2026-02-27T09:00:00.000000Z",
}
VERSION_EXAMPLE: dict[str, Any] = {
    **VERSION_SUMMARY_EXAMPLE,
    "document": DOCUMENT_ID,
    "text": "# 跨境退货\n\n七天内免收手续费。",
    "progress": {"chunks": 2, "indexed": 2, "embedded": 2},
}
DOCUMENT_EXAMPLE: dict[str, Any] = {
    "id": DOCUMENT_ID,
    "title": "退货政策",
    "source": "https://intranet.example/returns",
    "created_at": "2026-02-27T09:00:00.000000Z",
    "archived_at": None,
    "in_force": VERSION_SUMMARY_EXAMPLE,
    "newest": 1,
}
