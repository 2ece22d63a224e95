"""Take a file into the library: a new document, or the next version of one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memoryhub.exceptions import InvalidInput, NotFound, OwnerFrozen, WrongMove
from memoryhub.knowledge.importing import NewFile, import_file
from memoryhub.models import Owner
from reviews.access import StaffRequest, owner_for, staff_page
from reviews.document_forms import DocumentForm, FileForm
from reviews.labels import word_for
from reviews.queries.documents import document_detail, library_owners
from reviews.queries.names import owners_named
from reviews.views.document import staff_source


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def document_new(request: StaffRequest) -> HttpResponseBase:
    """GET shows the form; POST imports and leads to the draft."""
    form = DocumentForm(*_given(request), zone=request.workspace.time_zone)
    if form.is_bound and form.is_valid():
        owners = owners_named(workspace=request.workspace, names=[form.cleaned_data["owner"]])
        if not owners:
            form.add_error("owner", _("No owner has this reference."))
        else:
            named = {"title": form.cleaned_data["title"], "source": form.cleaned_data["source"]}
            if (answer := _imported(request, owners[0], form, form.as_new_file(**named))) is not None:
                return answer
    context = {"form": form, "owners": library_owners(workspace=request.workspace)}
    return render(request, "reviews/document_new.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def document_new_version(request: StaffRequest, owner_id: UUID, document_id: UUID) -> HttpResponseBase:
    owner = owner_for(request, owner_id)
    detail = document_detail(owner=owner, document_id=document_id, shown=None, against=None)
    if detail is None:
        raise Http404
    initial = {"authority": detail.shown.version.authority}
    form = FileForm(*_given(request), zone=request.workspace.time_zone, initial=initial)
    if form.is_bound and form.is_valid():
        file = form.as_new_file(document_id=document_id)
        if (answer := _imported(request, owner, form, file)) is not None:
            return answer
    context = {"form": form, "owner": owner, "document": detail.document}
    return render(request, "reviews/document_new.html", context, status=422 if form.is_bound else 200)


def _given(request: StaffRequest) -> tuple[Any, ...]:
    return (request.POST, request.FILES) if request.method == "POST" else ()


def _imported(request: StaffRequest, owner: Owner, form: FileForm, file: NewFile) -> HttpResponseBase | None:
    """The way to the imported draft, or None with the form saying what is wrong."""
    try:
        imported = import_file(owner_id=owner.id, file=file, source=staff_source(request))
    except InvalidInput as error:
        form.add_error(_field_of(form, error.field), word_for(error.code, "file_problem"))
        return None
    except NotFound:
        raise Http404 from None
    except (WrongMove, OwnerFrozen):
        form.add_error(None, _("That is not possible now; nothing was done."))
        return None
    messages.success(request, _("Imported as a draft; look at it, then publish it."))
    answer = redirect("reviews:document", owner.id, imported.document_id)
    answer["Location"] += f"?v={imported.number}"
    return answer


def _field_of(form: FileForm, name: str) -> str | None:
    named = {"content": "file" if form.cleaned_data.get("file") else "text"}.get(name, name)
    return named if named in form.fields else None
