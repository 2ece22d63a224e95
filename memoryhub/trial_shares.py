"""Which owners a policy trial answers: a keyed hash of the owner against the share. Pure but for the key; nothing is stored.

The hash depends on the version that is tried, so each trial draws its owners anew; it does not depend on the share, so another
share of the same version moves only the owners between the two.
"""

from __future__ import annotations

import hmac
from uuid import UUID

from memoryhub.owner_keys import installation_secret

_STEPS = 2**64


def place_of(*, owner_id: UUID, version_id: UUID) -> float:
    """Where the owner stands in [0, 100): HMAC-SHA256(installation secret, version | owner), its first 64 bits."""
    digest = hmac.digest(
        installation_secret(), b"policy-trial|" + version_id.bytes + owner_id.bytes, "sha256"
    )
    return int.from_bytes(digest[:8]) / _STEPS * 100


def is_in_trial(*, owner_id: UUID, version_id: UUID, share: int) -> bool:
    """Whether a trial of the version on `share` percent of the owners answers this one."""
    return place_of(owner_id=owner_id, version_id=version_id) < share
