"""Changes: the list over the workspace, one change with everything that became of it, and one change set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, QuerySet

from memoryhub.changes.rollback_scope import INVERSE
from memoryhub.models import Change, ChangeSet, ChangeTransition, Owner, Review, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Page, beyond, order, page_of
from reviews.queries.facts import agent_names
from reviews.queries.names import staff_names
from reviews.queries.scopes import across, of
from reviews.queries.timeline import Moment


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeFilter:
    """'' and None do not filter. `owner` and `session` are whole references, letter for letter."""

    state: str = ""
    action: str = ""
    agent: str = ""
    owner: str = ""
    form_type: str = ""
    field: str = ""
    session: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def conditions(self) -> dict[str, object]:
        wanted: dict[str, object] = {
            "state": self.state,
            "action": self.action,
            "agent_id": self.agent,
            "owner__ref": self.owner,
            "form_type": self.form_type,
            "field_name": self.field,
            "change_set__session_ref": self.session,
            "created_at__gte": self.since,
            "created_at__lt": self.until,
        }
        return {column: value for column, value in wanted.items() if value}


def list_changes(*, workspace: Workspace, chosen: ChangeFilter, cursor: Cursor | None = None) -> Page[Moment]:
    """One page of the workspace's changes, newest first. Owners who are being erased are left out."""
    rows = Change.objects.filter(workspace_id=workspace.id, **chosen.conditions())
    with across(workspace):
        return _page(rows.exclude(owner__state=Owner.State.ERASING), cursor, workspace.id)


def all_changes(*, workspace: Workspace, chosen: ChangeFilter, most: int) -> list[tuple[Change, str]]:
    """Everything the filter lets through with the name of its agent, the newest first, at most `most`."""
    rows = Change.objects.filter(workspace_id=workspace.id, **chosen.conditions())
    with across(workspace):
        rows = rows.exclude(owner__state=Owner.State.ERASING).order_by("-created_at", "-id")
        found = list(rows.select_related("owner__workspace")[:most])
        agents = agent_names(workspace.id)
    return [(row, agents.get(row.agent_id, "")) for row in found]


def _page(rows: QuerySet[Change], cursor: Cursor | None, workspace_id: UUID) -> Page[Moment]:
    ordered = rows.filter(beyond(cursor, column="created_at")).order_by(*order(cursor, column="created_at"))
    found = list(ordered.select_related("owner__workspace")[: PAGE_SIZE + 1])
    agents = agent_names(workspace_id)
    moments = [Moment(at=row.created_at, change=row, agent=agents.get(row.agent_id, "")) for row in found]
    return page_of(moments, cursor=cursor)


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeDetail:
    change: Change
    change_set: ChangeSet
    transitions: Sequence[ChangeTransition]
    reviews: Sequence[Review]
    undone_by: Sequence[Change]
    """Changes of rollbacks that undid it or brought it back, oldest first."""
    undoes: Change | None
    agent: str
    names: dict[int | None, str]


def change_detail(*, owner: Owner, change_id: UUID) -> ChangeDetail | None:
    """The change and its surroundings; None when the owner has no such change."""
    with of(owner):
        found = Change.objects.of(owner.id).filter(id=change_id).select_related("event", "change_set").first()
        if found is None:
            return None
        told = found.candidate if isinstance(found.candidate, dict) else {}
        original = told.get("of") if told.get("kind") == INVERSE else None
        mine = Change.objects.of(owner.id)
        transitions = list(
            ChangeTransition.objects.of(owner.id).filter(change_id=change_id).order_by("at", "id")
        )
        reviews = list(Review.objects.of(owner.id).filter(change_id=change_id).order_by("created_at", "id"))
        inverses = mine.filter(candidate__kind=INVERSE, candidate__of=str(change_id))
        return ChangeDetail(
            change=found,
            change_set=found.change_set,
            transitions=transitions,
            reviews=reviews,
            undone_by=list(inverses.order_by("created_at", "id")[:20]),
            undoes=mine.filter(id=original).first() if original else None,
            agent=agent_names(owner.workspace_id).get(found.agent_id, ""),
            names=staff_names(
                [
                    found.responsible_user_id,
                    found.change_set.user_id,
                    *(row.user_id for row in transitions),
                    *(row.decided_by_id for row in reviews),
                ]
            ),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeSetDetail:
    change_set: ChangeSet
    page: Page[Moment]
    counts: dict[str, int]
    agent: str
    user: str

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def change_set_detail(
    *, owner: Owner, change_set_id: UUID, cursor: Cursor | None = None
) -> ChangeSetDetail | None:
    """The change set with one page of its changes and how many there are in each state."""
    with of(owner):
        found = ChangeSet.objects.of(owner.id).filter(id=change_set_id).select_related("event").first()
        if found is None:
            return None
        rows = Change.objects.of(owner.id).filter(change_set_id=change_set_id)
        counts = dict(rows.order_by().values_list("state").annotate(n=Count("id")))
        return ChangeSetDetail(
            change_set=found,
            page=_page(rows, cursor, owner.workspace_id),
            counts=counts,
            agent=agent_names(owner.workspace_id).get(found.agent_id, ""),
            user=staff_names([found.user_id]).get(found.user_id, ""),
        )
