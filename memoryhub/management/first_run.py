"""What a new installation starts with: a workspace, two people of the desk, one agent with a key."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from memoryhub import keys, staff
from memoryhub.database import secret_files
from memoryhub.models import Workspace
from memoryhub.workspaces import create_agent, create_workspace
from reviews.models import Membership

WORKSPACE = "main"
LOGINS = {
    "operator-reviewer": ("viewer", "reviewer", "operator"),
    "compliance-approver": ("viewer", "compliance", "approver"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Welcome:
    """What is shown once: logins with their passwords, and the agent's token."""

    passwords: dict[str, str]
    token: str


def credentials_file() -> Path:
    """Where logins are kept, readable by their owner only."""
    return Path(settings.DATA_DIR) / "credentials"


def agent_key_file() -> Path:
    """Where the first agent's token is kept, alone, so that a shell can read it."""
    return Path(settings.DATA_DIR) / "agent_key"


def set_up() -> Welcome | None:
    """Make the first workspace, logins and key; None when there is a workspace already."""
    if Workspace.objects.filter(is_scratch=False).exists():
        return None
    _demo_mark().touch()
    welcome = _make()
    lines = [f"{name} {password}\n" for name, password in welcome.passwords.items()]
    secret_files.write(credentials_file(), "".join(lines))
    secret_files.write(agent_key_file(), f"{welcome.token}\n")
    return welcome


def needs_demo() -> bool:
    """Whether the demo data of a first start is still missing, also after a start that was interrupted."""
    return _demo_mark().exists()


def note_demo() -> None:
    """The demo data is complete."""
    _demo_mark().unlink(missing_ok=True)


def _demo_mark() -> Path:
    return Path(settings.DATA_DIR) / "demo.pending"


@transaction.atomic
def _make() -> Welcome:
    workspace = create_workspace(slug=WORKSPACE, name="memoryhub")
    passwords = {}
    for username, roles in LOGINS.items():
        user, passwords[username] = staff.add_staff(username=username, roles=roles)
        Membership.objects.create(user=user, workspace=workspace)
    agent = create_agent(workspace=workspace, name="first-agent")
    minted = keys.mint_key(agent=agent, label="made by the first start")
    return Welcome(passwords=passwords, token=minted.token)
