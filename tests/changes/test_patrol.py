from __future__ import annotations

import pytest

from memoryhub.changes.patrol import PatrolVerdict, judge_agent


@pytest.mark.parametrize(
    ("sampled", "overturned", "verdict"),
    [
        (0, 0, "stay"),
        (19, 19, "stay"),
        (20, 1, "stay"),
        (20, 2, "gate"),
        (100, 10, "gate"),
        (100, 9, "stay"),
        (49, 0, "stay"),
        (50, 0, "patrol"),
        (50, 1, "patrol"),
        (50, 2, "stay"),
        (200, 4, "patrol"),
        (200, 5, "stay"),
    ],
)
def test_the_rule(sampled: int, overturned: int, verdict: PatrolVerdict) -> None:
    assert judge_agent(sampled=sampled, overturned=overturned) == verdict
