"""Forked processes that do not outlive the one that forked them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

SET_PARENT_DEATH_SIGNAL = 1

_parent = 0


def end_forks_with_their_parent() -> None:
    """From now on, a process forked by this one or by its forks is killed when its parent ends, however it ends (Linux only)."""
    if sys.platform == "linux":
        os.register_at_fork(before=_remember_parent, after_in_child=_end_with_parent)


def _remember_parent() -> None:
    global _parent
    _parent = os.getpid()


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != _parent:  # it ended before we asked
        os._exit(1)
