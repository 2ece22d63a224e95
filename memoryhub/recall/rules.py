"""The rules leg: business rules and safety attributes are candidates whatever the question says."""

from __future__ import annotations

from collections.abc import Sequence

from memoryhub.recall.answers import Ranked


def always_candidates(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Rules and safety attributes, most important first; of equal ones, a rule before an attribute, then the nearer one."""
    wanted = [entry for entry in ranked if "rules" in entry.legs]
    return sorted(
        wanted,
        key=lambda entry: (
            -entry.importance,
            entry.kind != "rule",
            -entry.parts.meaning,
            str(entry.target_id),
        ),
    )
