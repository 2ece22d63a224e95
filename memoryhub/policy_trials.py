"""How a second policy comes to answer a share of the owners: proposed by one person, started by another, and stopped again.

A trial is about reading alone. What decides at the door (admission, review, quotas, lifetimes) stays as in force for everybody,
and a version that differs there is refused: memory that was let in under other thresholds would outlive the trial.
"""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from memoryhub.exceptions import InvalidInput, NotFound, OwnPolicy, PolicyMoved, TrialRunning, WrongMove
from memoryhub.models import PolicyTrial, PolicyVersion, Workspace
from memoryhub.policies import Policy
from memoryhub.policy_rules import MOVED_BY_RULE, check_text, is_read_value, policy_from
from memoryhub.policy_versions import LONGEST_REASON, current_version, differences, find_version
from memoryhub.trial_moves import OPEN_STATES, audit_trial, end, move

State = PolicyTrial.State
LEAST_SHARE, MOST_SHARE = 1, 50
TRIABLE = (PolicyVersion.State.DRAFT, PolicyVersion.State.PROPOSED, PolicyVersion.State.APPROVED)


@transaction.atomic
def propose_trial(*, workspace_id: UUID, number: int, share: int, user_id: int, reason: str) -> PolicyTrial:
    """Propose to answer `share` percent (1 to 50) of the owners by policy `number`; nothing changes until another person starts it.

    Raises NotFound, WrongMove for a version that was rejected or withdrawn or has a proposal already, and InvalidInput for a
    share out of range, for the version in force, and naming the first number in which it differs beyond reading.
    """
    check_text(reason, "reason", LONGEST_REASON)
    if not LEAST_SHARE <= share <= MOST_SHARE:
        raise InvalidInput(
            f"between {LEAST_SHARE} and {MOST_SHARE} percent",
            field="share",
            code="out_of_range",
            details={"least": LEAST_SHARE, "most": MOST_SHARE},
        )
    _lock(workspace_id)
    version, control = find_version(workspace_id, number), _control(workspace_id)
    if version.state not in TRIABLE:
        raise WrongMove(details={"state": version.state})
    _check_difference(control, version)
    if PolicyTrial.objects.filter(version=version, state=State.PROPOSED).exists():
        raise WrongMove(details={"state": State.PROPOSED})
    trial = PolicyTrial.objects.create(
        workspace_id=workspace_id,
        number=_newest(workspace_id) + 1,
        version=version,
        control=control,
        share=share,
        reason=reason.strip(),
        proposed_by_id=user_id,
        four_eyes=settings.FOUR_EYES,
    )
    audit_trial(trial, "trial.proposed", version=version.number, share=share)
    return trial


@transaction.atomic
def start_trial(*, workspace_id: UUID, number: int, user_id: int, reason: str) -> PolicyTrial:
    """Let a proposed trial run: the next recall of an owner in its share goes by its version.

    A running trial of the same version ends with it (another share). Raises NotFound, InvalidInput without a reason, WrongMove,
    OwnPolicy for the proposer (constraint `nobody_starts_his_own_trial`), PolicyMoved when another policy came into force since,
    and TrialRunning while another version is tried.
    """
    check_text(reason, "reason", LONGEST_REASON)
    trial = _locked(workspace_id, number)
    _check_other_person(trial, trial.proposed_by_id, user_id)
    control = _control(workspace_id)
    if trial.state == State.PROPOSED:
        if _differs(trial.control, control):
            raise PolicyMoved(details={"current": control.number})
        _make_way(trial, user_id)
    return move(
        trial,
        State.RUNNING,
        action="trial.started",
        decided_by_id=user_id,
        decided_at=Now(),
        decision_reason=reason.strip(),
        started_at=Now(),
        only_from=State.PROPOSED,
    )


@transaction.atomic
def reject_trial(*, workspace_id: UUID, number: int, user_id: int, reason: str) -> PolicyTrial:
    """Say no to a proposed trial. Raises as `start_trial`, but for PolicyMoved and TrialRunning."""
    check_text(reason, "reason", LONGEST_REASON)
    trial = _locked(workspace_id, number)
    _check_other_person(trial, trial.proposed_by_id, user_id)
    return move(
        trial,
        State.REJECTED,
        action="trial.rejected",
        decided_by_id=user_id,
        decided_at=Now(),
        decision_reason=reason.strip(),
    )


@transaction.atomic
def withdraw_trial(*, workspace_id: UUID, number: int, user_id: int) -> PolicyTrial:
    """Take a proposed trial back. Its author's to do. Raises NotFound, OwnPolicy, WrongMove."""
    trial = _locked(workspace_id, number)
    if trial.proposed_by_id != user_id:
        raise OwnPolicy("another person's proposal")
    return move(trial, State.WITHDRAWN, action="trial.withdrawn")


@transaction.atomic
def halt_trial(*, workspace_id: UUID, number: int, user_id: int, reason: str) -> PolicyTrial:
    """Have everybody answered by the policy in force again, at once; another person then ends the trial or lets it run on.

    One person may, for he only brings back what two have approved. Raises NotFound, InvalidInput without a reason, WrongMove.
    """
    check_text(reason, "reason", LONGEST_REASON)
    trial = _locked(workspace_id, number)
    return move(
        trial,
        State.HALTED,
        action="trial.halted",
        halted_by_id=user_id,
        halted_at=Now(),
        halt_reason=reason.strip(),
    )


@transaction.atomic
def end_trial(*, workspace_id: UUID, number: int, user_id: int) -> PolicyTrial:
    """End a halted trial for good. Raises NotFound, WrongMove, and OwnPolicy for who halted it (`nobody_ends_a_trial_alone`)."""
    trial = _locked(workspace_id, number)
    _check_other_person(trial, trial.halted_by_id, user_id)
    return end(trial, PolicyTrial.End.DECIDED, user_id, only_from=State.HALTED)


@transaction.atomic
def resume_trial(*, workspace_id: UUID, number: int, user_id: int) -> PolicyTrial:
    """Let a halted trial run on. Raises as `end_trial`."""
    trial = _locked(workspace_id, number)
    _check_other_person(trial, trial.halted_by_id, user_id)
    return move(trial, State.RUNNING, action="trial.resumed", only_from=State.HALTED)


def open_trial(workspace_id: UUID) -> PolicyTrial | None:
    """The trial that runs or is halted."""
    trials = PolicyTrial.objects.filter(workspace_id=workspace_id, state__in=OPEN_STATES)
    return trials.select_related("version", "control").first()


def find_trial(workspace_id: UUID, number: int) -> PolicyTrial:
    """Raises NotFound."""
    trials = PolicyTrial.objects.filter(workspace_id=workspace_id, number=number)
    trial = trials.select_related("version", "control").first()
    if trial is None:
        raise NotFound
    return trial


def beyond_reading(before: Policy, after: Policy) -> list[str]:
    """The numbers in which two policies differ and which a trial leaves alone. Agents that the patrol rule moved do not count."""
    return [
        name
        for name, _old, _new in differences(before, after)
        if not is_read_value(name) and name not in MOVED_BY_RULE
    ]


def _check_difference(control: PolicyVersion, version: PolicyVersion) -> None:
    before, after = policy_from(control.values), policy_from(version.values)
    if beyond := beyond_reading(before, after):
        raise InvalidInput("a trial is about reading alone", field=beyond[0], code="not_in_a_trial")
    if not any(is_read_value(name) for name, _old, _new in differences(before, after)):
        raise InvalidInput("nothing would change", field="number", code="unchanged")


def _differs(before: PolicyVersion, after: PolicyVersion) -> bool:
    """Whether anything differs but the agents that the patrol rule moved."""
    found = differences(policy_from(before.values), policy_from(after.values))
    return any(name not in MOVED_BY_RULE for name, _old, _new in found)


def _make_way(trial: PolicyTrial, user_id: int) -> None:
    running = PolicyTrial.objects.filter(workspace_id=trial.workspace_id, state__in=OPEN_STATES).first()
    if running is None:
        return
    if running.version_id != trial.version_id or running.state == State.HALTED:
        raise TrialRunning(details={"trial": running.number})
    end(running, PolicyTrial.End.SHARE_CHANGED, user_id)


def _check_other_person(trial: PolicyTrial, first_id: int | None, user_id: int) -> None:
    if trial.four_eyes and first_id == user_id:
        raise OwnPolicy("another person decides")


def _control(workspace_id: UUID) -> PolicyVersion:
    control = current_version(workspace_id)
    if control is None:
        raise NotFound
    return control


def _lock(workspace_id: UUID) -> None:
    """One policy act at a time in a workspace, as in `policy_versions`."""
    Workspace.objects.select_for_update(no_key=True).get(id=workspace_id)


def _locked(workspace_id: UUID, number: int) -> PolicyTrial:
    _lock(workspace_id)
    return find_trial(workspace_id, number)


def _newest(workspace_id: UUID) -> int:
    newest: int | None = PolicyTrial.objects.filter(workspace_id=workspace_id).aggregate(n=Max("number"))["n"]
    return newest or 0
