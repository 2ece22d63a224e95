"""The pages of policies on trial: proposed on the version, started by another person, halted at once, compared by the numbers."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from memoryhub.models import PolicyMeasurement, PolicyTrial, PolicyVersion
from memoryhub.policies import current_policy
from memoryhub.policy_versions import draft_policy
from tests.reviews.conftest import Desk
from tests.reviews.test_query_counts import statements
from tests.reviews.trial_pages import propose_wider, stock_trial, trial_pages
from tests.reviews.whitelist_pages import approver, propose

# Who is asking costs four; a scope of the staff role costs four.
COUNTS = {"policies-tried": 8, "policy-tried": 23, "policy-trials": 6, "policy-trial": 12, "repeats": 9}


def post(client: Client, name: str, number: int, **sent: str) -> Any:
    return client.post(reverse(f"reviews:{name}", args=[number]), sent, follow=True)


def said(answer: Any) -> str:
    return str(answer.content.decode())


def test_a_trial_from_the_proposal_to_its_end(desk: Desk) -> None:
    ann, boris = desk.client(), desk.client(approver(desk))
    version = draft_policy(
        workspace_id=desk.workspace.id,
        user_id=desk.operator.pk,
        name="wider",
        values={"top_k": 8},
        reason="x",
    )
    assert "Name a share" in said(post(ann, "policy_try", version.number, share="60", reason="see"))
    assert "waits for a second person" in said(
        post(ann, "policy_try", version.number, share="20", reason="see")
    )
    assert post(ann, "policy_trial_decide", 1, decision="start", reason="x").status_code == 403
    assert post(boris, "policy_trial_decide", 1, decision="start", reason=" ").status_code == 422
    running = said(post(boris, "policy_trial_decide", 1, decision="start", reason="agreed"))
    assert "Halt at once" in running and "too few" in running
    assert "is tried on 20 %" in said(ann.get(reverse("reviews:policies")))
    assert post(ann, "policy_trial_move", 1, to="halted", reason="").status_code == 422
    halted = said(post(boris, "policy_trial_move", 1, to="halted", reason="worse"))
    assert "Everybody is answered by the policy in force" in halted
    own = post(boris, "policy_trial_decide", 1, decision="end")
    assert own.status_code == 403 and "another person has to decide" in said(own)
    assert "running" in said(
        post(desk.client(approver(desk, "anna2")), "policy_trial_decide", 1, decision="resume")
    )
    post(boris, "policy_trial_move", 1, to="halted", reason="worse")
    ended = said(post(desk.client(approver(desk, "anna2")), "policy_trial_decide", 1, decision="end"))
    assert "ended by two people" in ended
    assert "not in that state" in said(post(ann, "policy_trial_move", 1, to="halted", reason="again"))


def test_what_cannot_be_tried_says_why(desk: Desk) -> None:
    client, version = desk.client(), propose(desk)
    answer = said(post(client, "policy_try", version.number, share="5", reason="see"))
    assert "Least confidence" in answer and "decides at the door" in answer
    propose_wider(desk)
    again = said(post(client, "policy_try", version.number + 1, share="5", reason="see"))
    assert "its trial is proposed already" in again
    assert post(client, "policy_trial_move", 1, to="withdrawn").status_code == 200
    assert PolicyTrial.objects.get(workspace=desk.workspace).state == "withdrawn"
    for name in ("policy_trial", "policy_trial_chart"):
        for number in (9, 10**12):
            assert client.get(reverse(f"reviews:{name}", args=[number])).status_code == 404
        assert desk.client(desk.stranger).get(reverse(f"reviews:{name}", args=[1])).status_code == 404


def test_a_policy_that_tells_more_is_approved_only_when_measured(desk: Desk) -> None:
    trial, boris = propose_wider(desk), desk.client(approver(desk))
    number = trial.version.number
    page = said(boris.get(reverse("reviews:policy", args=[number])))
    assert "not measured yet" in page and "Fragments in an answer" in page
    refused = post(boris, "policy_decide", number, decision="approve", reason="agreed")
    assert refused.status_code == 409 and "was not measured yet" in said(refused)
    PolicyMeasurement.objects.create(
        workspace=desk.workspace, version=trial.version, labelled_set="sample.jsonl", questions=40, lines=120,
        polluted=60, needed=40, missing=4,
    )  # fmt: skip
    page = said(boris.get(reverse("reviews:policy", args=[number])))
    assert "sample.jsonl: 120 lines, 60 of them beside the point" in page
    post(boris, "policy_decide", number, decision="approve", reason="agreed")
    assert current_policy(workspace_id=desk.workspace.id).policy.top_k == 8
    assert PolicyVersion.objects.get(workspace=desk.workspace, number=number).is_current


def test_both_versions_stand_side_by_side_with_intervals(desk: Desk) -> None:
    trial = stock_trial(desk)
    client = desk.client(desk.viewer)
    page = said(client.get(trial_pages(trial)["policy-trial"]))
    for figure in ("25.0 %", "50.0 %", "+25.0 points", "worse", "n = 24", "6 owners", "too few for a rate"):
        assert figure in page, figure
    chart = client.get(reverse("reviews:policy_trial_chart", args=[trial.number])).json()
    ours, theirs = (dict(zip(points["text"], points["x"], strict=True)) for points in chart["data"])
    assert (ours["Pollution rate"], theirs["Pollution rate"], ours["Hit rate"]) == (50.0, 25.0, None)
    repeats = said(client.get(trial_pages(trial)["repeats"]))
    assert repeats.count("<tr data-row") == 12 and "我的预算到底是多少" in repeats
    links = re.findall(r"/owners/[0-9a-f-]{36}/recalls/[0-9a-f-]{36}/", repeats)
    assert len(set(links)) == 24 and client.get(links[0]).status_code == 200


def test_pages_ask_as_often_for_much_as_for_little(desk: Desk) -> None:
    client, counted = desk.client(), []
    for owners in (1, 5):
        pages = trial_pages(stock_trial(desk, owners=owners))
        counted.append({name: len(statements(client, address)) for name, address in pages.items()})
    assert counted[0] == counted[1] == COUNTS
