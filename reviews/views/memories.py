"""`/memories/`: every sentence and form value of the workspace, by owner, kind, state and weight."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, may, staff_page
from reviews.change_forms import MemoryFilterForm
from reviews.exporting import export_links
from reviews.labels import word_for
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.memories import MemoryFilter, list_memories
from reviews.queries.memory_counts import FIELD, count_memories
from reviews.queries.memory_sorting import COLUMNS, Sorting
from reviews.views.review_charts import bars
from reviews.views.saved_views import SavedViews, opens_first, saved_views


@require_GET
@staff_page()
def memories(request: StaffRequest) -> HttpResponseBase:
    kept = saved_views(request, "memories")
    first = opens_first(request, kept["views"])
    return first or _listed(request, kept)


def _listed(request: StaffRequest, kept: SavedViews) -> HttpResponse:
    form = MemoryFilterForm(request.GET)
    chosen, sorting = MemoryFilter(**form.conditions), form.sorting
    page = list_memories(
        workspace=request.workspace,
        chosen=chosen,
        sorting=sorting,
        cursor=read_cursor(request.GET.get("cursor", ""), parts=2),
    )
    may_reverify, may_roll_back = may(request.roles, "reviewer"), may(request.roles, "operator")
    context = {
        "form": form,
        "page": page,
        "sorts": [_sort(by, sorting) for by in COLUMNS],
        # The numbers are of the whole filter: they are counted once, on the first page.
        "counts": []
        if "cursor" in request.GET
        else count_memories(workspace=request.workspace, chosen=chosen),
        "may_reverify": may_reverify,
        "may_roll_back": may_roll_back,
        "may_bulk": may_reverify or may_roll_back,
        **export_links(request, "memories"),
    }
    return render_page(request, "reviews/memories.html", {**context, **kept})


@dataclass(frozen=True, kw_only=True, slots=True)
class SortLink:
    """One column to sort by; the current one leads to its other direction."""

    word: str
    leads_to: str
    is_current: bool
    is_rising: bool


def _sort(by: str, sorting: Sorting) -> SortLink:
    is_current = by == sorting.by
    turns = is_current and not sorting.is_rising
    return SortLink(
        word=word_for(by or "learned", "memory_sort"),
        leads_to=f"{'-' if turns else ''}{by or 'learned'}",
        is_current=is_current,
        is_rising=sorting.is_rising,
    )


MOST_BARS = 12


@require_GET
@staff_page()
def memories_chart(request: StaffRequest) -> JsonResponse:
    """Lying bars by kind and agent, the most on top; what is beyond MOST_BARS stands in the table alone."""
    chosen = MemoryFilter(**MemoryFilterForm(request.GET).conditions)
    counts = count_memories(workspace=request.workspace, chosen=chosen)[:MOST_BARS]
    return bars(
        [(" · ".join(filter(None, (_kind(count.kind), count.agent))), count.number) for count in counts]
    )


def _kind(code: str) -> str:
    return _("form values") if code == FIELD else word_for(code, "item_kind")
