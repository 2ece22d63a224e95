"""Proposals that came from a member's own memory: whether that memory still stands behind them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memoryhub.models import Change, FieldVersion, MemoryItem, Promotion

GATE = "promotion"


def is_promoted(change: Change) -> bool:
    return GATE in change.gates


def source_stands(change: Change) -> bool:
    """Whether what was proposed still holds where it came from. One statement for where, one for whether."""
    promotion = Promotion.objects.of(change.owner_id).filter(change_id=change.id).first()
    return promotion is not None and promotion.id in standing_among([promotion])


def standing_among(promotions: Sequence[Promotion]) -> set[UUID]:
    """The ids of those promotions whose source is active now; at most two statements."""
    return {
        promotion.id
        for kind, model in (("field_version", FieldVersion), ("item", MemoryItem))
        if (of_kind := [row for row in promotions if row.source_kind == kind and row.source_id])
        for active in [_active(model, of_kind)]
        for promotion in of_kind
        if (promotion.source_owner_id, promotion.source_id) in active
    }


def _active(
    model: type[FieldVersion] | type[MemoryItem], promotions: Sequence[Promotion]
) -> set[tuple[UUID, UUID]]:
    rows = model.objects.filter(
        owner_id__in={row.source_owner_id for row in promotions},
        id__in={row.source_id for row in promotions},
        status="active",
    )
    return set(rows.values_list("owner_id", "id"))
