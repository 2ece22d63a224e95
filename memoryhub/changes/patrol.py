"""When an agent's writes should wait for a person, and when they may go live at once. A pure rule over its patrol samples."""

from __future__ import annotations

from typing import Literal

type PatrolVerdict = Literal["gate", "patrol", "stay"]

GATE_FROM_RATE, GATE_FROM_SAMPLES = 0.10, 20
PATROL_UP_TO_RATE, PATROL_FROM_SAMPLES = 0.02, 50


def judge_agent(*, sampled: int, overturned: int) -> PatrolVerdict:
    """`gate` when at least 10 % of at least 20 samples were overturned, `patrol` when at most 2 % of at least 50, else `stay`.

    The two thresholds lie apart so that an agent does not swing between them on one decision.
    """
    if sampled >= GATE_FROM_SAMPLES and overturned >= GATE_FROM_RATE * sampled:
        return "gate"
    if sampled >= PATROL_FROM_SAMPLES and overturned <= PATROL_UP_TO_RATE * sampled:
        return "patrol"
    return "stay"
