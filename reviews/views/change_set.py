"""`/owners/<id>/changesets/<set>/`: what one act changed, and the button that undoes all of it."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from memoryhub.changes.rollback_scope import RollbackScope
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.changes import change_set_detail
from reviews.queries.facts import field_definitions
from reviews.roll_back import roll_back_button


@require_GET
@staff_page()
def change_set(request: StaffRequest, owner_id: UUID, change_set_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    cursor = read_cursor(request.GET.get("cursor", ""), parts=2)
    detail = change_set_detail(owner=owner, change_set_id=change_set_id, cursor=cursor)
    if detail is None:
        raise Http404
    scope = RollbackScope(change_set_ids=(change_set_id,), owner_ids=(owner.id,))
    context = {
        "owner": owner,
        "tab": "timeline",
        "detail": detail,
        "definitions": field_definitions(owner.workspace_id),
        "button": roll_back_button(request, scope),
        "may_roll_back": may(request.roles, "operator"),
    }
    return render_page(request, "reviews/change_set.html", context)
