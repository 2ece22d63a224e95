"""Two policies side by side: every figure from what was recorded, by owner, with n and an interval."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memoryhub.evaluation.ab_comparing import Comparison, compare_trial
from memoryhub.models import Workspace
from memoryhub.policy_trials import halt_trial
from tests.builders import make_workspace, put_policy
from tests.evaluation.trial_rows import Asked, Running, run_trial


@pytest.fixture
def running(committing_module_db: str) -> Running:
    return run_trial(make_workspace())


def compare(running: Running) -> Comparison:
    assert running.trial.started_at is not None
    found = compare_trial(trial=running.trial, now=running.trial.started_at + timedelta(days=1))
    assert found is not None
    return found


def test_every_figure_counts_what_it_says(running: Running) -> None:
    for side, polluted in (("control", 1), ("trial", 3)):
        for number in range(6):
            asked = Asked.by(running, side)
            first = asked.recall(told=4, tokens=100 if side == "control" else 160, session_ref="a")
            asked.judge(first, *["useless"] * polluted, *["used"] * (4 - polluted))
            again = asked.recall(told=0, minute=200, session_ref="b")
            asked.recall(told=2, minute=300, tokens=130, query="")
            asked.recall(told=2, minute=310, tokens=130)
            asked.session("a", "resolved")
            asked.session("b", "escalated")
            if number < 3:
                asked.repeat(first, again)
    found = compare(running)
    assert json.loads(json.dumps(found.as_json()))["figures"]["pollution"]["verdict"] == "worse"
    pollution = found.figure("pollution")
    assert (pollution.control.n, pollution.control.clusters, pollution.control.value) == (24, 6, 0.25)
    assert (pollution.trial.value, pollution.difference.value, pollution.verdict) == (0.75, 0.5, "worse")
    assert pollution.trial.low is not None and 0.4 < pollution.trial.low < 0.75
    hit = found.figure("hit")
    assert (hit.control.n, hit.control.value, hit.verdict) == (6, None, "too_few")
    repeated = found.figure("repeated")
    assert (repeated.control.n, repeated.verdict) == (18, "too_few")
    answered, tokens = found.figure("answered"), found.figure("tokens")
    assert (answered.trial.n, answered.trial.value) == (24, 0.75)
    assert (tokens.control.value, tokens.trial.value, tokens.difference.value) == (115.0, 130.0, 15.0)
    assert (tokens.verdict, found.percentiles["trial"]) == ("worse", (10.0, 10.0))
    resolved = found.figure("resolved")
    assert (resolved.control.n, resolved.control.value) == (12, None)
    assert not found.is_cut


def test_of_a_persons_verdicts_the_last_counts_and_what_was_missed_is_no_pollution(running: Running) -> None:
    for _ in range(20):
        asked = Asked.by(running, "trial")
        recall = asked.recall(told=2)
        asked.judge(recall, "missed", "useless", user_id=1)
        asked.judge(recall, "missed", "used", user_id=2)
    pollution = compare(running).figure("pollution").trial
    assert (pollution.n, pollution.value) == (20, 0.0)


def test_a_session_counts_as_resolved_when_its_question_did_not_come_again(running: Running) -> None:
    for number in range(20):
        asked = Asked.by(running, "trial")
        first, later = asked.recall(session_ref="a"), asked.recall(minute=100, session_ref="b")
        asked.session("a", "resolved" if number % 2 else "escalated")
        if number >= 15:
            asked.repeat(first, later)
    resolved = compare(running).figure("resolved").trial
    assert (resolved.n, resolved.value) == (20, 0.35)  # ten were resolved, three of them came again


def test_stale_is_what_did_not_hold_when_it_was_told(running: Running) -> None:
    told = timedelta(minutes=1)
    ends: dict[str, list[dict[str, timedelta]]] = {
        "control": [{}, {"valid_until": 2 * told, "closed_at": 2 * told}],  # it holds, or changed later
        "trial": [
            {"valid_until": -told, "closed_at": 2 * told},  # the world had changed, and nobody had said so
            {"known_until": 2 * told},  # taken back later as never true
        ],
    }
    for side, ways in ends.items():
        for way in ways * 10:
            asked = Asked.by(running, side)
            item = asked.item(**{name: asked.start + when for name, when in way.items()})
            asked.recall(told=1, item=item.id)
            asked.recall(told=1, item=item.id, valid_at=asked.start)  # looks back on purpose
    stale = compare(running).figure("stale")
    assert (stale.control.n, stale.control.value, stale.trial.n, stale.trial.value) == (20, 0.0, 20, 1.0)


def test_only_answers_to_agents_by_the_two_versions_in_its_time_count(running: Running) -> None:
    for side in ("control", "trial"):
        for _ in range(10):
            asked = Asked.by(running, side)
            asked.recall()
            asked.recall(minute=5)
            asked.recall(agent_id=None, user_id=1)
            asked.recall(created_at=asked.start - timedelta(minutes=1))
    moved = put_policy(workspace_id=running.trial.workspace_id, gated_agents=["x"])
    Asked.by(running, "control").recall(policy_version=moved)
    Asked.by(running, "control").recall(
        policy_version=put_policy(workspace_id=running.trial.workspace_id, top_k=9)
    )
    crossed = Asked.by(running, "trial")
    crossed.recall()
    crossed.recall(policy_version=running.trial.control, minute=9)  # while the trial was halted
    found = compare(running).figure("tokens")
    assert (found.control.n, found.control.clusters, found.trial.n) == (21, 11, 21)


def test_the_statements_are_as_many_for_much_as_for_little(running: Running) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            compare(running)
        return len(captured.captured_queries)

    Asked.by(running, "trial").recall(told=1)
    little = count()
    for _ in range(8):
        asked = Asked.by(running, "control")
        asked.judge(asked.recall(told=3), "used", "harmful", "useless")
    # BEGIN, settings, role, the versions that read alike, the figures, COMMIT.
    assert (little, count()) == (6, 6)


def test_a_trial_that_never_ran_or_is_halted(running: Running) -> None:
    halt_trial(
        workspace_id=running.trial.workspace_id,
        number=running.trial.number,
        user_id=running.trial.proposed_by_id,
        reason="worse",
    )
    assert compare(running).figure("tokens").trial.n == 0
    running.trial.started_at = None
    assert compare_trial(trial=running.trial, now=running.trial.proposed_at) is None


def test_the_command_shows_what_the_desk_shows(
    running: Running, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    workspace = Workspace.objects.get(id=running.source.workspace_id).slug
    for _ in range(5):
        asked = Asked.by(running, "control")
        for minute in range(5):
            asked.recall(told=1, created_at=asked.start + timedelta(milliseconds=minute))
    call_command("compare_policies", workspace=workspace, json=str(tmp_path / "out.json"))
    shown = " ".join(capsys.readouterr().out.split())
    assert "in force: version 1" in shown and "n = 25, 5 owners" in shown and "100.0%" in shown
    assert json.loads((tmp_path / "out.json").read_text())["figures"]["hit"]["verdict"] == "too_few"
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"workspace": "none"}, "no workspace none"),
        ({"workspace": workspace, "trial": 9}, "no trial 9"),
    )
    for arguments, why in wrong:
        with pytest.raises(CommandError, match=why):
            call_command("compare_policies", **arguments)
