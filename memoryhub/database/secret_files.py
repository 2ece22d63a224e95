"""Secrets kept beside the data, readable by their owner only."""

from __future__ import annotations

import os
import secrets
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
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)
    draft.replace(path)


def read_or_make(path: Path) -> str:
    """The secret stored in `path`; a random one is stored first when there is none. Two makers agree on one."""
    if not path.exists():
        make_data_dir(path.parent)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        write(draft, secrets.token_urlsafe(48))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="utf-8").strip()
