"""A second policy on a share of the owners: by two people, about reading alone, and back at once."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from pytest_django import Settings

from memoryhub.exceptions import InvalidInput, NotFound, OwnPolicy, PolicyMoved, TrialRunning, WrongMove
from memoryhub.models import AuditEntry, Owner, PolicyTrial, PolicyVersion, Recall, Workspace
from memoryhub.policies import current_policy
from memoryhub.policy_trials import (
    end_trial,
    halt_trial,
    propose_trial,
    reject_trial,
    resume_trial,
    start_trial,
    withdraw_trial,
)
from memoryhub.policy_versions import approve_policy, draft_policy, reject_policy
from memoryhub.recall.answers import Caller, RecallRequest
from memoryhub.recall.knowing import look_up
from memoryhub.recall.pipeline import recall
from memoryhub.trial_shares import is_in_trial
from tests.builders import make_owner, make_source, make_workspace, put_policy


@pytest.fixture
def people(db: None) -> tuple[User, User]:
    return User.objects.create_user("ann"), User.objects.create_user("bob")


@pytest.fixture
def workspace(db: None) -> Workspace:
    return make_workspace()


def draft(workspace: Workspace, user: User, **values: Any) -> PolicyVersion:
    return draft_policy(
        workspace_id=workspace.id,
        user_id=user.pk,
        name="wider",
        values=values or {"top_k": 8},
        reason="too little told",
        propose=True,
    )


def propose(version: PolicyVersion, user: User, share: int = 20) -> PolicyTrial:
    return propose_trial(
        workspace_id=version.workspace_id,
        number=version.number,
        share=share,
        user_id=user.pk,
        reason="see first",
    )


def start(trial: PolicyTrial, user: User) -> PolicyTrial:
    return start_trial(workspace_id=trial.workspace_id, number=trial.number, user_id=user.pk, reason="agreed")


def halt(trial: PolicyTrial, user: User) -> PolicyTrial:
    return halt_trial(workspace_id=trial.workspace_id, number=trial.number, user_id=user.pk, reason="worse")


def by(trial: PolicyTrial, user: User) -> dict[str, Any]:
    return {"workspace_id": trial.workspace_id, "number": trial.number, "user_id": user.pk}


def test_a_trial_takes_two_people_to_start_and_two_to_end(
    workspace: Workspace, people: tuple[User, User]
) -> None:
    ann, bob = people
    trial = propose(draft(workspace, ann), ann)
    assert (trial.number, trial.state, trial.started_at) == (1, "proposed", None)
    with pytest.raises(OwnPolicy):
        start(trial, ann)
    with pytest.raises(InvalidInput):
        start_trial(workspace_id=workspace.id, number=1, user_id=bob.pk, reason=" ")
    assert start(trial, bob).state == "running"
    assert halt(trial, ann).state == "halted"
    with pytest.raises(OwnPolicy):
        end_trial(**by(trial, ann))
    assert resume_trial(**by(trial, bob)).state == "running"
    halt(trial, bob)
    ended = end_trial(**by(trial, ann))
    assert (ended.state, ended.ended_for, ended.ended_by_id) == ("ended", "decided", ann.pk)
    with pytest.raises(WrongMove):
        halt(trial, ann)
    noted = AuditEntry.objects.filter(object_kind="policy_trial").order_by("at", "id")
    assert [entry.action.removeprefix("trial.") for entry in noted] == [
        "proposed", "started", "halted", "resumed", "halted", "ended",
    ]  # fmt: skip


def test_the_database_refuses_one_person_for_both(workspace: Workspace, people: tuple[User, User]) -> None:
    ann, bob = people
    trial = propose(draft(workspace, ann), ann)
    row = PolicyTrial.objects.filter(id=trial.id)
    started = {"state": "running", "decided_at": trial.proposed_at, "started_at": trial.proposed_at}
    with pytest.raises(IntegrityError, match="nobody_starts_his_own_trial"), transaction.atomic():
        row.update(decided_by=ann, **started)
    start(trial, bob)
    halt(trial, ann)
    with pytest.raises(IntegrityError, match="nobody_ends_a_trial_alone"), transaction.atomic():
        row.update(state="ended", ended_by=ann, ended_at=trial.proposed_at, ended_for="decided")
    with pytest.raises(Exception, match="permission denied"), transaction.atomic():
        row.update(share=50)


def test_with_four_eyes_off_one_person_may(
    workspace: Workspace, people: tuple[User, User], settings: Settings
) -> None:
    settings.FOUR_EYES = False
    trial = propose(draft(workspace, people[0]), people[0])
    start(trial, people[0])
    halt(trial, people[0])
    assert end_trial(**by(trial, people[0])).state == "ended"


@pytest.mark.parametrize("share", [0, 51])
def test_a_share_is_one_to_fifty(workspace: Workspace, people: tuple[User, User], share: int) -> None:
    with pytest.raises(InvalidInput) as caught:
        propose(draft(workspace, people[0]), people[0], share)
    assert (caught.value.field, caught.value.code) == ("share", "out_of_range")


def test_what_decides_at_the_door_is_not_tried(workspace: Workspace, people: tuple[User, User]) -> None:
    ann, _bob = people
    for values, code, field in (
        ({"least_importance": 0.5, "top_k": 8}, "not_in_a_trial", "least_importance"),
        ({"session_slot_minutes": 60}, "not_in_a_trial", "session_slot_minutes"),
        ({"recall_durability": "sync"}, "not_in_a_trial", "recall_durability"),
    ):
        with pytest.raises(InvalidInput) as caught:
            propose(draft(workspace, ann, **values), ann)
        assert (caught.value.code, caught.value.field) == (code, field)
    first = PolicyVersion.objects.get(workspace=workspace, number=1)
    with pytest.raises(InvalidInput) as caught:
        propose(first, ann)
    assert caught.value.code == "unchanged"


def test_a_rejected_trial_or_version_is_over(workspace: Workspace, people: tuple[User, User]) -> None:
    ann, bob = people
    version = draft(workspace, ann)
    trial = propose(version, ann)
    with pytest.raises(WrongMove):
        propose(version, bob)
    reject_trial(**by(trial, bob), reason="no")
    again = propose(version, ann)
    with pytest.raises(OwnPolicy):
        withdraw_trial(**by(again, bob))
    withdraw_trial(**by(again, ann))
    running = start(propose(version, ann), bob)
    reject_policy(workspace_id=workspace.id, number=version.number, user_id=bob.pk, reason="no")
    running.refresh_from_db()
    assert (running.state, running.ended_for) == ("ended", "version_closed")
    with pytest.raises(WrongMove):
        propose(version, ann)
    with pytest.raises(NotFound):
        start_trial(workspace_id=make_workspace().id, number=trial.number, user_id=bob.pk, reason="x")


def test_another_share_takes_the_place_of_the_running_trial(
    workspace: Workspace, people: tuple[User, User]
) -> None:
    ann, bob = people
    version = draft(workspace, ann)
    first = start(propose(version, ann, 10), bob)
    other = propose(draft(workspace, ann, top_k=3), ann)
    with pytest.raises(TrialRunning):
        start(other, bob)
    second = start(propose(version, ann, 40), bob)
    first.refresh_from_db()
    assert (first.state, first.ended_for, second.state) == ("ended", "share_changed", "running")


def test_a_switch_of_the_policy_ends_the_trial_but_the_patrol_rule_does_not(
    workspace: Workspace, people: tuple[User, User]
) -> None:
    ann, bob = people
    trial = propose(draft(workspace, ann), ann)
    put_policy(workspace_id=workspace.id, gated_agents=["x"])
    start(trial, bob)
    stricter = draft(workspace, ann, least_confidence=0.7)
    approve_policy(workspace_id=workspace.id, number=stricter.number, user_id=bob.pk, reason="agreed")
    trial.refresh_from_db()
    assert (trial.state, trial.ended_for) == ("ended", "policy_switched")
    late = propose(draft(workspace, ann, top_k=4), ann)
    put_policy(workspace_id=workspace.id, top_k=6)
    with pytest.raises(PolicyMoved):
        start(late, bob)


def test_the_share_is_answered_by_the_version_and_the_others_are_not(
    workspace: Workspace, people: tuple[User, User]
) -> None:
    ann, bob = people
    source = make_source(workspace)
    owners = [make_owner(source) for _ in range(24)]
    version = draft(workspace, ann)
    current = PolicyVersion.objects.get(workspace=workspace, number=1)

    def answered() -> dict[bool, set[tuple[Any, int]]]:
        found: dict[bool, set[tuple[Any, int]]] = {True: set(), False: set()}
        for owner in owners:
            known = look_up(workspace_id=workspace.id, owner_id=owner.id)
            is_in = is_in_trial(owner_id=owner.id, version_id=version.id, share=50)
            found[is_in].add((known.policy_version_id, known.policy.top_k))
        return found

    trial = propose(version, ann, 50)
    assert answered()[True] <= {(current.id, 5)}
    start(trial, bob)
    assert answered() == {True: {(version.id, 8)}, False: {(current.id, 5)}}
    assert noted_by_recall(owners) == {
        owner.id: version.id
        if is_in_trial(owner_id=owner.id, version_id=version.id, share=50)
        else current.id
        for owner in owners[:4]
    }
    assert current_policy(workspace_id=workspace.id).id == current.id  # by this one writes are judged
    halt(trial, ann)
    assert answered() == {True: {(current.id, 5)}, False: {(current.id, 5)}}


def noted_by_recall(owners: list[Owner]) -> dict[UUID, UUID | None]:
    """By which version the first four were answered, as the trace has it."""
    found: dict[UUID, UUID | None] = {}
    for owner in owners[:4]:
        answer = recall(
            workspace_id=owner.workspace_id,
            owner_id=owner.id,
            request=RecallRequest(query="anything"),
            caller=Caller(),
        )
        assert answer.recall_id is not None
        found[owner.id] = Recall.objects.of(owner.id).get(id=answer.recall_id).policy_version_id
    return found
