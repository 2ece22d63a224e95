"""Where the embedded database lies: pure look-ups, nothing is created or changed here.

A Unix socket's path may be 107 bytes long at most, so the socket folder has a short path of its own under /tmp,
named after the data directory; its owner and mode are checked before the server starts.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

SOCKET_PARENT = Path("/tmp")  # noqa: S108  the folder in it is private and its owner is checked
POINTER = "postgres.location"
"""File in the data directory that names the cluster's folder when that had to be made elsewhere."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """The folders of one embedded cluster."""

    data_dir: Path
    home: Path
    socket_folder: Path

    @property
    def cluster(self) -> Path:
        return self.home / "data"

    @property
    def is_initialised(self) -> bool:
        return (self.cluster / "PG_VERSION").exists()


def fingerprint(data_dir: Path) -> str:
    """A short name for a data directory, equal for every way of writing its path."""
    return hashlib.sha256(os.fsencode(os.path.realpath(data_dir))).hexdigest()[:12]


def locate(data_dir: Path) -> Layout:
    """The folders of the cluster that belongs to `data_dir`."""
    pointer = data_dir / POINTER
    home = Path(pointer.read_text(encoding="utf-8").strip()) if pointer.exists() else data_dir / "postgres"
    return Layout(
        data_dir=data_dir, home=home, socket_folder=SOCKET_PARENT / f"memoryhub-{fingerprint(data_dir)}"
    )
