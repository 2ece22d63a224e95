"""The people at the desk: an operator and a viewer of one workspace, and a stranger from another."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from memoryhub.models import Workspace
from memoryhub.workspaces import create_workspace
from reviews.access import enrol


@dataclass(frozen=True)
class Desk:
    workspace: Workspace
    elsewhere: Workspace
    operator: User
    viewer: User
    stranger: User

    def client(self, user: User | None = None) -> Client:
        """A signed-in client; the operator's unless another person is named."""
        client = Client()
        client.force_login(user or self.operator, backend="django.contrib.auth.backends.ModelBackend")
        return client


@pytest.fixture
def desk(committing_db: str) -> Desk:
    workspace = create_workspace(slug="acme", name="Acme", time_zone="Europe/London")
    elsewhere = create_workspace(slug="other", name="Other")
    return Desk(
        workspace=workspace,
        elsewhere=elsewhere,
        operator=_person("olga", workspace, "operator", "reviewer"),
        viewer=_person("vera", workspace, "viewer"),
        stranger=_person("sven", elsewhere, "admin"),
    )


def _person(name: str, workspace: Workspace, *roles: str) -> User:
    """A member without a password, because hashing one takes longer than most tests."""
    user = User.objects.create_user(name)
    user.groups.set(Group.objects.filter(name__in=roles))
    enrol(user=user, workspace=workspace)
    return user
