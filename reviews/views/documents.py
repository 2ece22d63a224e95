"""`/documents/`: the library of the workspace, and what of it is due for verification."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from reviews.access import StaffRequest, may, staff_page
from reviews.document_forms import DocumentFilter
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.documents import library_owners, list_documents, list_stale


@require_GET
@staff_page()
def documents(request: StaffRequest) -> HttpResponseBase:
    form = DocumentFilter(request.GET)
    page = list_documents(
        workspace=request.workspace,
        cursor=read_cursor(request.GET.get("cursor", ""), parts=2),
        **form.chosen,
    )
    context = {
        "form": form,
        "page": page,
        "may_import": may(request.roles, "operator"),
        "owners": library_owners(workspace=request.workspace),
    }
    return render_page(request, "reviews/documents.html", context)


@require_GET
@staff_page()
def documents_stale(request: StaffRequest) -> HttpResponseBase:
    rows, days = list_stale(workspace=request.workspace)
    context = {"rows": rows, "days": days, "may_verify": may(request.roles, "reviewer")}
    return render(request, "reviews/documents_stale.html", context)
