"""Documents as agents see them. Call inside a scope of the owner."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from api.pagination import Order
from memoryhub.exceptions import NotFound
from memoryhub.models import Document, DocumentVersion

NEWEST_FIRST = Order(("created_at", "id"), (datetime, UUID))


def documents_of(owner_id: UUID, asked: dict[str, Any]) -> QuerySet[Document]:
    return Document.objects.of(owner_id).filter(archived_at__isnull=asked["archived"] == "0")


def find_document(owner_id: UUID, document_id: UUID) -> Document:
    """Raises NotFound."""
    document = Document.objects.of(owner_id).filter(id=document_id).first()
    if document is None:
        raise NotFound
    return document


def find_version(document: Document, number: int) -> DocumentVersion:
    """Raises NotFound."""
    versions = DocumentVersion.objects.of(document.owner_id).filter(document_id=document.id)
    version = versions.filter(number=number).first()
    if version is None:
        raise NotFound
    return version
