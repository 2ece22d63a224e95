"""`/owners/<id>/procedures/new/` and `/owners/<id>/procedures/<memory>/edit/`: a procedure, and a new version of one."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memoryhub.exceptions import InvalidInput, NotFound, OwnerFrozen, VersionMoved
from memoryhub.models import MemoryItem, Owner
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.procedures import edit_procedure, write_procedure
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.labels import word_for
from reviews.procedure_forms import ProcedureForm
from reviews.queries.scopes import of
from reviews.views.document import staff_source
from reviews.written import lead_on

APPLIES = "approver"
"""The role whose procedures stand at once; everybody else's wait for another person."""


@require_http_methods(["GET", "POST"])
@staff_page("reviewer")
def procedure_new(request: StaffRequest, owner_id: UUID) -> HttpResponseBase:
    owner = owner_for(request, owner_id)
    form = ProcedureForm(request.POST if request.method == "POST" else None)
    if not form.is_bound or not form.is_valid():
        return _shown(request, owner, form, status=422 if form.is_bound else 200)
    assert form.procedure is not None
    try:
        verdict = write_procedure(
            owner_id=owner.id,
            procedure=form.procedure,
            source=staff_source(request),
            waits=not may(request.roles, APPLIES),
            reason=form.cleaned_data["reason"],
        )
    except OwnerFrozen:
        form.add_error(None, _("That is not possible now; nothing was done."))
        return _shown(request, owner, form, status=409)
    return _answered(request, owner, form, verdict)


@require_http_methods(["GET", "POST"])
@staff_page("reviewer")
def procedure_edit(request: StaffRequest, owner_id: UUID, memory_id: UUID) -> HttpResponseBase:
    owner = owner_for(request, owner_id)
    item = _standing(owner, memory_id)
    assert item.procedure is not None
    initial = {**ProcedureForm.initial_of(item.procedure), "seq": item.seq}
    form = ProcedureForm(request.POST if request.method == "POST" else None, initial=initial)
    if not form.is_bound or not form.is_valid():
        return _shown(request, owner, form, item=item, status=422 if form.is_bound else 200)
    assert form.procedure is not None
    try:
        verdict = edit_procedure(
            owner_id=owner.id,
            item_id=item.id,
            expected_seq=form.cleaned_data["seq"] or 0,
            procedure=form.procedure,
            source=staff_source(request),
            waits=not may(request.roles, APPLIES),
            reason=form.cleaned_data["reason"],
        )
    except NotFound:
        raise Http404 from None
    except VersionMoved:
        form.add_error(None, _("Somebody changed it meanwhile; look at how it stands now."))
        return _shown(request, owner, form, item=item, status=409)
    except OwnerFrozen:
        form.add_error(None, _("That is not possible now; nothing was done."))
        return _shown(request, owner, form, item=item, status=409)
    except InvalidInput as error:
        form.say(error)
        return _shown(request, owner, form, item=item, status=422)
    return _answered(request, owner, form, verdict, item=item)


def _answered(
    request: StaffRequest,
    owner: Owner,
    form: ProcedureForm,
    verdict: Verdict,
    *,
    item: MemoryItem | None = None,
) -> HttpResponseBase:
    """To what became of it: the review that waits, or the procedure as it stands."""
    if verdict.outcome == "refused":
        form.add_error(None, word_for(verdict.code, "reason"))
        return _shown(request, owner, form, item=item, status=422)
    return lead_on(
        request,
        owner,
        verdict,
        is_new=verdict.outcome != "reinforced",
        proposed=_("The procedure is proposed; another person decides."),
        done=_("The procedure stands: agents are told it whole when it is called for."),
    )


def _shown(
    request: StaffRequest,
    owner: Owner,
    form: ProcedureForm,
    *,
    item: MemoryItem | None = None,
    status: int = 200,
) -> HttpResponse:
    fields = [form[name] for name in ("title", "tasks", "phrases", "patterns", "steps", "reason")]
    context = {
        "owner": owner,
        "tab": "items",
        "form": form,
        "lines": fields,
        "memory": item,
        "applies": may(request.roles, APPLIES),
    }
    return render(request, "reviews/procedure_edit.html", context, status=status)


def _standing(owner: Owner, memory_id: UUID) -> MemoryItem:
    """The procedure as it stands, by the id of any of its versions; 404 for everything else."""
    with of(owner):
        item = MemoryItem.objects.of(owner.id).current_wording(memory_id)
    if item is None or item.status != MemoryItem.Status.ACTIVE or item.procedure is None:
        raise Http404
    return item
