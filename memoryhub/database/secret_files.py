"""Secrets kept beside the data, readable by their owner only."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path


def make_data_dir(data_dir: Path) -> None:
    """Create the data directory when it is missing; one that exists keeps its mode.

    Others may pass through it (the database of a root user runs as another user) but not list it.
    """
    if not data_dir.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        data_dir.chmod(0o711)


def write(path: Path, content: str) -> None:
    """Write `content` to a file with mode 0600, replacing it as a whole."""
    make_data_dir(path.parent)
    _draft(path, content).replace(path)


def read_or_make(path: Path) -> str:
    """The secret stored in `path`; a random one is stored first when there is none. All makers agree on one."""
    if not path.exists():
        make_data_dir(path.parent)
        draft = _draft(path, secrets.token_urlsafe(48))
        with suppress(FileExistsError):  # somebody else's came first and counts
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="utf-8").strip()


def _draft(path: Path, content: str) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # with mode 0600
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)
    return Path(name)
