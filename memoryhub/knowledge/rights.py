"""Who may do what with a document. People at the desk may everything; an agent only what takes nothing from anybody's word."""

from __future__ import annotations

from uuid import UUID

from memoryhub.exceptions import Forbidden, InvalidInput, NotFound
from memoryhub.models import Document, DocumentVersion, Owner
from memoryhub.writing.source import Source

AGENTS_AUTHORITY = 1
"""What an agent's text starts with: a note. Authority is set and raised by people only."""
WITHIN_AGENTS_REACH = 2
"""Agents publish, verify and archive up to this authority, and never in place of a text that has more."""
LEAST_PUBLISHING_TIER = 3
KINDS = frozenset({Owner.Kind.DOMAIN, Owner.Kind.TEAM, Owner.Kind.PROJECT})


def is_staff(source: Source) -> bool:
    return source.user_id is not None


def check_owner(owner: Owner) -> None:
    """Raises InvalidInput (`wrong_owner_kind`) for a user: knowledge belongs to domains, teams and projects."""
    if owner.kind not in KINDS:
        raise InvalidInput(
            "documents belong to an owner of kind domain, team or project",
            field="owner",
            code="wrong_owner_kind",
        )


def check_reach(source: Source, *versions: DocumentVersion) -> None:
    """Raises Forbidden for an agent whose act would touch a text above its reach, or that is not trusted to publish."""
    if is_staff(source):
        return
    if source.trust_tier < LEAST_PUBLISHING_TIER:
        raise Forbidden(f"a key of tier {source.trust_tier} imports drafts; a person publishes them")
    if any(version.authority > WITHIN_AGENTS_REACH for version in versions):
        raise Forbidden(f"a person does this for a document of authority above {WITHIN_AGENTS_REACH}")


def check_unflagged(source: Source, version: DocumentVersion) -> None:
    """Raises Forbidden for an agent that would publish what reads like instructions to the model."""
    if version.flags and not is_staff(source):
        raise Forbidden("the text reads like instructions in places; a person looks at it first")


def locked_document(owner_id: UUID, document_id: UUID) -> Document:
    """The document under its row lock, so that acts on its versions take turns. Raises NotFound."""
    document = Document.objects.of(owner_id).select_for_update(of=("self",)).filter(id=document_id).first()
    if document is None:
        raise NotFound("no such document")
    return document
