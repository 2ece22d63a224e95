"""Named filters of the lists of reviews, changes, memories and incidents: `/views/<list>/save/`, `/views/<list>/<view>/delete/`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypedDict
from uuid import UUID

from django.contrib import messages
from django.http import Http404, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from reviews.access import StaffRequest, staff_page
from reviews.change_forms import ChangeFilterForm, MemoryFilterForm
from reviews.incident_forms import IncidentFilter
from reviews.queries.saved_views import ViewLink, delete_view, save_view, views_of
from reviews.review_forms import ReviewFilter, SaveViewForm

EVERYTHING = "view=none"
"""Opens a list without the view that opens first."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that keeps views: its address, the names of its filter, and the filter it has when none is chosen."""

    address: str
    names: Collection[str]
    bare: str = ""


LISTINGS = {
    "review": Listing("reviews:review_queue", ("tab", *ReviewFilter.base_fields), bare="tab=unclaimed"),
    "changes": Listing("reviews:changes", tuple(ChangeFilterForm.base_fields)),
    "memories": Listing("reviews:memories", tuple(MemoryFilterForm.base_fields)),
    "incidents": Listing("reviews:incidents", tuple(IncidentFilter.base_fields)),
}


class SavedViews(TypedDict):
    """What `_saved_views.html`, the filter's Clear link and the list's own links need. `view_query` is what a view would keep."""

    views: Sequence[ViewLink]
    views_of: str
    views_address: str
    query: str
    view_query: str
    everything: str


def kept_query(data: QueryDict, page: str) -> str:
    """The filter of the list as a query string, without the place in it; '' when nothing is filtered."""
    kept = QueryDict(mutable=True)
    for name in LISTINGS[page].names:
        if value := data.get(name, "").replace("\0", "")[:200]:
            kept[name] = value
    return kept.urlencode()


def saved_views(request: StaffRequest, page: str) -> SavedViews:
    """The views of the list for this person; one statement."""
    query = kept_query(request.GET, page)
    return {
        "views": views_of(workspace=request.workspace, user_id=request.user.pk, page=page),
        "views_of": page,
        "views_address": reverse(LISTINGS[page].address),
        "query": query,
        "view_query": query or LISTINGS[page].bare,
        "everything": LISTINGS[page].bare or EVERYTHING,
    }


def opens_first(request: StaffRequest, views: Sequence[ViewLink]) -> HttpResponseBase | None:
    """To the person's own view that opens first, when the list was asked for without anything."""
    if request.GET:
        return None
    view = next((link.view for link in views if link.is_mine and link.view.is_default), None)
    return redirect(f"{request.path}?{view.params}") if view and view.params else None


@require_POST
@staff_page()
def save_list_view(request: StaffRequest, page: str) -> HttpResponseBase:
    listing, form = _listing(page), SaveViewForm(request.POST)
    params = kept_query(QueryDict(request.POST.get("params", "")[:1000]), page) or listing.bare
    if not params:
        messages.warning(request, _("A view keeps a filter; set one first."))
    elif form.is_valid() and form.cleaned_data["name"].strip():
        save_view(
            workspace=request.workspace,
            user_id=request.user.pk,
            name=form.cleaned_data["name"].strip(),
            params=params,
            is_shared=form.cleaned_data["is_shared"],
            is_default=form.cleaned_data["is_default"],
            page=page,
        )
        messages.success(request, _("The view was saved."))
    else:
        messages.warning(request, _("A view needs a name of at most 80 characters."))
    return redirect(f"{reverse(listing.address)}?{params or EVERYTHING}")


@require_POST
@staff_page()
def delete_list_view(request: StaffRequest, page: str, view_id: UUID) -> HttpResponseBase:
    listing = _listing(page)
    if delete_view(workspace=request.workspace, user_id=request.user.pk, view_id=view_id, page=page):
        messages.success(request, _("The view was deleted."))
    else:
        messages.warning(request, _("Only who saved a view deletes it."))
    return redirect(f"{reverse(listing.address)}?{listing.bare or EVERYTHING}")


def _listing(page: str) -> Listing:
    if page not in LISTINGS:
        raise Http404
    return LISTINGS[page]
