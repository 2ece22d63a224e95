"""A policy comes into force by a second person, and its way there is kept."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from pytest_django import Settings

from memoryhub.exceptions import InvalidInput, NotFound, OwnPolicy, PolicyMoved, WrongMove
from memoryhub.models import AuditEntry, PolicyVersion, Workspace
from memoryhub.policies import Policy, current_policy
from memoryhub.policy_versions import (
    approve_policy,
    differences,
    draft_policy,
    propose_policy,
    reject_policy,
    withdraw_policy,
)
from memoryhub.writing.structured import write_memory
from tests.builders import make_owner, make_source, make_workspace, put_policy


@pytest.fixture
def people(db: None) -> tuple[User, User]:
    return User.objects.create_user("ann"), User.objects.create_user("bob")


@pytest.fixture
def workspace(db: None) -> Workspace:
    return make_workspace()


def propose(workspace: Workspace, user: User, **values: float) -> PolicyVersion:
    return draft_policy(
        workspace_id=workspace.id,
        user_id=user.pk,
        name="stricter",
        values=values or {"least_confidence": 0.7},
        reason="too much noise",
        propose=True,
    )


def approve(version: PolicyVersion, user: User) -> PolicyVersion:
    return approve_policy(
        workspace_id=version.workspace_id, number=version.number, user_id=user.pk, reason="agreed"
    )


def test_a_proposal_changes_nothing_until_another_person_approves(
    workspace: Workspace, people: tuple[User, User]
) -> None:
    ann, bob = people
    version = propose(workspace, ann)
    assert (version.number, version.state, version.is_current) == (2, "proposed", False)
    assert current_policy(workspace_id=workspace.id).policy.least_confidence == 0.6
    with pytest.raises(OwnPolicy):
        approve(version, ann)
    version = approve(version, bob)
    assert (version.state, version.is_current, version.decision_reason) == ("approved", True, "agreed")
    standing = current_policy(workspace_id=workspace.id).policy
    assert differences(Policy(), standing) == [("least_confidence", 0.6, 0.7)]
    actions = AuditEntry.objects.filter(object_kind="policy").order_by("at", "id")
    assert list(actions.values_list("action", "details")) == [
        ("policy.proposed", {"number": 2, "based_on": 1}),
        ("policy.approved", {"number": 2}),
        ("policy.switched", {"number": 2, "before": 1, "after": 2}),
    ]


def test_the_next_write_goes_by_it(committing_db: str) -> None:
    source = make_source(make_workspace())
    owner = make_owner(source)
    ann, bob = User.objects.create_user("ann"), User.objects.create_user("bob")

    def write(content: str) -> str:
        verdict = write_memory(
            owner_id=owner.id, content=content, item_kind="semantic", confidence=0.65, source=source
        )
        return verdict.outcome

    assert write("The office is in Lisbon") == "stored"
    version = propose(Workspace.objects.get(id=source.workspace_id), ann)
    assert write("The garden is in Porto") == "stored"
    approve(version, bob)
    assert write("The cellar is in Braga") == "refused"


def test_the_database_refuses_one_person_for_both(workspace: Workspace, people: tuple[User, User]) -> None:
    ann, _bob = people
    version = propose(workspace, ann)
    with pytest.raises(IntegrityError, match="nobody_approves_his_own_policy"), transaction.atomic():
        PolicyVersion.objects.filter(id=version.id).update(
            state="approved", decided_by=ann, decided_at=version.created_at
        )
    with pytest.raises(IntegrityError, match="decided_by_somebody"), transaction.atomic():
        PolicyVersion.objects.filter(id=version.id).update(state="approved")


def test_values_never_change(workspace: Workspace, people: tuple[User, User]) -> None:
    version = propose(workspace, people[0])
    with pytest.raises(Exception, match="permission denied"), transaction.atomic():
        PolicyVersion.objects.filter(id=version.id).update(values={})


def test_with_four_eyes_off_one_person_may(
    workspace: Workspace, people: tuple[User, User], settings: Settings
) -> None:
    settings.FOUR_EYES = False
    assert approve(propose(workspace, people[0]), people[0]).is_current


def test_a_draft_waits_for_nobody_until_its_author_proposes_it(
    workspace: Workspace, people: tuple[User, User]
) -> None:
    ann, bob = people
    draft = draft_policy(
        workspace_id=workspace.id, user_id=ann.pk, name="try", values={"top_k": 7}, reason="more"
    )
    with pytest.raises(WrongMove):
        approve(draft, bob)
    with pytest.raises(OwnPolicy):
        propose_policy(workspace_id=workspace.id, number=draft.number, user_id=bob.pk)
    propose_policy(workspace_id=workspace.id, number=draft.number, user_id=ann.pk)
    with pytest.raises(OwnPolicy):
        withdraw_policy(workspace_id=workspace.id, number=draft.number, user_id=bob.pk)
    withdraw_policy(workspace_id=workspace.id, number=draft.number, user_id=ann.pk)
    with pytest.raises(WrongMove):
        approve(draft, bob)


def test_a_rejected_proposal_keeps_who_and_why(workspace: Workspace, people: tuple[User, User]) -> None:
    ann, bob = people
    version = propose(workspace, ann)
    with pytest.raises(InvalidInput):
        reject_policy(workspace_id=workspace.id, number=version.number, user_id=bob.pk, reason=" ")
    with pytest.raises(OwnPolicy):
        reject_policy(workspace_id=workspace.id, number=version.number, user_id=ann.pk, reason="no")
    version = reject_policy(workspace_id=workspace.id, number=version.number, user_id=bob.pk, reason="no")
    assert (version.state, version.decided_by_id, version.decision_reason) == ("rejected", bob.pk, "no")
    with pytest.raises(WrongMove):
        approve(version, bob)


def test_an_approval_on_top_of_another_policy_is_refused(
    workspace: Workspace, people: tuple[User, User]
) -> None:
    ann, bob = people
    version = propose(workspace, ann)
    put_policy(workspace_id=workspace.id, gated_agents=["x"])
    with pytest.raises(PolicyMoved):
        approve(version, bob)
    approve(propose(workspace, ann), bob)
    assert current_policy(workspace_id=workspace.id).policy.gated_agents == ["x"]


def test_going_back_is_a_new_version(workspace: Workspace, people: tuple[User, User]) -> None:
    ann, bob = people
    approve(propose(workspace, ann), bob)
    first = PolicyVersion.objects.get(workspace=workspace, number=1)
    back = approve(propose(workspace, bob, least_confidence=first.values["least_confidence"]), ann)
    assert (back.number, back.is_current) == (3, True)
    assert differences(Policy(), current_policy(workspace_id=workspace.id).policy) == []


@pytest.mark.parametrize(
    ("values", "code"), [({"least_confidence": 2}, "out_of_range"), ({"top_k": 5}, "unchanged")]
)
def test_what_breaks_a_rule_or_changes_nothing_is_refused(
    workspace: Workspace, people: tuple[User, User], values: dict[str, float], code: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        propose(workspace, people[0], **values)
    assert caught.value.code == code
    assert PolicyVersion.objects.filter(workspace=workspace).count() == 1


def test_a_foreign_version_is_as_unknown_as_none(workspace: Workspace, people: tuple[User, User]) -> None:
    version = propose(workspace, people[0])
    with pytest.raises(NotFound):
        approve_policy(
            workspace_id=make_workspace().id, number=version.number, user_id=people[1].pk, reason="x"
        )


def test_two_approvals_at_once_put_one_into_force(committing_db: str) -> None:
    workspace = make_workspace()
    ann, bob = User.objects.create_user("ann"), User.objects.create_user("bob")
    versions = [propose(workspace, ann, top_k=k) for k in (3, 4)]
    outcomes: list[str] = []

    def decide(version: PolicyVersion) -> None:
        try:
            approve(version, bob)
            outcomes.append("approved")
        except PolicyMoved as error:
            outcomes.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=decide, args=(version,)) for version in versions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["approved", "policy_moved"]


def test_differences_name_what_moved() -> None:
    assert differences(Policy(), Policy(top_k=7, gated_agents=["a"])) == [
        ("top_k", 5, 7),
        ("gated_agents", (), ["a"]),
    ]
