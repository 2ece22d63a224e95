"""What may be proposed to whom, and where a proposal came from."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memoryhub.changes.promoted import is_promoted
from memoryhub.models import Change, Owner, OwnerLink, Promotion
from memoryhub.sharing.linking import links_of
from memoryhub.sharing.promoting import lets_through
from reviews.queries.derivation import Memory
from reviews.queries.memories import find_memory
from reviews.queries.scopes import of


@dataclass(frozen=True, kw_only=True, slots=True)
class PromotedFrom:
    """Whose memory was proposed; `owner` None when he was erased since."""

    owner: Owner | None
    memory_id: UUID | None


def promoted_from(change: Change) -> PromotedFrom | None:
    """Where a proposal came from; None for one that was not promoted. Two statements, none for others."""
    if not is_promoted(change):
        return None
    promotion = Promotion.objects.of(change.owner_id).filter(change_id=change.id).first()
    if promotion is None:
        return None
    if promotion.source_owner_id is None:
        return PromotedFrom(owner=None, memory_id=None)
    owner = Owner.objects.filter(id=promotion.source_owner_id, workspace_id=change.workspace_id).first()
    return PromotedFrom(owner=owner, memory_id=promotion.source_id)


def to_promote(*, owner: Owner, memory_id: UUID) -> tuple[Memory | None, list[OwnerLink]]:
    """The memory if it stands, and the links of the owner that propose such a thing."""
    with of(owner):
        found = find_memory(owner, memory_id)
        if found is None or found.status != "active":
            return None, []
        proposing = [link for link in links_of(owner.id) if link.direction != OwnerLink.Direction.READS]
        return found, [link for link in proposing if lets_through(link, found)]
