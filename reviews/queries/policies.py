"""Policies as the desk shows them: the versions there are, one with what differs, and what it would have changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memoryhub.foresight.comparing import Foresight, foresee_policy
from memoryhub.models import PolicyVersion, Workspace
from memoryhub.policy_measuring import Measured, unmeasured
from memoryhub.policy_rules import policy_from
from memoryhub.policy_versions import current_version, differences
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, page_of
from reviews.queries.names import staff_names

type Difference = tuple[str, Any, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class PolicyRow:
    """`changed` differs from the version it was made from."""

    version: PolicyVersion
    by: str
    decided_by: str
    changed: Sequence[Difference]

    @property
    def place(self) -> Key:
        return (str(self.version.number),)


@dataclass(frozen=True, kw_only=True, slots=True)
class PolicyDetail:
    """One version against another (`against`, by default what it was made from), and what it would change.

    `raises` are the numbers by which an open version tells more than what is in force, `measured` what is known of that.
    """

    row: PolicyRow
    current: PolicyVersion | None
    against: PolicyVersion | None
    differences: Sequence[Difference]
    numbers: Sequence[int]
    foresight: Foresight | None
    raises: Sequence[str]
    measured: Measured | None

    @property
    def is_stale(self) -> bool:
        """Another version came into force since this one was proposed."""
        open_ = self.row.version.state in ("draft", "proposed")
        return open_ and self.row.version.based_on_id != (self.current.id if self.current else None)


def list_policies(*, workspace: Workspace, cursor: Cursor | None, state: str = "") -> Page[PolicyRow]:
    """A page of versions, the newest first, with `state` only those in it: three statements with the names."""
    versions = PolicyVersion.objects.filter(workspace=workspace).select_related("based_on")
    if state:
        versions = versions.filter(state=state)
    backwards = cursor is not None and cursor.direction == "newer"
    if cursor is not None and cursor.place[0].isdigit() and len(cursor.place[0]) < 9:
        step = "number__gt" if backwards else "number__lt"
        versions = versions.filter(**{step: int(cursor.place[0])})
    found = list(versions.order_by("number" if backwards else "-number")[: PAGE_SIZE + 1])
    return page_of(_rows(found), cursor=cursor)


def waiting_policies(*, workspace: Workspace) -> int:
    return PolicyVersion.objects.filter(workspace=workspace, state=PolicyVersion.State.PROPOSED).count()


def find_policy(*, workspace: Workspace, number: int) -> PolicyVersion | None:
    rows = PolicyVersion.objects.filter(workspace=workspace, number=number)
    return rows.select_related("based_on").first()


def policy_detail(
    *, workspace: Workspace, version: PolicyVersion, against: int | None, now: datetime
) -> PolicyDetail:
    """A draft or a proposal is also replayed against what is in force."""
    current = current_version(workspace.id)
    other = find_policy(workspace=workspace, number=against) if against else version.based_on
    policy, standing = policy_from(version.values), policy_from(current.values if current else {})
    foresight = None
    if version.state in ("draft", "proposed"):
        foresight = foresee_policy(workspace_id=workspace.id, before=standing, after=policy, now=now)
    raises, measured = unmeasured(version, current=current) if foresight else ((), None)
    numbers = PolicyVersion.objects.filter(workspace=workspace).exclude(id=version.id)
    return PolicyDetail(
        row=_rows([version])[0],
        current=current,
        against=other,
        differences=differences(policy_from(other.values), policy) if other else [],
        numbers=list(numbers.order_by("-number").values_list("number", flat=True)[:100]),
        foresight=foresight,
        raises=raises,
        measured=measured,
    )


def _rows(versions: Sequence[PolicyVersion]) -> list[PolicyRow]:
    names = staff_names(i for row in versions for i in (row.created_by_id, row.decided_by_id))
    return [
        PolicyRow(
            version=row,
            by=names.get(row.created_by_id, ""),
            decided_by=names.get(row.decided_by_id, ""),
            changed=differences(policy_from(row.based_on.values), policy_from(row.values))
            if row.based_on
            else [],
        )
        for row in versions
    ]
