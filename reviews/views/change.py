"""`/owners/<id>/changes/<change>/`: one step of memory, how it moved, and the button that undoes it."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from memoryhub.changes.rollback_scope import RollbackScope
from reviews.access import StaffRequest, owner_for, staff_page
from reviews.queries.changes import change_detail
from reviews.queries.facts import field_definitions
from reviews.roll_back import roll_back_button


@require_GET
@staff_page()
def change(request: StaffRequest, owner_id: UUID, change_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    detail = change_detail(owner=owner, change_id=change_id)
    if detail is None:
        raise Http404
    found, definitions = detail.change, field_definitions(owner.workspace_id)
    button = roll_back_button(
        request,
        RollbackScope(change_ids=(found.id,), owner_ids=(owner.id,)),
        field=definitions.get(f"{found.form_type}.{found.field_name}"),
    )
    context = {
        "owner": owner,
        "tab": "timeline",
        "detail": detail,
        "change": found,
        "definitions": definitions,
        "button": button,
    }
    return render(request, "reviews/change.html", context)
