"""What the write path's verdict means for a value of a conversation."""

from __future__ import annotations

from memoryhub.writing.candidates import Verdict

_FATES = {
    **dict.fromkeys(
        ("stored", "reinforced", "superseded", "historical", "scheduled", "duplicate"), "promoted"
    ),
    **dict.fromkeys(("in_review", "waiting"), "in_review"),
}


def fate_of(verdict: Verdict) -> tuple[str, str]:
    """promoted, in_review or dropped, and the reason: the verdict's code, or its outcome when it gives none."""
    return _FATES.get(verdict.outcome, "dropped"), (verdict.code or verdict.outcome)[:60]
