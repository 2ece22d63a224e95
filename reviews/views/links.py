"""`/owners/<id>/links/`: what an owner shares in, who shares in him, and both to be changed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memoryhub.exceptions import InvalidInput, MemoryhubError, NotFound, OwnerErasing, OwnerFrozen
from memoryhub.models import Owner
from memoryhub.sharing.linking import SHARED_KINDS, link_owner, unlink_owner
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.labels import word_for
from reviews.link_forms import LinkForm
from reviews.queries.links import Links, show_links
from reviews.queries.owners import exact_owner
from reviews.views.document import staff_source


@require_GET
@staff_page()
def links(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    shown = show_links(owner)
    every = {str(link.id): link for link in (*shown.outgoing, *shown.incoming)}
    changing = every.get(request.GET.get("change", ""))
    form = LinkForm(owner=owner, form_types=shown.form_types, changing=changing)
    return _shown(request, owner, shown, form, is_change=changing is not None)


@require_POST
@staff_page("operator")
def link_new(request: StaffRequest, owner_id: UUID) -> HttpResponseBase:
    """Make a link, or put other terms in the place of the one that stands between the two."""
    owner = owner_for(request, owner_id)
    shown = show_links(owner)
    form = LinkForm(request.POST, owner=owner, form_types=shown.form_types)
    if form.is_valid():
        try:
            return _linked(request, owner, form)
        except (InvalidInput, NotFound, OwnerFrozen, OwnerErasing) as error:
            form.add_error("other", word_for(error.code, "link_problem"))
    return _shown(request, owner, shown, form, status=422)


@require_POST
@staff_page("operator")
def link_end(request: StaffRequest, owner_id: UUID, link_id: UUID) -> HttpResponseBase:
    """End a link of this owner; `from` says on whose page the person is."""
    owner = owner_for(request, owner_id)
    try:
        back = UUID(request.POST.get("from", str(owner_id)))
    except ValueError:
        return HttpResponseBadRequest()
    try:
        unlink_owner(owner_id=owner.id, link_id=link_id, source=staff_source(request))
    except NotFound:
        raise Http404 from None
    except MemoryhubError as error:
        messages.warning(request, word_for(error.code, "link_problem"))
    else:
        messages.success(request, _("The link is ended: nothing passes over it any more."))
    return redirect("reviews:links", back)


def _linked(request: StaffRequest, owner: Owner, form: LinkForm) -> HttpResponseBase:
    other = exact_owner(workspace=request.workspace, ref=form.cleaned_data["other"])
    if other is None:
        raise NotFound
    reader, shared = (owner, other) if form.is_outgoing else (other, owner)
    done = link_owner(
        owner_id=reader.id, linked_owner_id=shared.id, terms=form.terms, source=staff_source(request)
    )
    if done.was_made:
        messages.success(request, _("Linked. It holds from the next recall."))
    else:
        messages.info(request, _("This link stands already with the same terms."))
    return redirect("reviews:links", owner.id)


def _shown(
    request: StaffRequest,
    owner: Owner,
    shown: Links,
    form: LinkForm,
    *,
    is_change: bool = False,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "owner": owner,
        "tab": "links",
        "links": shown,
        "form": form,
        "is_change": is_change,
        "is_shared": owner.kind in SHARED_KINDS,
        "may_act": may(request.roles, "operator"),
    }
    return render(request, "reviews/links.html", context, status=status)
