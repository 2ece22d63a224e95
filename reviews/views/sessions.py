"""`/owners/<id>/sessions/`: conversations of an owner, and with `?session=` what one of them holds."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from memoryhub.language.text import find_text_fault
from memoryhub.models import Owner
from memoryhub.sessions.opening import LONGEST_REF
from reviews.access import StaffRequest, owner_for, staff_page
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.sessions import last_versions, list_sessions, show_session


@require_GET
@staff_page()
def sessions(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    given = request.GET.get("session", "")
    if given:
        return _one(request, owner, given)
    cursor = read_cursor(request.GET.get("cursor", ""), parts=2)
    context = {"owner": owner, "tab": "sessions", "page": list_sessions(owner=owner, cursor=cursor)}
    return render_page(request, "reviews/sessions.html", context)


def _one(request: StaffRequest, owner: Owner, given: str) -> HttpResponse:
    if find_text_fault(given, max_length=LONGEST_REF):
        raise Http404
    view = show_session(owner=owner, given=given)
    context = {"owner": owner, "tab": "sessions", "given": given, "session": view}
    if view is not None and view.state == "ended":
        context["report"] = last_versions(view)
    return render(request, "reviews/session.html", context)
