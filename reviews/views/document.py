"""One document: its versions, what differs between two of them, and what people do with it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memoryhub.exceptions import InvalidInput, NotFound, OwnerFrozen, WrongMove
from memoryhub.knowledge.keeping import archive_document, grade_version, verify_version
from memoryhub.knowledge.publishing import publish_version
from memoryhub.models import Owner
from memoryhub.writing.source import Source
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.document_forms import ActForm, chosen_version
from reviews.labels import word_for
from reviews.queries.documents import document_detail

STAFF_TIER = 4


def staff_source(request: StaffRequest) -> Source:
    """The person at the desk as the writer of something."""
    user_id = request.user.pk
    return Source(
        workspace_id=request.workspace.id,
        trust_tier=STAFF_TIER,
        transport="page",
        user_id=user_id,
        responsible_user_id=user_id,
    )


@require_GET
@staff_page()
def document(request: StaffRequest, owner_id: UUID, document_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    detail = document_detail(
        owner=owner,
        document_id=document_id,
        shown=chosen_version(request.GET, "v"),
        against=chosen_version(request.GET, "against"),
    )
    if detail is None:
        raise Http404
    context = {
        "owner": owner,
        "detail": detail,
        "document": detail.document,
        "may_act": may(request.roles, "operator"),
        "may_verify": may(request.roles, "reviewer"),
        "authorities": range(5, 0, -1),
    }
    return render(request, "reviews/document.html", context)


@require_POST
@staff_page("operator")
def document_act(request: StaffRequest, owner_id: UUID, document_id: UUID) -> HttpResponseBase:
    """Publish a draft, give a version another authority, or archive the document."""
    owner, form = owner_for(request, owner_id), ActForm(request.POST)
    if not form.is_valid() or (form.cleaned_data["act"] == "grade" and not form.cleaned_data["authority"]):
        return HttpResponseBadRequest()
    return _done(request, owner, document_id, form)


@require_POST
@staff_page("reviewer")
def document_verify(request: StaffRequest, owner_id: UUID, document_id: UUID) -> HttpResponseBase:
    """Say that a version is still right."""
    owner, number = owner_for(request, owner_id), chosen_version(request.POST, "version")
    if number is None:
        return HttpResponseBadRequest()
    try:
        verify_version(
            owner_id=owner.id, document_id=document_id, number=number, source=staff_source(request)
        )
    except NotFound:
        raise Http404 from None
    except (WrongMove, OwnerFrozen):
        messages.warning(request, _("That is not possible now; nothing was done."))
    else:
        messages.success(request, _("Verified: right as of today."))

    if request.POST.get("from") == "stale":
        return redirect("reviews:documents_stale")
    return redirect("reviews:document", owner.id, document_id)


def _done(request: StaffRequest, owner: Owner, document_id: UUID, form: ActForm) -> HttpResponseBase:
    given = form.cleaned_data
    place: dict[str, Any] = {
        "owner_id": owner.id,
        "document_id": document_id,
        "source": staff_source(request),
    }
    try:
        match given["act"]:
            case "publish":
                publish_version(**place, number=given["version"], clear_flagged=given["clear_flagged"])
                messages.success(request, _("The version is published."))
            case "grade":
                grade_version(**place, number=given["version"], authority=given["authority"])
                messages.success(request, _("The authority is set."))
            case _:
                archive_document(**place)
                messages.success(request, _("The document is archived; agents are no longer told of it."))
    except NotFound:
        raise Http404 from None
    except (WrongMove, OwnerFrozen):
        messages.warning(request, _("That is not possible now; nothing was done."))
    except InvalidInput as error:
        messages.warning(request, word_for(error.code, "file_problem"))
    return redirect("reviews:document", owner.id, document_id)
