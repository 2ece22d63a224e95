"""Rollbacks: what one would do, what those that were made did, and how far one in the background is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryhub.changes.reverting import plan_rollback
from memoryhub.changes.rollback_job import KIND, Progress, progress_of
from memoryhub.changes.rollback_preview import PlanItem, RollbackPlan
from memoryhub.changes.rollback_scope import ROLLED_BACK, RollbackScope
from memoryhub.changes.rollback_skipped import merged
from memoryhub.models import Change, ChangeSet, Job, Owner, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, beyond, moment_place, order, page_of
from reviews.queries.facts import agent_names
from reviews.queries.names import owners_by_id, staff_names
from reviews.queries.scopes import across, of
from reviews.zones import zone_named

MOST_SHOWN = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """The plan with the owners and agents it names. At most MOST_SHOWN items are listed; all are counted and executed."""

    plan: RollbackPlan
    owners: Mapping[UUID, Owner]
    agents: Mapping[UUID | None, str]
    zone: str
    """Of the workspace."""

    @property
    def items(self) -> Sequence[PlanItem]:
        """Conflicts first, because they are to be decided."""
        ordered = sorted(self.plan.items, key=lambda item: not item.conflict)
        return ordered[: max(MOST_SHOWN, len(self.plan.conflicts))]

    @property
    def number_hidden(self) -> int:
        return len(self.plan.items) - len(self.items)

    @property
    def reason(self) -> str:
        """The sentence that is written in advance, in the reader's language, for him to edit."""
        number, agent = self.plan.changes, self.agents.get(self.plan.scope.agent_id, "")
        if agent:
            told = ngettext(
                "Rolled back %(n)s change by %(agent)s", "Rolled back %(n)s changes by %(agent)s", number
            )
        else:
            told = ngettext("Rolled back %(n)s change", "Rolled back %(n)s changes", number)
        whole = told % {"n": number, "agent": agent}
        if self.plan.span is None:
            return whole
        first, last = (
            f"{moment.astimezone(zone_named(self.zone)):%Y-%m-%d %H:%M}" for moment in self.plan.span
        )
        if first == last:
            return _("%(what)s, made %(first)s") % {"what": whole, "first": first}
        return _("%(what)s, made between %(first)s and %(last)s") % {
            "what": whole,
            "first": first,
            "last": last,
        }

    @property
    def number_derived(self) -> int:
        return sum(item.is_derived for item in self.plan.items)

    @property
    def skipped(self) -> list[tuple[Owner | None, str, int]]:
        """Per owner the reason code and how many changes stay untouched."""
        return [
            (self.owners.get(skipped.owner_id), skipped.code, len(skipped.change_ids))
            for skipped in self.plan.skipped
        ]


def preview_of(*, workspace: Workspace, scope: RollbackScope) -> Preview:
    """Look, without doing anything. Raises InvalidInput for an empty scope or range."""
    plan = plan_rollback(workspace_id=workspace.id, scope=scope)
    ids = {item.owner_id for item in [*plan.items, *plan.kept_derived]}
    ids |= {skipped.owner_id for skipped in plan.skipped}
    return Preview(
        plan=plan,
        owners=owners_by_id(workspace=workspace, ids=ids),
        agents=agent_names(workspace.id),
        zone=workspace.time_zone,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class RollbackRow:
    change_set: ChangeSet
    changes: int
    user: str
    agent: str

    @property
    def place(self) -> Key:
        return moment_place(self.change_set.created_at, self.change_set.id)


def list_rollbacks(*, workspace: Workspace, cursor: Cursor | None = None) -> Page[RollbackRow]:
    """Rollbacks of the workspace, newest first, one row per owner."""
    rows = ChangeSet.objects.filter(workspace_id=workspace.id, act=ROLLED_BACK)
    rows = rows.exclude(owner__state=Owner.State.ERASING).filter(beyond(cursor, column="created_at"))
    with across(workspace):
        found = list(
            rows.select_related("owner__workspace").order_by(*order(cursor, column="created_at"))[
                : PAGE_SIZE + 1
            ]
        )
        counts = _counted(found)
    return page_of(_rows(found, counts, workspace.id), cursor=cursor)


def rollbacks_named(*, workspace: Workspace, ids: Sequence[UUID]) -> list[RollbackRow]:
    """The rollbacks with these ids, newest first."""
    rows = ChangeSet.objects.filter(workspace_id=workspace.id, id__in=ids)
    with across(workspace):
        found = list(rows.select_related("owner__workspace").order_by("-created_at", "-id"))
        counts = _counted(found)
    return _rows(found, counts, workspace.id)


def _counted(found: Sequence[ChangeSet]) -> dict[UUID, int]:
    changes = Change.objects.filter(
        owner_id__in={row.owner_id for row in found}, change_set_id__in=[row.id for row in found]
    )
    return dict(changes.order_by().values_list("change_set_id").annotate(n=Count("id")))


def _rows(found: Iterable[ChangeSet], counts: Mapping[UUID, int], workspace_id: UUID) -> list[RollbackRow]:
    found = list(found)
    users, agents = staff_names(row.user_id for row in found), agent_names(workspace_id)
    return [
        RollbackRow(
            change_set=row,
            changes=counts.get(row.id, 0),
            user=users.get(row.user_id, ""),
            agent=agents.get(row.agent_id, ""),
        )
        for row in found
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultRow:
    change: Change

    @property
    def place(self) -> Key:
        return moment_place(self.change.created_at, self.change.id)


@dataclass(frozen=True, kw_only=True, slots=True)
class RollbackDetail:
    """One rollback. `sets` are its change sets, one per owner; they were opened in one transaction."""

    change_set: ChangeSet
    sets: Sequence[ChangeSet]
    page: Page[ResultRow]
    counts: dict[str, int]
    """How many values were undone, brought back, withdrawn and proposed again."""
    is_undone: bool
    user: str
    agent: str
    job: Job | None
    progress: Progress | None

    @property
    def skipped(self) -> dict[str, int]:
        """Per reason how many changes were left alone."""
        later = self.job.payload.get("skipped", []) if self.job else []
        return merged(*(row.skipped for row in self.sets), later)

    @property
    def left_alone(self) -> list[tuple[UUID, str, str]]:
        """The changes that were left alone, as far as they are named: whose, which and why."""
        return [
            (row.owner_id, change, kept["code"])
            for row in self.sets
            for kept in row.skipped
            for change in kept["changes"]
        ]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def undo_scope(self) -> RollbackScope:
        only = (self.sets[0].owner_id,) if len(self.sets) == 1 else ()
        return RollbackScope(change_set_ids=tuple(row.id for row in self.sets), owner_ids=only)


def rollback_detail(
    *, workspace: Workspace, owner: Owner, change_set_id: UUID, cursor: Cursor | None = None
) -> RollbackDetail | None:
    """One rollback over all its owners, with a page of what it did; None when the owner has no such rollback."""
    with of(owner):
        found = ChangeSet.objects.of(owner.id).filter(id=change_set_id, act=ROLLED_BACK).first()
    if found is None:
        return None
    with across(workspace):
        sets = list(
            ChangeSet.objects.filter(
                workspace_id=workspace.id,
                act=ROLLED_BACK,
                created_at=found.created_at,
                user_id=found.user_id,
                agent_id=found.agent_id,
            )
            .exclude(owner__state=Owner.State.ERASING)
            .select_related("owner")
            .order_by("owner_id")
        )
        rows = _changes_of(sets)
        states = dict(rows.order_by().values_list("state").annotate(n=Count("id")))
        counts = dict(rows.order_by().values_list("candidate__op").annotate(n=Count("id")))
        page = rows.filter(beyond(cursor, column="created_at")).select_related("owner__workspace")
        changes = list(page.order_by(*order(cursor, column="created_at"))[: PAGE_SIZE + 1])
        job = Job.objects.filter(
            workspace=workspace, kind=KIND, payload__sets__contains={str(owner.id): str(change_set_id)}
        ).first()
    return RollbackDetail(
        change_set=found,
        sets=sets,
        page=page_of([ResultRow(change=change) for change in changes], cursor=cursor),
        counts=counts,
        is_undone=bool(states) and set(states) == {"reverted"},
        user=staff_names([found.user_id]).get(found.user_id, ""),
        agent=agent_names(workspace.id).get(found.agent_id, ""),
        job=job,
        progress=progress_of(job) if job else None,
    )


def _changes_of(sets: Sequence[ChangeSet]) -> QuerySet[Change]:
    return Change.objects.filter(
        owner_id__in={row.owner_id for row in sets}, change_set_id__in=[row.id for row in sets]
    )


def rollback_report(*, workspace: Workspace, sets: Sequence[ChangeSet]) -> list[Change]:
    """Everything a rollback did, in the order it was done."""
    with across(workspace):
        rows = _changes_of(sets).select_related("owner")
        return list(rows.order_by("created_at", "id"))
