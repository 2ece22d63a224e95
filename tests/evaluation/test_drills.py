"""A worker killed at random moments: the reduced drill; `manage.py drill_worker` runs it in full."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memoryhub.evaluation.drills import DrillReport, run_drill
from tests.programs import environment

SOUND = DrillReport(
    kills=1, events=5, processed=5, failed=0, waiting=0, interrupted=2, twice=0, missing=0, open_jobs=0, parked_jobs=1,
    seconds=1.0, seconds_to_settle=1.0,
)  # fmt: skip


@pytest.mark.slow
def test_events_take_effect_exactly_once_however_often_the_worker_is_killed(committing_db: str) -> None:
    workspace, report = run_drill(
        kills=4, events=60, seed=4, environment=environment(MEMORYHUB_JOB_LEASE="3"), settle_seconds=90
    )
    assert report.holds, report
    assert workspace.is_scratch


def test_the_report_holds_only_when_nothing_is_left_over_or_done_twice() -> None:
    assert SOUND.holds
    wrong = [{"processed": 4}, {"failed": 1}, {"waiting": 1}, {"twice": 1}, {"missing": 1}, {"open_jobs": 1}]
    assert not any(replace(SOUND, **change).holds for change in wrong)
