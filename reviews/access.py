"""Who may see which page: one decorator for every view of the desk, and nothing else decides it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _

from memoryhub.audit import Actor, current_actor
from memoryhub.models import Owner, Workspace
from memoryhub.staff import roles_of
from reviews.models import Membership
from reviews.queries.owners import find_owner

ROLE_NAMES = {
    "viewer": _("viewer"),
    "reviewer": _("reviewer"),
    "operator": _("operator"),
    "compliance": _("compliance"),
    "approver": _("approver"),
    "admin": _("administrator"),
}


class StaffRequest(HttpRequest):
    """A request that passed `staff_page`: the person, his workspace and his roles are known."""

    user: User
    workspace: Workspace
    roles: frozenset[str]


class RoleMissing(PermissionDenied):
    """The person is signed in, but his groups do not allow this. `role` is the one that would."""

    def __init__(self, role: str) -> None:
        self.role = role
        super().__init__(role)


class OwnerGone(Exception):
    """The owner is being erased: the page answers 410 and shows nothing of him."""


def may(roles: Iterable[str], role: str) -> bool:
    """Whether these roles allow what `role` allows. Every role may look; an administrator may everything."""
    held = set(roles)
    return "admin" in held or role in held or (role == "viewer" and bool(held))


def staff_page(
    role: str = "viewer",
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Lets a view run only for a signed-in member of a workspace who holds `role`.

    Anonymous people go to the login page; the others get 403 (`RoleMissing`).
    """

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @login_required
        @wraps(view)
        def page(request: StaffRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            take_seat(request)
            if not may(request.roles, role):
                raise RoleMissing(role)
            with acting_as(request):
                return view(request, *args, **kwargs)

        page.staff_role = role  # type: ignore[attr-defined]
        return page

    return decorate


def take_seat(request: StaffRequest) -> None:
    """Put workspace and roles on the request. Raises RoleMissing for an account without a workspace."""
    workspace = workspace_of(request.user)
    if workspace is None:
        raise RoleMissing("viewer")
    request.workspace = workspace
    request.roles = frozenset({"admin"} if request.user.is_superuser else roles_of(request.user))


@contextmanager
def acting_as(request: StaffRequest) -> Iterator[None]:
    """Whatever is audited meanwhile was done by this person, on a page."""
    actor = Actor(
        kind="user", id=str(request.user.pk), transport="page", request_id=getattr(request, "id", "")
    )
    token = current_actor.set(actor)
    try:
        yield
    finally:
        current_actor.reset(token)


def workspace_of(user: User) -> Workspace | None:
    """The workspace a person is enrolled in; without an enrolment the only one there is, if there is only one."""
    membership = Membership.objects.select_related("workspace").filter(user=user).first()
    if membership is not None:
        return membership.workspace
    found = Workspace.objects.filter(is_scratch=False)[:2]
    return found[0] if len(found) == 1 else None


def owner_for(request: StaffRequest, owner_id: UUID) -> Owner:
    """The owner, if he belongs to the person's workspace.

    Raises Http404 for an unknown owner and, with the same answer, for another workspace's; OwnerGone while he is erased.
    """
    owner = find_owner(workspace=request.workspace, owner_id=owner_id)
    if owner is None:
        raise Http404
    if owner.state == Owner.State.ERASING:
        raise OwnerGone
    return owner


def enrol(*, user: User, workspace: Workspace) -> None:
    """Let an account work in this workspace, and in no other."""
    Membership.objects.update_or_create(user=user, defaults={"workspace": workspace})
