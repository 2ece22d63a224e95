"""Real processes for tests: the worker, and commands run as a person would run them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from django.conf import settings

NOT_HANDED_ON = {"DJANGO_ALLOW_ASYNC_UNSAFE", "PYTHONDONTWRITEBYTECODE"}
"""The one is set for browser tests in this process; without the other each of a hundred programs would compile all our source."""


def environment(**changes: str) -> dict[str, str]:
    """The environment of a program that works on the database this test works on."""
    return {
        **{name: value for name, value in os.environ.items() if name not in NOT_HANDED_ON},
        "MEMORYHUB_ENV": "test",
        "MEMORYHUB_DATA_DIR": str(settings.DATA_DIR),
        "MEMORYHUB_DATABASE_NAME": settings.DATABASE_NAME,
        "PYTHONUNBUFFERED": "1",
        **changes,
    }


def manage(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run one `manage.py` command to its end."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command,
        cwd=settings.BASE_DIR,
        env=environment(**changes),
        text=True,
        capture_output=True,
        timeout=300,
    )


@dataclass
class Worker:
    """A `qcluster` process that can be started, stopped and killed, again and again."""

    changes: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it in a session of its own, so that its group can be killed without this process."""
        command = [sys.executable, "manage.py", "qcluster"]
        self.process = subprocess.Popen(
            command, cwd=settings.BASE_DIR, env=environment(**self.changes), start_new_session=True
        )

    @property
    def pid(self) -> int:
        """The main process; the workers are its children."""
        assert self.process is not None
        return self.process.pid

    def stop(self, *, seconds: float = 10) -> None:
        """Ask the main process to end. Raises subprocess.TimeoutExpired."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(seconds)

    def kill(self) -> None:
        """End the main process and all its children without warning, children of a main process that is gone too."""
        if self.process and (self.process.poll() is None or self.process.returncode < 0):
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)


def wait_until(holds: Callable[[], bool], *, seconds: float = 30, what: str = "the condition") -> None:
    """Poll until something holds. Raises AssertionError after the time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not hold within {seconds} s")
        time.sleep(0.05)
