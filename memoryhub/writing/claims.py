"""What a sender says about his own trust. It is kept with what he sent and has no effect; the answer says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_CLAIM = re.compile(
    r"(?:trust(?:[_ -]?(?:tier|level|score))?|tier|authority|confidence|importance|priority|role|owner|is[_ -]?admin|admin|verified|"
    r"approved|reviewed|corroborations?|confirmations?|basis)",
    re.IGNORECASE,
)


def ignored_claims(metadata: Mapping[str, Any] | None) -> tuple[str, ...]:
    """`claims_ignored` and the names in the metadata that claim trust, importance or a role; empty when there is none."""
    names = sorted(name for name in metadata or {} if _CLAIM.fullmatch(name.strip()))
    return ("claims_ignored", *(f"ignored:metadata.{name}" for name in names)) if names else ()
