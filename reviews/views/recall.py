"""`/owners/<id>/recall/`: what an agent would be told, and why."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memoryhub.exceptions import InvalidInput, OwnerErasing
from reviews.access import OwnerGone, StaffRequest, owner_for, staff_page
from reviews.forms import RecallForm
from reviews.pages import render_page
from reviews.queries.recall import see_as_agent


@require_GET
@staff_page()
def recall(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    form = RecallForm(request.GET)
    context = {"owner": owner, "tab": "recall", "form": form}
    query = form.chosen["q"]
    try:
        if query:
            context["seen"] = see_as_agent(
                owner=owner, query=query, session_ref=form.chosen["session"], user_id=request.user.pk
            )
        elif form.errors:
            context["problem"] = _("The question is too long: 2,000 characters at most.")
    except InvalidInput:
        context["problem"] = _("The question holds characters that cannot be read.")
    except OwnerErasing as error:
        raise OwnerGone from error
    return render_page(request, "reviews/recall.html", context)
