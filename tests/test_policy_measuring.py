"""A policy that tells more comes into force only when it was measured how much of that is beside the point."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from memoryhub.exceptions import OwnPolicy, PolicyUnmeasured
from memoryhub.models import PolicyMeasurement, PolicyVersion, Workspace
from memoryhub.policy_measuring import LEAST_JUDGED, measured
from memoryhub.policy_versions import approve_policy, draft_policy
from tests.builders import make_workspace
from tests.evaluation.trial_rows import Asked, run_trial


@pytest.fixture
def workspace(committing_module_db: str) -> Workspace:
    return make_workspace()


@pytest.fixture
def bob(committing_module_db: str) -> User:
    return User.objects.get_or_create(username="bob")[0]


def propose(workspace: Workspace, **values: float) -> PolicyVersion:
    ann = User.objects.get_or_create(username="ann")[0]
    return draft_policy(
        workspace_id=workspace.id, user_id=ann.pk, name="wider", values=values, reason="more", propose=True
    )


def approve(version: PolicyVersion, user: User) -> PolicyVersion:
    return approve_policy(
        workspace_id=version.workspace_id, number=version.number, user_id=user.pk, reason="agreed"
    )


def replay(version: PolicyVersion, lines: int) -> None:
    PolicyMeasurement.objects.create(
        workspace_id=version.workspace_id,
        version=version,
        labelled_set="sample",
        questions=40,
        lines=lines,
        polluted=lines // 2,
        needed=40,
        missing=3,
    )


def test_raising_what_is_told_is_refused_until_it_was_measured(workspace: Workspace, bob: User) -> None:
    for values in ({"top_k": 6}, {"budget_tokens": 900}, {"most_budget_tokens": 2_500}):
        with pytest.raises(PolicyUnmeasured) as refused:
            approve(propose(workspace, **values), bob)
        assert (refused.value.status, refused.value.details) == (
            409,
            {"raises": list(values), "needed": LEAST_JUDGED, "judged": 0, "ways": ["trial", "replay"]},
        )
    version = propose(workspace, top_k=7, budget_tokens=900)
    with pytest.raises(OwnPolicy):  # who may not decide at all is told so first
        approve(version, User.objects.get(username="ann"))
    replay(version, LEAST_JUDGED - 1)
    with pytest.raises(PolicyUnmeasured) as refused:
        approve(version, bob)
    assert refused.value.details["judged"] == LEAST_JUDGED - 1
    assert PolicyVersion.objects.get(workspace=workspace, is_current=True).number == 1
    replay(version, LEAST_JUDGED)
    assert approve(version, bob).is_current


def test_lowering_needs_no_measurement_and_coming_back_needs_one(workspace: Workspace, bob: User) -> None:
    assert approve(propose(workspace, top_k=3, budget_tokens=500), bob).is_current
    back = propose(workspace, top_k=5, budget_tokens=800)
    with pytest.raises(PolicyUnmeasured):
        approve(back, bob)
    # Version 1 told exactly as much: what was measured of it counts.
    replay(PolicyVersion.objects.get(workspace=workspace, number=1), LEAST_JUDGED)
    assert approve(back, bob).is_current


def test_a_trial_measures_it_by_what_agents_judged(workspace: Workspace, bob: User) -> None:
    running = run_trial(workspace, top_k=8)
    for _ in range(10):
        asked = Asked.by(running, "trial")
        asked.judge(asked.recall(told=10), *["useless"] * 3, "harmful", *["used"] * 6)
        aside = Asked.by(running, "control")
        aside.judge(aside.recall(told=10), *["used"] * 10)
    found = measured(running.trial.version)
    assert (found.judged, found.polluted, found.is_enough) == (100, 40, True)
    assert approve(running.trial.version, bob).is_current
