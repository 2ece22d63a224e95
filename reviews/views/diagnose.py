"""`/owners/<id>/diagnose/`: why a recall did not know something, and how something unwanted got in."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from memoryhub.diagnosing.diagnosing import diagnose as diagnose_recall
from memoryhub.diagnosing.letting_in import how_it_got_in
from memoryhub.diagnosing.sentences import Language
from memoryhub.exceptions import InvalidInput, NotFound, OwnerErasing
from memoryhub.models import Owner
from memoryhub.recall.answers import Caller, RecallRequest
from reviews.access import OwnerGone, StaffRequest, owner_for, staff_page
from reviews.diagnosis_words import as_told, as_way, let_in_told
from reviews.pages import render_page
from reviews.queries.recalls import show_recall
from reviews.recall_forms import DiagnoseForm, id_of


@require_GET
@staff_page()
def diagnose(request: StaffRequest, owner_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    form = DiagnoseForm(request.GET)
    context: dict[str, Any] = {"owner": owner, "tab": "recall", "form": form}
    recall_id: UUID | None = form.chosen["recall"] or None
    if recall_id:
        entry = show_recall(owner=owner, recall_id=recall_id)
        if entry is None:
            raise Http404
        context["entry"] = entry
    try:
        context |= _answer(owner, form, recall_id, user_id=request.user.pk)
    except NotFound:
        context["problem"] = _("There is no such memory of this owner.")
    except InvalidInput as error:
        context["problem"] = _PROBLEMS.get(error.code, lambda: _("This cannot be looked for."))()
    except OwnerErasing as error:
        raise OwnerGone from error
    return render_page(request, "reviews/diagnose.html", context)


_PROBLEMS = {
    "field_not_allowed": lambda: _("There is no such field on the whitelist."),
    "owner_frozen": lambda: _("This owner is frozen: an agent gets nothing."),
    "blank": lambda: _("What was expected holds no letter and no digit."),
}


def _answer(owner: Owner, form: DiagnoseForm, recall_id: UUID | None, *, user_id: int) -> dict[str, Any]:
    """What the page shows; nothing before something was asked."""
    language: Language = "zh" if (get_language() or "").startswith("zh") else "en"
    if unwanted := form.chosen["unwanted"]:
        target = id_of(unwanted)
        if target is None:
            raise NotFound
        found = how_it_got_in(
            workspace_id=owner.workspace_id, owner_id=owner.id, target_id=target, recall_id=recall_id
        )
        return {"let_in": let_in_told(found, owner, language)}
    wanted = form.wanted
    if wanted is None:
        return {}
    question = RecallRequest(query=form.chosen["q"], session_ref=form.chosen["session"], evaluation=True)
    diagnosis = diagnose_recall(
        workspace_id=owner.workspace_id,
        owner_id=owner.id,
        expected=wanted,
        caller=Caller(user_id=user_id),
        request=None if recall_id else question,
        recall_id=recall_id,
    )
    return {
        "diagnosis": diagnosis,
        "first": as_told(diagnosis.first, owner, language),
        "others": [as_told(other, owner, language) for other in diagnosis.others],
        "way": as_way(diagnosis.first.step),
    }
