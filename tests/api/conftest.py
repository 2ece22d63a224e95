"""Three callers for every endpoint: an agent, another agent of its workspace, and one of another workspace."""

from __future__ import annotations

import pytest

from memoryhub.keys import SCOPES, mint_key
from memoryhub.models import Workspace
from memoryhub.workspaces import create_agent, create_workspace
from tests.api.clients import AgentClient

READ_SCOPES = ("memory:read", "recall", "keys:read")


@pytest.fixture
def database(db: None) -> None:
    """What the callers below live in; a module that has to commit overrides it with `committing_db`."""


@pytest.fixture
def workspace(database: None) -> Workspace:
    return create_workspace(slug="ours", name="Ours")


@pytest.fixture
def agent(workspace: Workspace) -> AgentClient:
    return AgentClient(mint_key(agent=create_agent(workspace=workspace, name="first")))


@pytest.fixture
def teammate(workspace: Workspace) -> AgentClient:
    """Another agent of the same workspace: it reaches the same owners."""
    return AgentClient(mint_key(agent=create_agent(workspace=workspace, name="second")))


@pytest.fixture
def stranger(database: None) -> AgentClient:
    other = create_workspace(slug="theirs", name="Theirs")
    return AgentClient(mint_key(agent=create_agent(workspace=other, name="stranger")))


@pytest.fixture
def reader(workspace: Workspace) -> AgentClient:
    return AgentClient(mint_key(agent=create_agent(workspace=workspace, name="reader"), scopes=READ_SCOPES))


@pytest.fixture
def writer(workspace: Workspace) -> AgentClient:
    """A key that may write and may not read."""
    scopes = ("events:write", "memories:write", "forms:write")
    return AgentClient(mint_key(agent=create_agent(workspace=workspace, name="writer"), scopes=scopes))


@pytest.fixture
def restricted(workspace: Workspace) -> AgentClient:
    """An agent whose key reaches the owner `ann` alone."""
    restricted_agent = create_agent(workspace=workspace, name="restricted")
    return AgentClient(mint_key(agent=restricted_agent, scopes=SCOPES, owner_refs=["ann"]))


@pytest.fixture
def nobody(database: None) -> AgentClient:
    return AgentClient(None)
