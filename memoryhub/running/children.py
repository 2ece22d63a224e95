"""The long-running programs of `make up`: the web server and the worker, each a process of its own."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

STOP_SECONDS = 6
MOST_RESTARTS = 3
SET_PARENT_DEATH_SIGNAL = 1


class ChildGaveUp(RuntimeError):
    """A program ended again and again; the message says which and where its log is."""


@dataclass
class Child:
    """One program. It gets a session of its own, so that Ctrl-C in the terminal reaches the supervisor alone:
    django-q2 hangs when its whole group gets the signal."""

    name: str
    command: Sequence[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    restarts: int = 0

    def start(self) -> None:
        """Start the program; what it says goes to its log, which begins anew with the first start."""
        self.log.parent.mkdir(exist_ok=True)
        with self.log.open("ab" if self.restarts else "wb") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=settings.BASE_DIR,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with_parent,  # the supervisor has one thread
            )

    @property
    def is_alive(self) -> bool:
        """Whether the program runs."""
        return self.process is not None and self.process.poll() is None

    def ask_to_stop(self) -> None:
        """Tell the main process, and it alone, to end."""
        if self.process is not None and self.is_alive:
            self.process.terminate()

    def insist_on_stop(self, *, deadline: float) -> None:
        """Wait until the deadline (time.monotonic), then end the program and its children without asking."""
        if self.process is None:
            return
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def _end_with_parent() -> None:
    """Runs in the new process: when the supervisor is killed, the system asks this program to stop (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)


def web_server(*, log_folder: Path) -> Child:
    """granian with blocking threads: one statement per request, so threads beat an event loop (PERFORMANCE.md)."""
    options = {
        "--interface": "wsgi",
        "--host": settings.HOST,
        "--port": settings.PORT,
        "--workers": settings.WEB_WORKERS,
        "--blocking-threads": settings.WEB_THREADS,
        "--workers-kill-timeout": STOP_SECONDS - 1,
    }
    words = [str(word) for option in options.items() for word in option]
    command = [
        sys.executable,
        "-m",
        "granian",
        *words,
        "--respawn-failed-workers",
        "memoryhub.wsgi:application",
    ]
    return Child(name="web", command=command, log=log_folder / "web.log")


def worker(*, log_folder: Path) -> Child:
    """django-q2's cluster."""
    return Child(
        name="worker", command=[sys.executable, "manage.py", "qcluster"], log=log_folder / "worker.log"
    )


def stop_all(children: Iterable[Child]) -> None:
    """Stop every program: all are asked at once, and given a few seconds together."""
    started = [child for child in children if child.process is not None]
    for child in started:
        child.ask_to_stop()
    deadline = time.monotonic() + STOP_SECONDS
    for child in started:
        child.insist_on_stop(deadline=deadline)


def revive(child: Child) -> bool:
    """Start a program again that ended by itself; returns whether it had. Raises ChildGaveUp after three times."""
    if child.is_alive:
        return False
    if child.restarts >= MOST_RESTARTS:
        raise ChildGaveUp(f"The {child.name} program ended {MOST_RESTARTS + 1} times: see {child.log}.")
    child.restarts += 1
    child.start()
    return True
