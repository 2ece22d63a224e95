"""The poison drill holds."""

from __future__ import annotations

import pytest

from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.evaluation.rollback_drill import run_rollback_drill


@pytest.mark.django_db
@pytest.mark.slow
def test_one_rollback_takes_all_the_poison_back() -> None:
    with scratch_workspace(keep=True) as workspace:
        report = run_rollback_drill(workspace)
    assert [check for check in report.checks if not check.holds] == []
