"""Which steps of a timeline are told when not all fit: the newest of every slice of time before a second one of any. Pure.

Newest first alone would tell a busy week and nothing of the months before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from memoryhub.recall.looking import Moment
from memoryhub.recall.timeline import Step

SLICE_ENDS_DAYS = (1, 7, 30, 90, 365)
"""Ages in days at which a slice ends; the last slice has no end."""


def by_slices(steps: Sequence[Step], moment: Moment) -> list[Step]:
    """Steps given oldest first, in the order in which they are to be told: round by round, the newest slice first."""
    slices: list[list[Step]] = [[] for _ in range(len(SLICE_ENDS_DAYS) + 1)]
    for step in reversed(steps):
        age = moment.days_since(step.occurred_at)
        slices[sum(age > end for end in SLICE_ENDS_DAYS)].append(step)
    return [step for round_ in zip_longest(*slices) for step in round_ if step is not None]
