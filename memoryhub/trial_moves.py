"""The moves of a policy trial, each with its audit entry, and how one ends when the policies around it change."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from memoryhub import audit
from memoryhub.exceptions import WrongMove
from memoryhub.models import PolicyTrial, PolicyVersion

State = PolicyTrial.State
OPEN_STATES = (State.RUNNING, State.HALTED)


def end_for_switch(*, workspace_id: UUID, user_id: int) -> None:
    """End the trial that is open when two people put a policy into force: its other half is gone. Call inside that transaction."""
    for trial in PolicyTrial.objects.filter(workspace_id=workspace_id, state__in=OPEN_STATES):
        end(trial, PolicyTrial.End.POLICY_SWITCHED, user_id)


def end_for_version(version: PolicyVersion, *, user_id: int) -> None:
    """End the open trial of a version that is rejected or taken back, and withdraw a proposed one. Call inside that transaction."""
    for trial in PolicyTrial.objects.filter(version=version, state__in=[*OPEN_STATES, State.PROPOSED]):
        if trial.state == State.PROPOSED:
            move(trial, State.WITHDRAWN, action="trial.withdrawn")
        else:
            end(trial, PolicyTrial.End.VERSION_CLOSED, user_id)


def end(trial: PolicyTrial, why: str, user_id: int, *, only_from: str = "") -> PolicyTrial:
    return move(
        trial,
        State.ENDED,
        action="trial.ended",
        ended_by_id=user_id,
        ended_at=Now(),
        ended_for=why,
        only_from=only_from,
    )


def move(trial: PolicyTrial, state: str, *, action: str, only_from: str = "", **columns: Any) -> PolicyTrial:
    if state not in PolicyTrial.MOVES.get(trial.state, ()) or (only_from and trial.state != only_from):
        raise WrongMove(details={"state": trial.state})
    PolicyTrial.objects.filter(id=trial.id).update(state=state, **columns)
    trial.refresh_from_db()
    audit_trial(trial, action, **({"why": trial.ended_for} if trial.ended_for else {}))
    return trial


def audit_trial(trial: PolicyTrial, action: str, **details: Any) -> None:
    audit.record(
        audit.entry(
            action=action,
            workspace_id=trial.workspace_id,
            object_kind="policy_trial",
            object_id=trial.id,
            details={"number": trial.number, **details},
        )
    )
