"""The poison drill holds, and its report says so only when every check does."""

from __future__ import annotations

import pytest

from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.evaluation.rollback_drill import RollbackDrillReport, run_rollback_drill


@pytest.mark.django_db
@pytest.mark.slow
def test_one_rollback_takes_all_the_poison_back() -> None:
    with scratch_workspace(keep=True) as workspace:
        report = run_rollback_drill(workspace)
    assert [check for check in report.checks if not check.holds] == []


def test_the_report_holds_only_when_every_check_does() -> None:
    report = RollbackDrillReport()
    report.expect("sound", 1, 1)
    held = [report.holds]
    report.expect("broken", 1, 2)
    held.append(report.holds)
    assert held == [True, False]
    assert [check["holds"] for check in report.as_json()["checks"]] == [True, False]
