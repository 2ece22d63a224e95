"""`/policies/`: the versions there are, one of them, a new one, and the decision of a second person."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryhub.exceptions import InvalidInput, OwnPolicy, PolicyMoved, PolicyUnmeasured, WrongMove
from memoryhub.foresight.comparing import foresee_policy
from memoryhub.models import PolicyVersion
from memoryhub.policies import Policy
from memoryhub.policy_measuring import LEAST_JUDGED
from memoryhub.policy_rules import check_policy, policy_from
from memoryhub.policy_trials import TRIABLE, open_trial
from memoryhub.policy_versions import (
    approve_policy,
    current_version,
    differences,
    draft_policy,
    propose_policy,
    reject_policy,
    withdraw_policy,
)
from reviews.access import StaffRequest, may, staff_page
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.policy_forms import PolicyDecisionForm, PolicyForm
from reviews.policy_trial_forms import ShareForm
from reviews.queries.policies import find_policy, list_policies, policy_detail, waiting_policies
from reviews.queries.whitelist import agents_of


@require_GET
@staff_page()
def policies(request: StaffRequest) -> HttpResponse:
    cursor = read_cursor(request.GET.get("cursor", ""), parts=1)
    state = "proposed" if request.GET.get("state") == "proposed" else ""
    context = {
        "page": list_policies(workspace=request.workspace, cursor=cursor, state=state),
        "state": state,
        "waiting": waiting_policies(workspace=request.workspace),
        "open_trial": open_trial(request.workspace.id),
        "may_propose": may(request.roles, "operator"),
    }
    return render_page(request, "reviews/policies.html", context)


@require_GET
@staff_page()
def policy(request: StaffRequest, number: int) -> HttpResponse:
    return _shown(request, _version(request, number), PolicyDecisionForm())


def _shown(
    request: StaffRequest,
    version: PolicyVersion,
    form: PolicyDecisionForm,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    against = request.GET.get("against", "")
    is_number = against.isascii() and against.isdigit() and len(against) < 9
    detail = policy_detail(
        workspace=request.workspace,
        version=version,
        against=int(against) if is_number else None,
        now=timezone.now(),
    )
    is_author = version.created_by_id == request.user.pk
    context = {
        "detail": detail,
        "version": version,
        "agents": {str(agent.id): agent.name for agent in agents_of(workspace=request.workspace)},
        "form": form,
        "share_form": ShareForm(),
        "may_try": version.state in TRIABLE and not version.is_current and may(request.roles, "operator"),
        "least_judged": LEAST_JUDGED,
        "problem": problem,
        "is_author": is_author,
        "may_propose": may(request.roles, "operator"),
        "may_decide": may(request.roles, "approver") and not (is_author and version.four_eyes),
    }
    return render(request, "reviews/policy.html", context, status=status)


@require_http_methods(["GET", "POST"])
@staff_page("operator")
def policy_new(request: StaffRequest) -> HttpResponseBase:
    """GET fills the form from what is in force, or from `?from=<number>`; POST looks, keeps a draft, or proposes."""
    current = current_version(request.workspace.id)
    standing = policy_from(current.values if current else {})
    form = PolicyForm(
        request.POST if request.method == "POST" else None,
        standing=standing,
        initial=_initial(request, standing, current),
    )
    context: dict[str, Any] = {"form": form, "current": current}
    acts = "draft" in request.POST or "propose" in request.POST
    if form.is_bound and not acts:
        form.fields["reason"].required = form.fields["name"].required = False
    if form.is_bound and form.is_valid():
        try:
            if acts:
                return _drafted(request, form)
            context |= _looked(request, form, standing)
        except InvalidInput as error:
            form.refuse(error)
    is_refused = form.is_bound and "foresight" not in context
    return render(request, "reviews/policy_new.html", context, status=422 if is_refused else 200)


def _initial(request: StaffRequest, standing: Policy, current: PolicyVersion | None) -> dict[str, Any]:
    given = request.GET.get("from", "")
    is_number = given.isascii() and given.isdigit() and len(given) < 9
    source = find_policy(workspace=request.workspace, number=int(given)) if is_number else None
    if source is None:
        return {**standing.as_values(), "name": current.name if current else "default"}
    return {**policy_from(source.values).as_values(), "name": source.name, "reason": ""}


def _drafted(request: StaffRequest, form: PolicyForm) -> HttpResponseBase:
    proposes = "propose" in request.POST
    version = draft_policy(
        workspace_id=request.workspace.id,
        user_id=request.user.pk,
        name=form.cleaned_data["name"],
        values=form.values,
        reason=form.cleaned_data["reason"],
        propose=proposes,
    )
    said = _("The policy waits for a second person.") if proposes else _("The draft was kept.")
    messages.success(request, said)
    return redirect("reviews:policy", version.number)


def _looked(request: StaffRequest, form: PolicyForm, standing: Policy) -> dict[str, Any]:
    after = check_policy({**standing.as_values(), **form.values})
    foresight = foresee_policy(
        workspace_id=request.workspace.id, before=standing, after=after, now=timezone.now()
    )
    return {"foresight": foresight, "differences": differences(standing, after)}


@require_POST
@staff_page("operator")
def policy_move(request: StaffRequest, number: int) -> HttpResponseBase:
    """Propose or withdraw one's own draft."""
    version = _version(request, number)
    act = propose_policy if request.POST.get("to") == "proposed" else withdraw_policy
    try:
        act(workspace_id=request.workspace.id, number=version.number, user_id=request.user.pk)
    except OwnPolicy:
        messages.warning(request, _("Only who wrote it proposes it or takes it back; nothing was done."))
    except WrongMove:
        messages.warning(request, _("It is not in that state any more; nothing was done."))
    return redirect("reviews:policy", number)


@require_POST
@staff_page("approver")
def policy_decide(request: StaffRequest, number: int) -> HttpResponseBase:
    version, form = _version(request, number), PolicyDecisionForm(request.POST)
    if not form.is_valid():
        return _shown(request, version, form, problem=_("Say why you decide so."), status=422)
    decide = approve_policy if form.cleaned_data["decision"] == "approve" else reject_policy
    try:
        decided = decide(
            workspace_id=request.workspace.id,
            number=number,
            user_id=request.user.pk,
            reason=form.cleaned_data["reason"],
        )
    except OwnPolicy:
        said = _("You proposed this policy: another person has to decide.")
        return _shown(request, version, form, problem=said, status=403)
    except PolicyMoved:
        said = _(
            "Another policy came into force meanwhile. Reject this one, or have it proposed again on top."
        )
        return _shown(request, version, form, problem=said, status=409)
    except PolicyUnmeasured:
        said = _("It tells more, and how much of that is beside the point was not measured yet.")
        return _shown(request, version, form, problem=said, status=409)
    except WrongMove:
        messages.warning(request, _("It is not in that state any more; nothing was done."))
        return redirect("reviews:policy", number)
    if decided.is_current:
        messages.success(request, _("The policy is in force: the next write and the next recall go by it."))
    else:
        messages.success(request, _("The policy was rejected."))
    return redirect("reviews:policy", number)


def _version(request: StaffRequest, number: int) -> PolicyVersion:
    version = find_policy(workspace=request.workspace, number=number) if number < 2**31 else None
    if version is None:
        raise Http404
    return version
