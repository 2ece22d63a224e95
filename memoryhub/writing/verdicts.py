"""Verdicts as JSON, for the event's outcome and the answer of a write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from memoryhub.writing.candidates import Verdict


def refused(code: str, *, kind: Literal["form", "item", "relation", "event"], field: str = "") -> Verdict:
    return Verdict(outcome="refused", kind=kind, code=code, field=field)


def as_json(verdicts: Iterable[Verdict]) -> list[dict[str, Any]]:
    """One object per verdict, without what is empty."""
    return [
        {
            name: str(value) if name in ("target_id", "change_id") else value
            for name, value in (
                ("outcome", verdict.outcome),
                ("kind", verdict.kind),
                ("code", verdict.code),
                ("field", verdict.field),
                ("target_id", verdict.target_id),
                ("change_id", verdict.change_id),
                ("details", verdict.details),
            )
            if value
        }
        for verdict in verdicts
    ]
