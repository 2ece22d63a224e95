"""`/memories/withdraw/`, `/memories/reverify/`: look at what would happen to many memories, then do it to each."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods

from memoryhub.changes.opening_rechecks import reverify
from memoryhub.changes.rollback_scope import RollbackScope
from reviews.access import StaffRequest, staff_page
from reviews.change_forms import MemoryFilterForm
from reviews.queries.derivation import Memory
from reviews.queries.facts import field_definitions
from reviews.queries.memories import MemoryFilter
from reviews.queries.memory_bulk import CAP, MemorySelection, select_matching, select_ticked
from reviews.queries.rollbacks import preview_of
from reviews.views.saved_views import kept_query


@require_GET
@staff_page("operator")
def memories_withdraw(request: StaffRequest) -> HttpResponse:
    """The count, a sample of five and what is left out; executing it is the rollback of exactly these, with one undo."""
    query, selection = _asked(request, request.GET)
    context = _context(request, query, selection)
    if selection.picked:
        wanted = RollbackScope(target_ids=tuple(memory.id for memory in selection.picked))
        context["preview"] = preview_of(workspace=request.workspace, scope=wanted)
    return _answered(request, "reviews/memories_withdraw.html", context, selection)


@require_http_methods(["GET", "POST"])
@staff_page("reviewer")
def memories_reverify(request: StaffRequest) -> HttpResponse:
    """GET shows what would be asked about; POST opens a re-check for each and says of every one what became of it."""
    posted = request.method == "POST"
    query, selection = _asked(request, request.POST if posted else request.GET)
    context = _context(request, query, selection)
    if posted and not selection.is_over_cap:
        result = reverify(
            workspace_id=request.workspace.id,
            owner_of={memory.id: memory.owner_id for memory in _all_standing(selection)},
        )
        context["done"] = [m for m in _all_standing(selection) if m.id in result.review_ids]
        refused = [(m, result.refused[m.id]) for m in _all_standing(selection) if m.id in result.refused]
        context["failed"] = refused + [(memory, "not_standing") for memory in selection.not_standing]
        return render(request, "reviews/memories_reverified.html", context)
    return _answered(request, "reviews/memories_reverify.html", context, selection)


def _asked(request: StaffRequest, data: QueryDict) -> tuple[str, MemorySelection]:
    """The list's filter, and the memories that are meant: ids and filter exclude each other."""
    query = kept_query(QueryDict(data.get("query", "")[:1000]), "memories")
    ids = _ids(data.getlist("memory"))
    if data.get("which") != "all":
        return query, select_ticked(workspace=request.workspace, ids=ids)
    chosen = MemoryFilter(**MemoryFilterForm(QueryDict(query)).conditions)
    return query, select_matching(workspace=request.workspace, chosen=chosen, excluded=ids)


def _ids(texts: Sequence[str]) -> list[UUID]:
    """Raises BadRequest for what is no id: a selection must not grow or shrink by a slip."""
    try:
        return list(dict.fromkeys(UUID(text) for text in texts))
    except ValueError as error:
        raise BadRequest("memory") from error


def _all_standing(selection: MemorySelection) -> list[Memory]:
    return [*selection.picked, *selection.top_class]


def _context(request: StaffRequest, query: str, selection: MemorySelection) -> dict[str, object]:
    return {
        "query": query,
        "selection": selection,
        "cap": CAP,
        "standing": _all_standing(selection),
        "definitions": field_definitions(request.workspace.id),
    }


def _answered(
    request: StaffRequest, template: str, context: dict[str, object], selection: MemorySelection
) -> HttpResponse:
    status = 422 if selection.is_over_cap or not _all_standing(selection) else 200
    return render(request, template, context, status=status)
