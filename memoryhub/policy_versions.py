"""How a policy comes into force: a draft, a proposal, the decision of a second person; nothing is ever changed in place.

Going back is going on: the values of an earlier version are proposed again as a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from memoryhub import audit
from memoryhub.exceptions import (
    InvalidInput,
    NotFound,
    OwnPolicy,
    PolicyMoved,
    PolicyUnmeasured,
    WrongMove,
)
from memoryhub.models import PolicyVersion, Workspace
from memoryhub.policies import Policy
from memoryhub.policy_measuring import LEAST_JUDGED, unmeasured
from memoryhub.policy_rules import MOVED_BY_RULE, check_policy, check_text, editable_names, policy_from
from memoryhub.trial_moves import end_for_switch, end_for_version

State = PolicyVersion.State
LONGEST_NAME, LONGEST_REASON = 100, 500


@transaction.atomic
def draft_policy(
    *,
    workspace_id: UUID,
    user_id: int,
    name: str,
    values: Mapping[str, Any],
    reason: str,
    propose: bool = False,
) -> PolicyVersion:
    """A new version with these values, as a draft or with `propose` waiting for a second person.

    What `values` leaves out is as in the version in force, and so are the agents whose writes wait. Raises InvalidInput
    naming the value and the rule, also when nothing differs from what is in force.
    """
    check_text(name, "name", LONGEST_NAME)
    check_text(reason, "reason", LONGEST_REASON)
    _lock(workspace_id)
    current = current_version(workspace_id)
    standing = policy_from(current.values if current else {})
    policy = check_policy({**standing.as_values(), **values, **_moved_by_rule(standing)})
    if policy == standing:
        raise InvalidInput("nothing would change", field="", code="unchanged")
    version = PolicyVersion.objects.create(
        workspace_id=workspace_id,
        number=_newest(workspace_id) + 1,
        name=name.strip(),
        values=policy.as_values(),
        state=State.PROPOSED if propose else State.DRAFT,
        origin=PolicyVersion.Origin.PERSON,
        based_on=current,
        reason=reason.strip(),
        created_by_id=user_id,
        four_eyes=settings.FOUR_EYES,
    )
    _audit(
        version, "policy.proposed" if propose else "policy.drafted", based_on=current.number if current else 0
    )
    return version


@transaction.atomic
def propose_policy(*, workspace_id: UUID, number: int, user_id: int) -> PolicyVersion:
    """Let a draft wait for a second person. Its author's to do. Raises NotFound, OwnPolicy, WrongMove."""
    version = _locked(workspace_id, number)
    if version.created_by_id != user_id:
        raise OwnPolicy("another person's draft")
    return _move(version, State.PROPOSED, action="policy.proposed")


@transaction.atomic
def withdraw_policy(*, workspace_id: UUID, number: int, user_id: int) -> PolicyVersion:
    """Take a draft or a proposal back. Its author's to do. Raises NotFound, OwnPolicy, WrongMove."""
    version = _locked(workspace_id, number)
    if version.created_by_id != user_id:
        raise OwnPolicy("another person's proposal")
    end_for_version(version, user_id=user_id)
    return _move(version, State.WITHDRAWN, action="policy.withdrawn")


def approve_policy(*, workspace_id: UUID, number: int, user_id: int, reason: str) -> PolicyVersion:
    """Put a proposal into force; the next write and the next recall go by it.

    Raises NotFound, InvalidInput without a reason, WrongMove for what is not proposed, OwnPolicy for the proposer himself (the
    constraint `nobody_approves_his_own_policy` stands behind it), PolicyMoved when another version came into force since, and
    PolicyUnmeasured when it tells more than the one in force and fewer than LEAST_JUDGED lines of it were judged.
    """
    proposed = find_version(workspace_id, number)
    # Judgements are rows of owners and want a scope of their own. They only grow, so they may be counted before the lock.
    lacking = _lacking(proposed)
    return _approve(workspace_id=workspace_id, number=number, user_id=user_id, reason=reason, lacking=lacking)


def _lacking(version: PolicyVersion) -> dict[str, Any]:
    """What keeps the version from coming into force on top of the one it was made from; {} when nothing does."""
    names, known = unmeasured(version, current=version.based_on)
    if known is None or known.is_enough:
        return {}
    return {"raises": list(names), "needed": LEAST_JUDGED, "judged": known.best, "ways": ["trial", "replay"]}


@transaction.atomic
def _approve(
    *, workspace_id: UUID, number: int, user_id: int, reason: str, lacking: dict[str, Any]
) -> PolicyVersion:
    version = _decidable(workspace_id, number, user_id, reason)
    current = current_version(workspace_id)
    if (current.id if current else None) != version.based_on_id:
        raise PolicyMoved(details={"current": current.number if current else 0})
    if lacking and version.state == State.PROPOSED:
        raise PolicyUnmeasured(details=lacking)
    PolicyVersion.objects.filter(workspace_id=workspace_id, is_current=True).update(is_current=False)
    _move(
        version,
        State.APPROVED,
        action="policy.approved",
        is_current=True,
        decided_by_id=user_id,
        decided_at=Now(),
        decision_reason=reason.strip(),
    )
    end_for_switch(workspace_id=workspace_id, user_id=user_id)
    _audit(version, "policy.switched", before=current.number if current else 0, after=version.number)
    return version


@transaction.atomic
def reject_policy(*, workspace_id: UUID, number: int, user_id: int, reason: str) -> PolicyVersion:
    """Say no to a proposal. Raises as `approve_policy`, but for PolicyMoved."""
    version = _decidable(workspace_id, number, user_id, reason)
    end_for_version(version, user_id=user_id)
    return _move(
        version,
        State.REJECTED,
        action="policy.rejected",
        decided_by_id=user_id,
        decided_at=Now(),
        decision_reason=reason.strip(),
    )


def current_version(workspace_id: UUID) -> PolicyVersion | None:
    """The version in force; None stands for the defaults."""
    return PolicyVersion.objects.filter(workspace_id=workspace_id, is_current=True).first()


def find_version(workspace_id: UUID, number: int) -> PolicyVersion:
    """Raises NotFound."""
    version = PolicyVersion.objects.filter(workspace_id=workspace_id, number=number).first()
    if version is None:
        raise NotFound
    return version


def differences(before: Policy, after: Policy) -> list[tuple[str, Any, Any]]:
    """What differs between two policies: name, before, after; in the order of the dataclass."""
    names = [*editable_names(), *MOVED_BY_RULE]
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in names)
    return [(name, old, new) for name, old, new in pairs if _plain(old) != _plain(new)]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | list) else value


def _moved_by_rule(standing: Policy) -> dict[str, Any]:
    return {name: getattr(standing, name) for name in MOVED_BY_RULE}


def _lock(workspace_id: UUID) -> None:
    """One policy act at a time in a workspace; it does not stand in the way of what refers to the workspace."""
    Workspace.objects.select_for_update(no_key=True).get(id=workspace_id)


def _locked(workspace_id: UUID, number: int) -> PolicyVersion:
    _lock(workspace_id)
    return find_version(workspace_id, number)


def _decidable(workspace_id: UUID, number: int, user_id: int, reason: str) -> PolicyVersion:
    check_text(reason, "reason", LONGEST_REASON)
    version = _locked(workspace_id, number)
    if version.four_eyes and version.created_by_id == user_id:
        raise OwnPolicy("the proposer does not decide")
    return version


def _move(version: PolicyVersion, state: str, *, action: str, **columns: Any) -> PolicyVersion:
    if state not in PolicyVersion.MOVES.get(version.state, ()):
        raise WrongMove(details={"state": version.state})
    PolicyVersion.objects.filter(id=version.id).update(state=state, **columns)
    version.refresh_from_db()
    _audit(version, action)
    return version


def _newest(workspace_id: UUID) -> int:
    newest: int | None = PolicyVersion.objects.filter(workspace_id=workspace_id).aggregate(n=Max("number"))[
        "n"
    ]
    return newest or 0


def _audit(version: PolicyVersion, action: str, **details: Any) -> None:
    audit.record(
        audit.entry(
            action=action,
            workspace_id=version.workspace_id,
            object_kind="policy",
            object_id=version.id,
            details={"number": version.number, **details},
        )
    )
