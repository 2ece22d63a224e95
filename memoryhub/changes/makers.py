"""The changes that wrote what stands: a restored copy leads back to the change that first wrote its value."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from memoryhub.changes.rollback_scope import INVERSE
from memoryhub.changes.slot_history import MAKING
from memoryhub.models import Change


def makers_of(target_ids: Collection[UUID], *, owner_ids: Collection[UUID]) -> dict[UUID, Change]:
    """Per version or item the change in force that wrote its value; two statements. What no change in force wrote is left out."""
    rows = Change.objects.filter(owner_id__in=owner_ids)
    inverses = rows.filter(target_id__in=target_ids, candidate__kind=INVERSE)
    copies = {
        UUID(copy): UUID(root)
        for given in inverses.values_list("candidate", flat=True)
        for copy, root in (given or {})["copies"].items()
    }
    roots = {target_id: copies.get(target_id, target_id) for target_id in target_ids}
    made = rows.filter(target_id__in=set(roots.values()), state=Change.State.APPLIED, action__in=MAKING)
    newest = {change.target_id: change for change in made.order_by("created_at", "id")}
    return {target_id: newest[root] for target_id, root in roots.items() if root in newest}
