"""`/whitelist/`: form types and their fields; add and rename form types."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from memoryhub.exceptions import InvalidInput, VersionMoved
from memoryhub.models import FormType
from memoryhub.whitelisting.definitions import values_of
from memoryhub.whitelisting.editing import Editor, create_form_type, edit_form_type
from reviews.access import StaffRequest, may, staff_page
from reviews.queries.whitelist import find_type, history_of, list_whitelist
from reviews.whitelist_forms import EditForm, FormTypeForm, NewFormTypeForm


@require_GET
@staff_page()
def whitelist(request: StaffRequest) -> HttpResponse:
    context = {
        "rows": list_whitelist(workspace=request.workspace),
        "may_edit": may(request.roles, "operator"),
    }
    return render(request, "reviews/whitelist.html", context)


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def form_type_new(request: StaffRequest) -> HttpResponseBase:
    form = NewFormTypeForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            name = form.cleaned_data["name"]
            create_form_type(editor=editor_of(request, form), name=name, values=form.values)
        except InvalidInput as error:
            form.refuse(error)
        else:
            messages.success(request, _("The form type was added."))
            return redirect("reviews:whitelist")
    return _form_type_page(request, form, None)


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def form_type_edit(request: StaffRequest, form_type: str) -> HttpResponseBase:
    """Other labels for a form type; its history stands below."""
    row = find_type(workspace=request.workspace, name=form_type)
    if row is None:
        raise Http404
    edits = history_of(row)
    version = edits[0].edit.version if edits else 1
    form = FormTypeForm(
        request.POST if request.method == "POST" else None, initial={**values_of(row), "version": version}
    )
    if form.is_bound and form.is_valid():
        try:
            edit_form_type(
                editor=editor_of(request, form),
                name=row.name,
                expected_version=form.cleaned_data["version"] or 0,
                values=form.values,
            )
        except InvalidInput as error:
            form.refuse(error)
        except VersionMoved:
            form.add_error(None, somebody_was_faster())
        else:
            messages.success(request, _("The form type was changed."))
            return redirect("reviews:whitelist")
    return _form_type_page(request, form, row)


def _form_type_page(request: StaffRequest, form: FormTypeForm, row: FormType | None) -> HttpResponse:
    context = {"form": form, "form_type": row, "edits": history_of(row) if row else []}
    return render(request, "reviews/form_type.html", context, status=422 if form.is_bound else 200)


def editor_of(request: StaffRequest, form: EditForm) -> Editor:
    """Who edits, and why he says he does."""
    reason = form.cleaned_data["reason"]
    return Editor(workspace_id=request.workspace.id, user_id=request.user.pk, reason=reason)


def somebody_was_faster() -> str:
    return _(
        "Somebody changed this since you opened it. What you typed is kept; load the page again to see what stands now."
    )
