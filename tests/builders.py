"""Things tests stand on, made through the real services: a workspace, an agent's key as a source, an owner."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memoryhub.database.owners import resolve_owner
from memoryhub.keys import mint_key
from memoryhub.models import Owner, OwnerLink, PolicyVersion, Workspace, new_id
from memoryhub.workspaces import create_agent, create_workspace
from memoryhub.writing.source import Source


def make_workspace(**values: str) -> Workspace:
    slug = values.pop("slug", f"w{new_id().hex}")
    return create_workspace(slug=slug, name=values.pop("name", "Test"), **values)  # type: ignore[arg-type]


def make_source(
    workspace: Workspace | None = None, *, workspace_id: UUID | None = None, trust_tier: int = 3
) -> Source:
    """An agent of the workspace with a key of this trust, as the writer of something."""
    if workspace is None:
        assert workspace_id is not None
        workspace = Workspace.objects.get(id=workspace_id)
    agent = create_agent(workspace=workspace, name=f"agent-{new_id().hex}")
    key = mint_key(agent=agent, trust_tier=trust_tier).key
    return Source(workspace_id=workspace.id, trust_tier=trust_tier, agent_id=agent.id, api_key_id=key.id)


def put_policy(*, workspace_id: UUID, **values: Any) -> PolicyVersion:
    """A new version in force, with these values instead of the current ones', as the patrol rule would write it."""
    versions = PolicyVersion.objects.filter(workspace_id=workspace_id)
    current = versions.get(is_current=True)
    newest = versions.order_by("-number")[0].number
    versions.update(is_current=False)
    return PolicyVersion.objects.create(
        workspace_id=workspace_id,
        number=newest + 1,
        name=current.name,
        values={**current.values, **values},
        is_current=True,
        state="approved",
        origin="rule",
    )


def make_owner(source: Source, ref: str = "", kind: str = "user", **values: str) -> Owner:
    """An owner of the source's workspace; `values` are columns such as locale and time_zone."""
    resolved = resolve_owner(
        workspace_id=source.workspace_id, ref=ref or f"u-{new_id().hex}", kind=kind, create=True
    )
    if values:
        Owner.objects.filter(id=resolved.id).update(**values)
    return Owner.objects.get(id=resolved.id)


def make_link(owner: Owner, linked: Owner, **terms: Any) -> OwnerLink:
    """Let the owner's recall read the linked owner; `terms` are columns such as kinds and direction."""
    return OwnerLink.objects.create(
        owner=owner, workspace_id=owner.workspace_id, linked_owner=linked, linked_kind=linked.kind, **terms
    )
