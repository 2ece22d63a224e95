"""`/owners/<id>/memories/<memory>/promote/`: propose a memory to a team, project or domain."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memoryhub.exceptions import MemoryhubError, NotFound
from memoryhub.models import MemoryItem, Owner, OwnerLink
from memoryhub.sharing.promoting import Promoted, propose_to_shared
from reviews.access import StaffRequest, owner_for, staff_page
from reviews.labels import word_for
from reviews.queries.derivation import Memory
from reviews.queries.facts import field_definitions
from reviews.queries.promotions import to_promote
from reviews.views.document import staff_source


@require_http_methods(["GET", "POST"])
@staff_page("reviewer")
def promote(request: StaffRequest, owner_id: UUID, memory_id: UUID) -> HttpResponseBase:
    """GET shows what would be proposed and to whom it may be; POST proposes it. Another person decides."""
    owner = owner_for(request, owner_id)
    memory, links = to_promote(owner=owner, memory_id=memory_id)
    if memory is None:
        raise Http404
    if request.method != "POST":
        return _shown(request, owner, memory, links)
    chosen = {str(link.linked_owner_id): link for link in links}.get(request.POST.get("to", ""))
    if chosen is None:
        return _shown(request, owner, memory, links, problem=_("Choose to whom."), status=422)
    return _proposed(request, owner, memory, chosen, links)


def _proposed(
    request: StaffRequest, owner: Owner, memory: Memory, chosen: OwnerLink, links: list[OwnerLink]
) -> HttpResponseBase:
    promoted = Promoted(
        owner_id=owner.id,
        kind="item" if isinstance(memory, MemoryItem) else "field_version",
        memory_id=memory.id,
        shared_owner_id=chosen.linked_owner_id,
    )
    try:
        verdict = propose_to_shared(promoted=promoted, source=staff_source(request))
    except NotFound:
        raise Http404 from None
    except MemoryhubError as error:
        said = word_for(error.code, "link_problem")
        return _shown(request, owner, memory, links, problem=said, status=422)
    if verdict.outcome != "in_review":
        said = word_for(verdict.code, "reason")
        return _shown(request, owner, memory, links, problem=said, status=422)
    messages.success(request, _("It is proposed; another person decides."))
    return redirect("reviews:memory", owner.id, memory.id)


def _shown(
    request: StaffRequest,
    owner: Owner,
    memory: Memory,
    links: list[OwnerLink],
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "owner": owner,
        "tab": "items" if isinstance(memory, MemoryItem) else "facts",
        "memory": memory,
        "links": links,
        "problem": problem,
        "definitions": field_definitions(owner.workspace_id),
    }
    return render(request, "reviews/promote.html", context, status=status)
