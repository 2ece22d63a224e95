"""`/vocabulary/`: the kinds of things and relations there are; add and edit them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from memoryhub.exceptions import InvalidInput, NotFound, VersionMoved
from memoryhub.models import EntityKind
from memoryhub.relating.vocabulary import Kind, create_kind, edit_kind, find_kind, values_of, version_of
from reviews.access import StaffRequest, may, staff_page
from reviews.queries.vocabulary import SORTS, kind_history, list_vocabulary
from reviews.relation_forms import EntityKindForm, KindForm, RelationKindForm
from reviews.views.whitelist import editor_of, somebody_was_faster


@require_GET
@staff_page()
def vocabulary(request: StaffRequest) -> HttpResponse:
    context = {**list_vocabulary(workspace=request.workspace), "may_edit": may(request.roles, "operator")}
    return render(request, "reviews/vocabulary.html", context)


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def kind_new(request: StaffRequest, sort: str) -> HttpResponseBase:
    model = _model(sort)
    form = _form(model, request, is_new=True, initial={**values_of(model()), "family": ""})
    if form.is_bound and form.is_valid():
        try:
            create_kind(
                editor=editor_of(request, form),
                model=model,
                name=form.cleaned_data["name"],
                values=form.values,
            )
        except InvalidInput as error:
            form.refuse(error)
        else:
            messages.success(request, _("It was added; agents may use it from now on."))
            return redirect("reviews:vocabulary")
    return _page(request, form, None)


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def kind_edit(request: StaffRequest, sort: str, name: str) -> HttpResponseBase:
    model = _model(sort)
    try:
        row = find_kind(request.workspace.id, model, name)
    except NotFound:
        raise Http404 from None
    form = _form(model, request, is_new=False, initial={**values_of(row), "version": version_of(row)})
    if form.is_bound and form.is_valid():
        try:
            edit_kind(
                editor=editor_of(request, form),
                model=model,
                name=name,
                expected_version=form.cleaned_data["version"] or 0,
                values=form.values | ({} if "family" not in form.values else _family(form, name)),
            )
        except InvalidInput as error:
            form.refuse(error)
        except VersionMoved:
            form.add_error(None, somebody_was_faster())
        else:
            messages.success(request, _("It was changed; the next write goes by it."))
            return redirect("reviews:vocabulary")
    return _page(request, form, row)


def _family(form: KindForm, name: str) -> dict[str, str]:
    return {"family": form.values["family"] or name}


def _model(sort: str) -> type[Kind]:
    if sort not in SORTS:
        raise Http404
    return SORTS[sort]


def _form(
    model: type[Kind], request: StaffRequest, *, is_new: bool, initial: dict[str, Any]
) -> EntityKindForm | RelationKindForm:
    chosen = EntityKindForm if model is EntityKind else RelationKindForm
    data = request.POST if request.method == "POST" else None
    return chosen(data, is_new=is_new, initial=initial)


def _page(request: StaffRequest, form: KindForm, row: Kind | None) -> HttpResponse:
    context = {"form": form, "kind": row, "edits": kind_history(row) if row is not None else []}
    status = 422 if form.is_bound else 200
    return render(request, "reviews/vocabulary_kind.html", context, status=status)
