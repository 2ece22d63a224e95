"""`/owners/<id>/items/`: the sentences remembered about an owner."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from memoryhub.models import Owner
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.as_of import read_as_of
from reviews.forms import ItemFilter
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.items import list_items


@require_GET
@staff_page()
def items(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    form = ItemFilter(request.GET)
    chosen, as_of = form.chosen, read_as_of(request.GET, zone=owner.zone)
    page, total = list_items(
        owner=owner,
        text=chosen["q"],
        kind=chosen["kind"],
        status={"": "active", "all": ""}.get(chosen["status"], chosen["status"]),
        cursor=read_cursor(request.GET.get("cursor", ""), parts=1),
        as_of=as_of,
    )
    context = {
        "owner": owner,
        "tab": "items",
        "form": form,
        "page": page,
        "total": total,
        "as_of": as_of,
        "may_write": owner.state == Owner.State.ACTIVE and may(request.roles, "reviewer"),
    }
    return render_page(request, "reviews/items.html", context)
