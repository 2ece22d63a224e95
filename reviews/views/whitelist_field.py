"""`/whitelist/<form type>/<field>/`: one field, its history, and what an edit of it would do."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryhub.exceptions import InvalidInput, NotFound, VersionMoved
from memoryhub.foresight.comparing import Foresight, foresee_field
from memoryhub.models import FieldDefinition, FormType
from memoryhub.policies import current_policy
from memoryhub.whitelisting.definitions import values_of
from memoryhub.whitelisting.editing import (
    check_field_edit,
    create_field,
    edit_field,
    restore_field,
    version_of,
)
from reviews.access import StaffRequest, may, staff_page
from reviews.queries.whitelist import agents_of, changed_columns, field_detail, find_field_row, find_type
from reviews.views.whitelist import editor_of, somebody_was_faster
from reviews.whitelist_forms import FieldForm, NewFieldForm, RestoreForm
from reviews.whitelist_words import problem_of


@require_GET
@staff_page()
def whitelist_field(request: StaffRequest, form_type: str, field: str) -> HttpResponse:
    return _shown(request, _field(request, form_type, field))


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def field_new(request: StaffRequest, form_type: str) -> HttpResponseBase:
    kind = find_type(workspace=request.workspace, name=form_type)
    if kind is None:
        raise Http404
    form = NewFieldForm(
        request.POST if request.method == "POST" else None,
        agents=agents_of(workspace=request.workspace),
        initial=values_of(FieldDefinition()),
    )
    if form.is_bound and form.is_valid():
        try:
            row = create_field(
                editor=editor_of(request, form),
                form_type=kind.name,
                name=form.cleaned_data["name"],
                values=form.values,
                share_aliases=form.cleaned_data["share_aliases"],
            )
        except InvalidInput as error:
            form.refuse(error)
        else:
            messages.success(request, _("The field was added; agents may write it from now on."))
            return redirect("reviews:whitelist_field", kind.name, row.name)
    return _form_page(request, form, kind=kind)


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def field_edit(request: StaffRequest, form_type: str, field: str) -> HttpResponseBase:
    """GET fills the form; POST with `save` edits, with `look` says what the edit would have done to the last 30 days."""
    row = _field(request, form_type, field)
    form = FieldForm(
        request.POST if request.method == "POST" else None,
        agents=agents_of(workspace=request.workspace),
        initial={**values_of(row), "version": version_of(row)},
    )
    foresight = None
    if form.is_bound and "save" not in request.POST:
        form.fields["reason"].required = False
    if form.is_bound and form.is_valid():
        try:
            if "save" in request.POST:
                return _saved(request, row, form)
            foresight = _foreseen(request, row, form)
        except InvalidInput as error:
            form.refuse(error)
        except VersionMoved:
            form.add_error(None, somebody_was_faster())
    return _form_page(request, form, kind=row.form_type, row=row, foresight=foresight)


def _saved(request: StaffRequest, row: FieldDefinition, form: FieldForm) -> HttpResponseBase:
    edit_field(
        editor=editor_of(request, form),
        form_type=row.form_type.name,
        name=row.name,
        expected_version=form.cleaned_data["version"] or 0,
        values=form.values,
        share_aliases=form.cleaned_data["share_aliases"],
    )
    messages.success(request, _("The field was changed; the next write goes by it."))
    return redirect("reviews:whitelist_field", row.form_type.name, row.name)


def _foreseen(request: StaffRequest, row: FieldDefinition, form: FieldForm) -> Foresight:
    workspace_id = request.workspace.id
    check_field_edit(
        editor=editor_of(request, form),
        form_type=row.form_type.name,
        name=row.name,
        values=form.values,
        share_aliases=form.cleaned_data["share_aliases"],
    )
    return foresee_field(
        field=row,
        after=form.values,
        policy=current_policy(workspace_id=workspace_id).policy,
        now=timezone.now(),
    )


@require_POST
@staff_page("operator")
def field_restore(request: StaffRequest, form_type: str, field: str) -> HttpResponseBase:
    row, form = _field(request, form_type, field), RestoreForm(request.POST)
    if not form.is_valid():
        return _shown(request, row, problem=_("Say why."))
    try:
        restore_field(
            editor=editor_of(request, form),
            form_type=row.form_type.name,
            name=row.name,
            expected_version=form.cleaned_data["version"] or 0,
            version=form.cleaned_data["to"],
            share_aliases=form.cleaned_data["share_aliases"],
        )
    except NotFound as error:
        raise Http404 from error
    except InvalidInput as error:
        return _shown(request, row, problem=problem_of(error))
    except VersionMoved:
        return _shown(request, row, problem=somebody_was_faster())
    messages.success(request, _("The earlier version stands again, as a new one."))
    return redirect("reviews:whitelist_field", row.form_type.name, row.name)


def _shown(request: StaffRequest, row: FieldDefinition, *, problem: str = "") -> HttpResponse:
    context = {
        "detail": field_detail(workspace=request.workspace, field=row),
        "field": row,
        "values": values_of(row),
        "problem": problem,
        "may_edit": may(request.roles, "operator"),
    }
    return render(request, "reviews/whitelist_field.html", context, status=422 if problem else 200)


def _form_page(
    request: StaffRequest,
    form: FieldForm,
    *,
    kind: FormType,
    row: FieldDefinition | None = None,
    foresight: Foresight | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "form_type": kind, "field": row, "foresight": foresight}
    if foresight is not None and row is not None:
        context["changed"] = changed_columns(row, form.values)
    is_refused = form.is_bound and foresight is None
    return render(request, "reviews/field_edit.html", context, status=422 if is_refused else 200)


def _field(request: StaffRequest, form_type: str, field: str) -> FieldDefinition:
    row = find_field_row(workspace=request.workspace, form_type=form_type, name=field)
    if row is None:
        raise Http404
    return row
