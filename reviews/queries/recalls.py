"""The log of recalls: who asked what about whom, what was told, and one of them with everything the log kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q

from memoryhub.models import Agent, Owner, PolicyVersion, Recall, RecallFeedback, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, beyond, moment_place, order, page_of
from reviews.queries.names import staff_names
from reviews.queries.scopes import across, of
from reviews.zones import zone_named


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallRow:
    """`who` is the agent's name or the person's login; `is_desk`: a person looked."""

    recall: Recall
    who: str
    is_desk: bool

    @property
    def place(self) -> Key:
        return moment_place(self.recall.created_at, self.recall.id)

    @property
    def n_left_out(self) -> int:
        counts: dict[str, int] = self.recall.excluded_counts
        return sum(counts.values())


def agent_names(workspace: Workspace) -> dict[UUID | None, str]:
    """The agents of the workspace, for choices and rows."""
    return dict(Agent.objects.filter(workspace=workspace).order_by("name").values_list("id", "name"))


def list_recalls(
    *,
    workspace: Workspace,
    chosen: Mapping[str, Any],
    agents: Mapping[UUID | None, str],
    cursor: Cursor | None,
) -> Page[RecallRow]:
    """One page of the workspace's log, newest first; owners being erased are left out. Two statements."""
    rows = Recall.objects.filter(
        beyond(cursor, column="created_at"), conditions(chosen, workspace), workspace_id=workspace.id
    ).exclude(owner__state=Owner.State.ERASING)
    with across(workspace):
        found = list(
            rows.select_related("owner").order_by(*order(cursor, column="created_at"))[: PAGE_SIZE + 1]
        )
    people = staff_names(row.user_id for row in found)
    return page_of([_row(row, agents, people) for row in found], cursor=cursor)


def _row(row: Recall, agents: Mapping[UUID | None, str], people: Mapping[int | None, str]) -> RecallRow:
    is_desk = row.user_id is not None
    return RecallRow(
        recall=row,
        who=people.get(row.user_id, "") if is_desk else agents.get(row.agent_id, ""),
        is_desk=is_desk,
    )


def conditions(chosen: Mapping[str, Any], workspace: Workspace) -> Q:
    """What the filter form chose, as a condition on recalls."""
    found = Q()
    if chosen.get("q"):
        found &= Q(query__icontains=chosen["q"])
    if chosen.get("owner"):
        found &= Q(owner__ref=chosen["owner"])
    if chosen.get("session"):
        found &= Q(session_ref=chosen["session"])
    if chosen.get("agent"):
        found &= Q(agent_id=chosen["agent"])
    if chosen.get("until"):
        found &= Q(created_at__lt=end_of(chosen["until"], workspace))
    return found & _ANSWERED.get(chosen.get("answered", ""), Q())


_ANSWERED = {
    "nothing": Q(served=[]),
    "cut": Q(excluded_counts__has_key="budget"),
    "session_missed": Q(session_hit=False),
    "desk": Q(user_id__isnull=False),
}


def end_of(day: date, workspace: Workspace) -> datetime:
    """The end of a day in the workspace's zone."""
    return datetime.combine(day + timedelta(days=1), time.min, tzinfo=zone_named(workspace.time_zone))


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallEntry:
    """One logged recall: `judged` is what was said about each memory it told or left out, newest last."""

    recall: Recall
    who: str
    is_desk: bool
    policy_number: int | None
    judged: Mapping[UUID, str]


def show_recall(*, owner: Owner, recall_id: UUID) -> RecallEntry | None:
    """One recall of the owner; None for an unknown one, and with the same answer for another owner's."""
    with of(owner):
        row = Recall.objects.of(owner.id).filter(id=recall_id).first()
        said = RecallFeedback.objects.of(owner.id).filter(recall_id=recall_id).order_by("at", "id")
        judged = dict(said.values_list("target_id", "verdict"))
    if row is None:
        return None
    is_desk = row.user_id is not None
    return RecallEntry(
        recall=row,
        who=staff_names([row.user_id]).get(row.user_id, "") if is_desk else _agent(row),
        is_desk=is_desk,
        policy_number=_policy_number(row),
        judged=judged,
    )


def _agent(row: Recall) -> str:
    if row.agent_id is None:
        return ""
    return Agent.objects.filter(id=row.agent_id).values_list("name", flat=True).first() or ""


def _policy_number(row: Recall) -> int | None:
    if row.policy_version_id is None:
        return None
    version = PolicyVersion.objects.filter(workspace_id=row.workspace_id, id=row.policy_version_id)
    return version.values_list("number", flat=True).first()
