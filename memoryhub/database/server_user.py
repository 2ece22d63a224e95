"""Who runs the embedded server. PostgreSQL refuses to run as root, so root gets a system user made for it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

SYSTEM_USER = "memoryhub"


class NoServerUser(RuntimeError):
    """There is no user the server could run as."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerUser:
    """A user id to run programs as; `is_other` when it is not the calling user."""

    uid: int
    gid: int
    is_other: bool

    def run(self, *command: str, **options: object) -> subprocess.CompletedProcess[str]:
        """Run a program as this user, with a small environment of its own and without the caller's groups."""
        environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
        changed = {"user": self.uid, "group": self.gid, "extra_groups": []} if self.is_other else {}
        return subprocess.run(  # type: ignore[call-overload, no-any-return]
            command, **{"env": environment, "cwd": "/", "text": True, **changed, **options}
        )

    def can_enter(self, path: Path) -> bool:
        """Whether this user may enter a folder. Asked of the system, not worked out from modes."""
        return self.run("/bin/sh", "-c", 'test -x "$1"', "sh", str(path)).returncode == 0

    def can_read(self, path: Path) -> bool:
        """Whether this user may read a file."""
        return self.run("/bin/sh", "-c", 'test -r "$1"', "sh", str(path)).returncode == 0


def server_user(home: Path) -> ServerUser:
    """The owner of an existing cluster, else the caller, else (for root) the system user, made when missing.

    Raises NoServerUser when the cluster belongs to somebody the caller cannot act for.
    """
    caller = os.geteuid()
    if home.exists():
        owner = home.stat()
        if caller not in (0, owner.st_uid):
            raise NoServerUser(
                f"The database in {home} belongs to user {owner.st_uid}: run this command as that user."
            )
        return ServerUser(uid=owner.st_uid, gid=owner.st_gid, is_other=owner.st_uid != caller)
    if caller != 0:
        return ServerUser(uid=caller, gid=os.getegid(), is_other=False)
    account = _system_account()
    return ServerUser(uid=account.pw_uid, gid=account.pw_gid, is_other=True)


def _system_account() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        _make_system_account()
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        raise NoServerUser(
            f"PostgreSQL cannot run as root and no system user could be made: add one named {SYSTEM_USER!r} or set DATABASE_URL."
        ) from None


def _make_system_account() -> None:
    shell = shutil.which("nologin") or "/bin/false"
    for command in (
        (
            "useradd",
            "--system",
            "--user-group",
            "--no-create-home",
            "--home-dir",
            "/nonexistent",
            "--shell",
            shell,
        ),
        ("adduser", "-S", "-D", "-H", "-s", shell),
    ):
        program = shutil.which(command[0], path=f"{os.defpath}:/usr/sbin:/sbin")
        if (
            program
            and subprocess.run((program, *command[1:], SYSTEM_USER), capture_output=True).returncode == 0
        ):
            return
