"""`/owners/<id>/memories/<memory>/`: one memory and everything around it; `…/compare/`: two of its versions."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import FieldDefinition, MemoryItem, Owner
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.diffing import diff
from reviews.lanes import columns, two_clocks
from reviews.queries.derivation import Memory
from reviews.queries.facts import field_definitions
from reviews.queries.memories import MemoryDetail, chain_of, find_memory, memory_detail
from reviews.queries.scopes import of
from reviews.roll_back import RollBackButton, roll_back_button
from reviews.values import told


@require_GET
@staff_page()
def memory(request: StaffRequest, owner_id: UUID, memory_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    detail = memory_detail(owner=owner, memory_id=memory_id)
    if detail is None:
        raise Http404
    context = {
        "owner": owner,
        "tab": "items" if detail.is_item else "facts",
        "detail": detail,
        "memory": detail.memory,
        "lanes": two_clocks(detail.chain, now=timezone.now()),
        "spark": columns([(day.isoformat(), number) for day, number in detail.per_day]),
        "definitions": field_definitions(owner.workspace_id),
        "button": _button(request, owner, detail),
        **_acts(request, owner, detail),
        "may_roll_back": may(request.roles, "operator"),
    }
    return render(request, "reviews/memory.html", context)


@require_GET
@staff_page()
def compare(request: StaffRequest, owner_id: UUID, memory_id: UUID) -> HttpResponse:
    """Two of what stood in one place, by default this one and the one before it; `a` is the older side as a rule."""
    owner = owner_for(request, owner_id)
    with of(owner):
        found = find_memory(owner, memory_id)
        chain = chain_of(owner, found) if found else []
    if found is None:
        raise Http404
    right = _chosen(chain, request.GET.get("b", str(memory_id)))
    left = _chosen(
        chain, request.GET.get("a", ""), default=chain[min(chain.index(right) + 1, len(chain) - 1)]
    )
    at, field = chain.index(right), getattr(found, "field", None)
    pieces = diff(said_in_words(left, field, owner.zone), said_in_words(right, field, owner.zone))
    context = {
        "owner": owner,
        "tab": "facts" if field else "items",
        "memory": found,
        "left": left,
        "right": right,
        "sides": [left, right],
        "pieces": pieces,
        "is_equal": all(piece.kind == "same" for piece in pieces),
        "older": (chain[at + 2].id, chain[at + 1].id) if at + 2 < len(chain) else None,
        "newer": (chain[at].id, chain[at - 1].id) if at > 0 else None,
        "may_roll_back": may(request.roles, "operator"),
    }
    return render(request, "reviews/compare.html", context)


def _chosen(chain: Sequence[Memory], text: str, default: Memory | None = None) -> Memory:
    """The version of this id; 404 for one that never stood in this place."""
    if not text and default is not None:
        return default
    for row in chain:
        if str(row.id) == text:
            return row
    raise Http404


def said_in_words(row: Memory, field: FieldDefinition | None, zone: str) -> str:
    return row.content if isinstance(row, MemoryItem) else told(row.value, field, zone)


def _acts(request: StaffRequest, owner: Owner, detail: MemoryDetail) -> dict[str, bool]:
    """What else may be done to it while it stands; edited and kept for good are only sentences."""
    stands = detail.is_item and detail.memory.status == "active" and owner.state == Owner.State.ACTIVE
    return {
        "may_edit": stands and may(request.roles, "reviewer"),
        "may_key": stands and may(request.roles, "operator"),
        "may_promote": detail.memory.status == "active"
        and owner.state == Owner.State.ACTIVE
        and may(request.roles, "reviewer"),
    }


def _button(request: StaffRequest, owner: Owner, detail: MemoryDetail) -> RollBackButton | None:
    """Undo what stands; bring back what does not."""
    row = detail.memory
    field: FieldDefinition | None = getattr(row, "field", None)
    if row.status == "active":
        scope = RollbackScope(target_ids=(row.id,), owner_ids=(owner.id,))
    else:
        scope = RollbackScope(restore_id=row.id, owner_ids=(owner.id,))
    return roll_back_button(request, scope, field=field)
