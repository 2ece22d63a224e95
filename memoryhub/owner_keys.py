"""The installation secret and one key per owner, kept outside the database and its dumps.

Commitments in the audit trail, fingerprints of idempotent requests and tombstones are HMACs under the owner's key, so
destroying that key makes them meaningless. The store is a folder of files; an owner's key is made of his own file and the
installation's, so that neither alone is enough.
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from pathlib import Path
from uuid import UUID

from django.conf import settings

from memoryhub.database import secret_files


class KeyDestroyed(LookupError):
    """The owner was erased; nothing can be committed under his key again."""


def installation_secret() -> bytes:
    """The secret that belongs to this installation; made on first use."""
    return _installation_secret(_folder())


def owner_key(owner_id: UUID) -> bytes:
    """The owner's 32-byte key; made on first use. A destroyed key is never made again (raises KeyDestroyed)."""
    return _owner_key(_folder(), owner_id)


def commitment(owner_id: UUID, content: bytes) -> bytes:
    """HMAC-SHA256 of the content under the owner's key: proves what it was while the key exists, nothing after."""
    return hmac.digest(owner_key(owner_id), content, "sha256")


def destroy_owner_key(owner_id: UUID) -> None:
    """Forget the owner's key for good and leave a mark, so that it is not made anew."""
    path = _path(_folder(), owner_id)
    secret_files.write(path.with_suffix(".destroyed"), "")
    path.unlink(missing_ok=True)
    _owner_key.cache_clear()


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "keys"


def _path(folder: Path, owner_id: UUID) -> Path:
    # The end of a UUIDv7 is random, its beginning is a clock: shard by the end.
    return folder / "owners" / owner_id.hex[-2:] / owner_id.hex


@lru_cache(maxsize=1)
def _installation_secret(folder: Path) -> bytes:
    return secret_files.read_or_make(folder / "installation").encode()


@lru_cache(maxsize=10_000)
def _owner_key(folder: Path, owner_id: UUID) -> bytes:
    path = _path(folder, owner_id)
    if path.with_suffix(".destroyed").exists():
        raise KeyDestroyed(owner_id)
    return hmac.digest(_installation_secret(folder), secret_files.read_or_make(path).encode(), "sha256")
