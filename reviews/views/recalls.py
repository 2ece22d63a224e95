"""`/recalls/`: the log of recalls, and one of them: as it was, as it would be now, and what somebody judged of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from memoryhub.changes.judging import VERDICTS, judge_sample
from memoryhub.exceptions import InvalidInput, NotFound, OwnerErasing, OwnerFrozen
from memoryhub.recall.misses import terms_of
from reviews.access import OwnerGone, StaffRequest, may, owner_for, staff_page
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.names import owners_named
from reviews.queries.recall_replay import compare, replay, stages_of
from reviews.queries.recalls import agent_names, list_recalls, show_recall
from reviews.queries.whitelist import active_fields
from reviews.recall_forms import DebuggerForm, RecallLogFilter, id_of
from reviews.whitelist_forms import field_options


@require_GET
@staff_page()
def recalls(request: StaffRequest) -> HttpResponse:
    agents = agent_names(request.workspace)
    form = RecallLogFilter(request.GET, agents)
    cursor = read_cursor(request.GET.get("cursor", ""), parts=2)
    page = list_recalls(workspace=request.workspace, chosen=form.chosen, agents=agents, cursor=cursor)
    return render_page(request, "reviews/recalls.html", {"form": form, "page": page})


@require_GET
@staff_page()
def recall_debugger(request: StaffRequest) -> HttpResponseBase:
    """Choose whose memory is asked; the page of the owner answers."""
    form = DebuggerForm(request.GET)
    chosen = form.chosen
    found = owners_named(workspace=request.workspace, names=[chosen["owner"]]) if chosen["owner"] else []
    if len(found) == 1:
        return redirect(reverse("reviews:recall", args=[found[0].id], query={"q": chosen["q"]}))
    context = {"form": form, "is_unknown": bool(chosen["owner"])}
    return render(request, "reviews/recall_debugger.html", context)


@require_GET
@staff_page()
def recall_entry(request: StaffRequest, owner_id: UUID, recall_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    entry = show_recall(owner=owner, recall_id=recall_id)
    if entry is None:
        raise Http404
    context: dict[str, Any] = {"owner": owner, "tab": "recall", "entry": entry, "recall": entry.recall}
    may_edit = may(request.roles, "operator")
    if entry.recall.legs.get("forms", {}).get("note") == "no field named":
        context["terms"] = terms_of(entry.recall.query)
        context["options"] = field_options(active_fields(workspace=request.workspace)) if may_edit else []
    try:
        then = replay(owner=owner, row=entry.recall, as_then=True, user_id=request.user.pk)
        now = replay(owner=owner, row=entry.recall, as_then=False, user_id=request.user.pk)
    except OwnerErasing as error:
        raise OwnerGone from error
    shown = now if request.GET.get("at") == "now" else then
    context |= {
        "then": then,
        "now": now,
        "shown": shown,
        "is_then": shown is then,
        "lines": compare(entry.recall, then, now),
        "stages": stages_of(entry.recall, [then, now]),
        "told": {UUID(target) for line in entry.recall.served for target in line["ids"]},
        "may_judge": may(request.roles, "reviewer"),
        "may_edit": may_edit,
    }
    return render(request, "reviews/recall_entry.html", context)


@require_POST
@staff_page("reviewer")
def recall_judge(request: StaffRequest, owner_id: UUID, recall_id: UUID) -> HttpResponseBase:
    """Marks of candidates as `judge-<id>` = relevant, polluting or missed."""
    owner = owner_for(request, owner_id)
    judgements = {
        target: verdict
        for name, verdict in request.POST.items()
        if name.startswith("judge-")
        and verdict in VERDICTS
        and (target := id_of(name.removeprefix("judge-")))
    }
    try:
        number = judge_sample(
            workspace_id=owner.workspace_id,
            owner_id=owner.id,
            recall_id=recall_id,
            judgements=judgements,  # type: ignore[arg-type]
            user_id=request.user.pk,
        )
    except NotFound as error:
        raise Http404 from error
    except OwnerFrozen:
        messages.warning(request, _("This owner is frozen; nothing was noted."))
    except InvalidInput:
        messages.warning(request, _("The answer was another one by then; nothing was noted."))
    else:
        said = ngettext("%(number)s judgement noted.", "%(number)s judgements noted.", number)
        messages.success(request, said % {"number": number} if number else _("Nothing new was judged."))
    return redirect(reverse("reviews:recall_entry", args=[owner.id, recall_id]) + "#candidates")
