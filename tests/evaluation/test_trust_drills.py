"""Promises 24, 26 and 27 in short: the commands run them in full."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from memoryhub.evaluation.fence_drill import run_fence_drill
from memoryhub.evaluation.hostile_writes import attack_texts, run_hostile_writes
from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.evaluation.trust_drill import run_trust_drill


def failed(checks: object) -> list[object]:
    return [check for check in checks.checks if not check.holds]  # type: ignore[attr-defined]


@pytest.mark.slow
def test_no_hostile_text_of_the_lowest_tier_is_recalled(committing_db: str) -> None:
    texts = attack_texts()[::25]
    with scratch_workspace(keep=True) as workspace:
        checks = run_hostile_writes(workspace, texts=texts)
    assert failed(checks) == []
    assert checks.figures["proposals that wait for a person"] >= len(texts)


@pytest.mark.slow
def test_repetition_and_recall_earn_no_trust(committing_db: str) -> None:
    with scratch_workspace(keep=True) as workspace:
        checks = run_trust_drill(workspace, repeats=6, recalls=10)
    assert failed(checks) == []


def test_hostile_memories_stay_inside_the_block() -> None:
    checks = run_fence_drill(memories=320)
    assert failed(checks) == []
    assert checks.figures["lines served"] == 320


def test_the_command_prints_a_table_and_writes_json(tmp_path: object) -> None:
    path = f"{tmp_path}/fence.json"
    call_command("drill_fence", memories=16, json=path, stdout=StringIO())
    with open(path, encoding="utf-8") as file:
        assert '"holds": true' in file.read()
