"""`/rollback/new/`: what a rollback would do; `/rollback/execute/`: do exactly that; `/rollback/button/`: a row's button."""

from __future__ import annotations

import json
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from memoryhub.changes.incidents import attach_rollback
from memoryhub.changes.reverting import RollbackResult, execute_rollback
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.exceptions import InvalidInput, NotFound, OwnerErasing, OwnerFrozen, RollbackMoved, WrongMove
from reviews.access import StaffRequest, may, staff_page
from reviews.labels import word_for
from reviews.pages import render_page
from reviews.queries.facts import field_definitions
from reviews.queries.rollbacks import preview_of
from reviews.queries.scope_choices import scope_choices
from reviews.roll_back import roll_back_button
from reviews.scope_query import ScopeForm, as_query

MOST_REASON = 500


@require_GET
@staff_page()
def rollback_new(request: StaffRequest) -> HttpResponse:
    form = ScopeForm(request.GET, workspace=request.workspace)
    named = form.scope if form.is_given and form.is_valid() else None
    context: dict[str, object] = {
        "form": form,
        "incident": _id(request.GET.get("incident", "")),
        "choices": scope_choices(workspace=request.workspace, scope=named),
    }
    if named is not None:
        return _previewed(request, named, context)
    return render_page(request, "reviews/rollback_new.html", context)


def _previewed(
    request: StaffRequest, scope: RollbackScope, context: dict[str, object], *, status: int = 200
) -> HttpResponse:
    try:
        context["preview"] = preview_of(workspace=request.workspace, scope=scope)
    except InvalidInput as error:
        context["problem"] = (
            _("The range ends before it begins.") if error.code == "out_of_range" else _("Name a scope.")
        )
    context |= {
        "may_roll_back": may(request.roles, "operator"),
        "definitions": field_definitions(request.workspace.id),
    }
    response = render_page(request, "reviews/rollback_new.html", context)
    response.status_code = status
    return response


@require_GET
@staff_page("operator")
def rollback_button(request: StaffRequest) -> HttpResponse:
    """The button of a row that was opened, with its label; asked for by htmx."""
    form = ScopeForm(request.GET, workspace=request.workspace)
    if not (form.is_given and form.is_valid()):
        raise BadRequest("scope")
    context = {"button": roll_back_button(request, form.scope), "ident": f"opened-{request.GET.urlencode()}"}
    return render(request, "reviews/_roll_back_opened.html", context)


@require_POST
@staff_page("operator")
def rollback_execute(request: StaffRequest) -> HttpResponseBase:
    scope, incident_id = _posted_scope(request), _id(request.POST.get("incident", ""))
    try:
        result = execute_rollback(
            workspace_id=request.workspace.id,
            scope=scope,
            digest=request.POST.get("digest", ""),
            ticked=request.POST.getlist("tick"),
            reason=request.POST.get("reason", "").replace("\0", "").strip()[:MOST_REASON],
            user_id=request.user.pk,
        )
    except InvalidInput as error:
        raise BadRequest(error.field) from error
    except RollbackMoved:
        return _moved(request, scope, incident_id)
    except (OwnerFrozen, OwnerErasing):
        messages.error(request, _("Nothing was rolled back: the owner was frozen or is being erased."))
        return redirect("reviews:rollbacks")
    _attach(request, result, incident_id)
    return _answered(request, result)


def _posted_scope(request: StaffRequest) -> RollbackScope:
    try:
        scope = RollbackScope.from_json(json.loads(request.POST.get("scope", "")))
        scope.check()
    except (ValueError, TypeError, AttributeError, InvalidInput) as error:
        raise BadRequest("scope") from error
    return scope


def _moved(request: StaffRequest, scope: RollbackScope, incident_id: UUID | None) -> HttpResponse:
    """409: the memory moved since the look, so nothing was done; what it would do now is shown instead."""
    fresh = ScopeForm(QueryDict(as_query(scope)), workspace=request.workspace)
    fresh.is_valid()
    context: dict[str, object] = {"form": fresh, "moved": True, "incident": incident_id}
    return _previewed(request, scope, context, status=409)


def _attach(request: StaffRequest, result: RollbackResult, incident_id: UUID | None) -> None:
    if incident_id is None or not result.change_set_ids:
        return
    sets = list(result.change_set_ids.values())
    try:
        attach_rollback(workspace_id=request.workspace.id, incident_id=incident_id, change_set_ids=sets)
    except (NotFound, WrongMove):
        messages.warning(
            request, _("The rollback was made, but the incident is closed: it was not attached.")
        )


def _answered(request: StaffRequest, result: RollbackResult) -> HttpResponseBase:
    if result.skipped:
        number = sum(len(skipped.change_ids) for skipped in result.skipped)
        reasons = dict.fromkeys(word_for(skipped.code, "skipped") for skipped in result.skipped)
        told = ngettext(
            "%(n)s change was left alone: %(why)s", "%(n)s changes were left alone: %(why)s", number
        )
        messages.warning(request, told % {"n": number, "why": _("; ").join(reasons)})
    if not result.change_set_ids:
        messages.info(request, _("There was nothing to undo."))
        return redirect("reviews:rollbacks")
    messages.success(
        request, _("The rollback is under way.") if result.job_id else _("The rollback is done.")
    )
    owner_id, set_id = next(iter(result.change_set_ids.items()))
    return redirect("reviews:rollback", owner_id, set_id)


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
