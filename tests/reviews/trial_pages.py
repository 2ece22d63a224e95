"""Every page about policies on trial by name, for the walks that open them all."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models.functions import Now
from django.urls import reverse

from memoryhub.models import PolicyTrial
from memoryhub.policy_trials import propose_trial, start_trial
from memoryhub.policy_versions import draft_policy
from tests.builders import make_source
from tests.evaluation.trial_rows import Asked, Running
from tests.reviews.conftest import Desk
from tests.reviews.whitelist_pages import approver


def propose_wider(desk: Desk, *, share: int = 20, top_k: int = 8) -> PolicyTrial:
    """The operator proposes a version that tells more, and to try it."""
    about: dict[str, Any] = {"workspace_id": desk.workspace.id, "user_id": desk.operator.pk}
    version = draft_policy(**about, name="wider", values={"top_k": top_k}, reason="too little", propose=True)
    return propose_trial(**about, number=version.number, share=share, reason="see what it does")


def stock_trial(desk: Desk, *, owners: int = 6) -> PolicyTrial:
    """A running trial with answers on both sides, judged, and a question of each owner that came again."""
    trial = PolicyTrial.objects.filter(workspace=desk.workspace).select_related("version", "control").first()
    if trial is None:
        proposed = propose_wider(desk)
        number = proposed.number
        start_trial(workspace_id=desk.workspace.id, number=number, user_id=approver(desk).pk, reason="agreed")
        row = PolicyTrial.objects.filter(id=proposed.id).select_related("version", "control")
        row.update(started_at=Now() - timedelta(days=1))
        trial = row.get()
    running = Running(source=make_source(desk.workspace), trial=trial)
    for side, polluted in (("control", 1), ("trial", 2)):
        for _ in range(owners):
            asked = Asked.by(running, side)
            first = asked.recall(
                told=4, tokens=100 + 60 * polluted, session_ref="chat-1", query="我的预算是多少"
            )
            asked.judge(first, *["useless"] * polluted, *["used"] * (4 - polluted))
            later = asked.recall(told=2, session_ref="chat-2", minute=2, query="我的预算到底是多少")
            asked.session("chat-1", "resolved")
            asked.repeat(first, later)
            for number in range(3):
                asked.recall(told=2, minute=3 + number, query=f"question {number}")
    return trial


def trial_pages(trial: PolicyTrial) -> dict[str, str]:
    return {
        "policies-tried": reverse("reviews:policies"),
        "policy-tried": reverse("reviews:policy", args=[trial.version.number]),
        "policy-trials": reverse("reviews:policy_trials"),
        "policy-trial": reverse("reviews:policy_trial", args=[trial.number]),
        "repeats": reverse("reviews:repeats"),
    }
