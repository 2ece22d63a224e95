"""API keys: `mhk_<env>_<key id>_<secret><crc>`.

The secret has 256 bits, so a fast hash of it may be stored. The CRC lets a scanner tell a real key from a lookalike without
asking us. The token is seen once, when it is minted.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import string
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memoryhub import audit
from memoryhub.exceptions import InvalidInput, WrongMove
from memoryhub.models import Agent, ApiKey

ALPHABET = string.ascii_letters + string.digits
SECRET_LENGTH = 43
CRC_LENGTH = 6
DEFAULT_LIFETIME = timedelta(days=90)
LONGEST_OVERLAP = timedelta(hours=24)
SCOPES = (
    "events:write",
    "memories:write",
    "forms:write",
    "documents:write",
    "sessions:write",
    "memory:read",
    "memory:rollback",
    "recall",
    "questions:answer",
    "owners:create",
    "owners:write",
    "owners:link",
    "shared:write",
    "keys:read",
    "keys:rotate",
)
"""What a key may be allowed to do. `memory:read` covers owners, events, forms, memories, documents, sessions, changes,
reviews and questions;
`memory:rollback` reaches the agent's own changes only; `shared:write` is needed beside any of WRITING to write to a team,
project or domain (documents have a scope of their own), `owners:link` to link owners to those."""
WRITING = frozenset(
    {
        "events:write",
        "memories:write",
        "forms:write",
        "sessions:write",
        "memory:rollback",
        "questions:answer",
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class MintedKey:
    key: ApiKey
    token: str


@transaction.atomic
def mint_key(
    *,
    agent: Agent,
    scopes: Sequence[str] = SCOPES,
    trust_tier: int = 3,
    owner_refs: Sequence[str] = (),
    created_by: Any = None,
    label: str = "",
    lifetime: timedelta | None = DEFAULT_LIFETIME,
) -> MintedKey:
    """Make a key for the agent; the token is in the answer and nowhere else. Raises InvalidInput for an unknown scope."""
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown:
        raise InvalidInput(f"unknown scope {unknown[0]}", field="scopes", code="unknown_scope")
    env = "live" if settings.MEMORYHUB_ENV == "production" else "test"
    key_id = "".join(secrets.choice(ALPHABET) for _ in range(12))
    secret = "".join(secrets.choice(ALPHABET) for _ in range(SECRET_LENGTH))
    key = ApiKey.objects.create(
        agent=agent,
        key_id=key_id,
        secret_sha256=_digest(secret),
        env=env,
        label=label,
        scopes=list(scopes),
        trust_tier=trust_tier,
        owner_refs=list(owner_refs),
        created_by=created_by,
        expires_at=timezone.now() + lifetime if lifetime else None,
    )
    audit.record(
        audit.entry(
            action="key.minted", workspace_id=agent.workspace_id, object_kind="api_key", object_id=key.id
        )
    )
    body = f"mhk_{env}_{key_id}_{secret}"
    return MintedKey(key=key, token=body + _crc(body))


def find_key(token: str) -> ApiKey | None:
    """The usable key the token belongs to, with its agent and workspace; None for anything else, without saying why."""
    parts = token.split("_")
    if (
        len(parts) != 4
        or parts[0] != "mhk"
        or len(parts[3]) != SECRET_LENGTH + CRC_LENGTH
        or not token.isascii()
    ):
        return None
    if not hmac.compare_digest(_crc(token[:-CRC_LENGTH]), token[-CRC_LENGTH:]):
        return None
    key = (
        ApiKey.objects.usable()
        .select_related("agent__workspace")
        .filter(key_id=parts[2], env=parts[1])
        .first()
    )
    if key is None or not hmac.compare_digest(bytes(key.secret_sha256), _digest(parts[3][:SECRET_LENGTH])):
        return None
    return key


def note_use(key: ApiKey, *, now: datetime) -> None:
    """Remember when the key was last used, at most once a minute, so that reads do not become writes."""
    if key.last_used_at is None or now - key.last_used_at > timedelta(minutes=1):
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)


@transaction.atomic
def rotate_key(*, key: ApiKey, overlap: timedelta, created_by: Any = None) -> MintedKey:
    """A new key with the same powers; the old one works until `overlap` (at most 24 hours) has passed.

    Raises InvalidInput for another overlap, WrongMove when the key was replaced before: rotating must not multiply keys.
    """
    if not timedelta() <= overlap <= LONGEST_OVERLAP:
        raise InvalidInput("overlap is 0 to 24 hours", field="overlap", code="out_of_range")
    key = ApiKey.objects.select_for_update(of=["self"]).select_related("agent").get(pk=key.pk)
    if key.replaced_by_id:
        raise WrongMove("the key was replaced before")
    minted = mint_key(
        agent=key.agent,
        scopes=key.scopes,
        trust_tier=key.trust_tier,
        owner_refs=key.owner_refs,
        created_by=created_by,
        label=key.label,
    )
    key.replaced_by = minted.key
    key.save(update_fields=["replaced_by"])
    revoke_key(key=key, at=timezone.now() + overlap)
    return minted


@transaction.atomic
def revoke_key(*, key: ApiKey, at: datetime | None = None) -> None:
    """The key opens nothing from `at` (default: now) on."""
    key.revoked_at = at or timezone.now()
    key.save(update_fields=["revoked_at"])
    audit.record(
        audit.entry(
            action="key.revoked", workspace_id=key.agent.workspace_id, object_kind="api_key", object_id=key.id
        )
    )


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _crc(body: str) -> str:
    """CRC32 in base 62, six characters."""
    value, digits = zlib.crc32(body.encode()), ""
    for _ in range(CRC_LENGTH):
        value, digit = divmod(value, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
