"""`/owners/<id>/memories/<memory>/edit/`: other words for a sentence; `…/key/`: whether it ever fades."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memoryhub.exceptions import InvalidInput, NotFound, OwnerFrozen, VersionMoved
from memoryhub.models import MemoryItem, Owner
from memoryhub.writing.editing import edit_memory
from memoryhub.writing.keying import mark_key_attribute
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.diffing import diff
from reviews.labels import word_for
from reviews.memory_forms import KeyAttributeForm, MemoryEditForm
from reviews.queries.scopes import of
from reviews.views.document import staff_source
from reviews.written import lead_on

APPLIES = "approver"
"""The role whose edits take effect at once; everybody else's wait for another person."""


@require_http_methods(["GET", "POST"])
@staff_page("reviewer")
def memory_edit(request: StaffRequest, owner_id: UUID, memory_id: UUID) -> HttpResponseBase:
    """GET fills the form; POST compares with `look` and writes or proposes with `save`."""
    owner = owner_for(request, owner_id)
    item = _standing(owner, memory_id)
    if item.procedure is not None:
        return redirect("reviews:procedure_edit", owner.id, item.id)
    posted = request.method == "POST"
    form = MemoryEditForm(
        request.POST if posted else None, initial={"content": item.content, "seq": item.seq}
    )
    if not posted:
        return _shown(request, owner, item, form)
    if not form.is_valid():
        return _shown(request, owner, item, form, status=422)
    if "save" not in request.POST:
        return _shown(request, owner, item, form)
    return _saved(request, owner, item, form)


def _saved(request: StaffRequest, owner: Owner, item: MemoryItem, form: MemoryEditForm) -> HttpResponseBase:
    given = form.cleaned_data
    try:
        verdict = edit_memory(
            owner_id=owner.id,
            item_id=item.id,
            expected_seq=given["seq"],
            changes={"content": given["content"]},
            source=staff_source(request),
            waits=not may(request.roles, APPLIES),
            reason=given["reason"],
        )
    except NotFound:
        raise Http404 from None
    except VersionMoved:
        form.add_error(None, _("Somebody changed it meanwhile; it is compared with how it stands now."))
        data = request.POST.copy()
        data["seq"] = str(item.seq)
        form.data = data
        return _shown(request, owner, item, form, status=409)
    except OwnerFrozen:
        form.add_error(None, _("That is not possible now; nothing was done."))
        return _shown(request, owner, item, form, status=409)
    except InvalidInput as error:
        form.add_error("content", word_for(error.code, "review_failure"))
        return _shown(request, owner, item, form, status=422)
    if verdict.outcome == "refused":
        form.add_error("content", word_for(verdict.code, "reason"))
        return _shown(request, owner, item, form, status=422)
    return lead_on(
        request,
        owner,
        verdict,
        is_new=verdict.code != "unchanged",
        proposed=_("Your edit is proposed; another person decides."),
        done=_("The memory says this from now on."),
    )


def _shown(
    request: StaffRequest, owner: Owner, item: MemoryItem, form: MemoryEditForm, *, status: int = 200
) -> HttpResponse:
    draft = form["content"].value() or ""
    context = {
        "owner": owner,
        "tab": "items",
        "memory": item,
        "form": form,
        "pieces": diff(item.content, draft) if form.is_bound and draft != item.content else [],
        "applies": may(request.roles, APPLIES),
    }
    return render(request, "reviews/memory_edit.html", context, status=status)


def _standing(owner: Owner, memory_id: UUID) -> MemoryItem:
    """The sentence as it stands, by the id of any of its wordings; 404 for what does not stand and for form values."""
    with of(owner):
        item = MemoryItem.objects.of(owner.id).current_wording(memory_id)
    if item is None or item.status != MemoryItem.Status.ACTIVE:
        raise Http404
    return item


@require_POST
@staff_page("operator")
def memory_key(request: StaffRequest, owner_id: UUID, memory_id: UUID) -> HttpResponseBase:
    """Mark the sentence as a key attribute, or take the mark off."""
    owner, form = owner_for(request, owner_id), KeyAttributeForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest()
    is_key = form.cleaned_data["key"] == "yes"
    try:
        mark_key_attribute(
            owner_id=owner.id,
            item_id=memory_id,
            expected_seq=form.cleaned_data["seq"],
            is_key=is_key,
            source=staff_source(request),
        )
    except NotFound:
        raise Http404 from None
    except VersionMoved:
        messages.warning(request, _("Somebody changed it meanwhile; nothing was done."))
    except OwnerFrozen:
        messages.warning(request, _("That is not possible now; nothing was done."))
    else:
        told = _("Marked: it never fades.") if is_key else _("The mark is off: it fades like any other.")
        messages.success(request, told)
    return redirect("reviews:memory", owner.id, memory_id)
