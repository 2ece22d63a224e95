"""The people at the desk: an operator and a viewer of one workspace, and a stranger from another."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memoryhub.models import Workspace
from memoryhub.staff import add_staff
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
    people = {
        "operator": add_staff(username="olga", roles=["operator", "reviewer"])[0],
        "viewer": add_staff(username="vera", roles=["viewer"])[0],
        "stranger": add_staff(username="sven", roles=["admin"])[0],
    }
    for name, user in people.items():
        enrol(user=user, workspace=elsewhere if name == "stranger" else workspace)
    return Desk(workspace=workspace, elsewhere=elsewhere, **people)
