"""The review queue: what waits, in tabs and filters, the riskiest and oldest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from memoryhub.models import Agent, FieldDefinition, Owner, Review, ReviewStep, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, page_of
from reviews.queries.scopes import across
from reviews.values import label_of

PENDING = (Review.State.OPEN, Review.State.SECOND_REVIEW)
"""States in which a person can decide now."""

HIGH_RISK = 0.7
MEDIUM_RISK = 0.4
TABS = ("mine", "unclaimed", "overdue", "high", "regressed", "recheck", "second", "waiting", "patrol", "all")
AGES = {
    "hour": timedelta(hours=1),
    "workday": timedelta(hours=8),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
}
WAITED: Mapping[str, tuple[timedelta, timedelta]] = {
    "hour": (timedelta(0), timedelta(hours=1)),
    "workday": (timedelta(hours=1), timedelta(hours=8)),
    "day": (timedelta(hours=8), timedelta(days=1)),
    "days": (timedelta(days=1), timedelta(days=3)),
    "week": (timedelta(days=3), timedelta(days=7)),
    "longer": (timedelta(days=7), timedelta.max),
}
"""Columns of the histogram: waited from, and less than."""
RISKS = {
    "high": Q(risk__gte=HIGH_RISK),
    "medium": Q(risk__gte=MEDIUM_RISK, risk__lt=HIGH_RISK),
    "low": Q(risk__lt=MEDIUM_RISK),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueFilter:
    """What of the queue is looked at; '' leaves a part open. `age` is how long it has waited at least."""

    tab: str = "unclaimed"
    agent: str = ""
    form_type: str = ""
    field: str = ""
    kind: str = ""
    risk: str = ""
    age: str = ""

    def condition(self, *, user_id: int, now: datetime) -> Q:
        exact = {
            "change__agent_id": self.agent,
            "change__form_type": self.form_type,
            "change__field_name": self.field,
            "kind": self.kind,
        }
        found = tab_conditions(user_id=user_id, now=now)[self.tab]
        found &= Q(**{column: value for column, value in exact.items() if value})
        found &= RISKS.get(self.risk, Q())
        return found & Q(created_at__lte=now - AGES[self.age]) if self.age else found


def tab_conditions(*, user_id: int, now: datetime) -> dict[str, Q]:
    """Each tab as a condition on undecided reviews."""
    pending = Q(state__in=PENDING)
    held = held_at(now)
    return {
        "mine": pending & held & Q(claimed_by_id=user_id),
        "unclaimed": pending & ~held,
        "overdue": pending & Q(due_at__lte=now),
        "high": pending & (Q(risk__gte=HIGH_RISK) | Q(is_top_class=True)),
        "regressed": pending & Q(is_regressed=True),
        "recheck": pending & Q(kind=Review.Kind.RECHECK),
        "second": for_second_yes(user_id),
        "waiting": Q(state=Review.State.WAITING_OWNER),
        "patrol": pending & Q(kind=Review.Kind.PATROL),
        "all": Q(),
    }


def for_second_yes(user_id: int) -> Q:
    """Reviews that wait for a second person, who may be this one: neither the first nor who answers for the change."""
    return Q(state=Review.State.SECOND_REVIEW) & ~Q(first_user_id=user_id) & ~Q(responsible_user_id=user_id)


def held_at(now: datetime) -> Q:
    """Claimed by somebody whose lease has not run out."""
    return Q(claimed_by_id__isnull=False, claim_expires_at__isnull=False, claim_expires_at__gt=now)


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueRow:
    review: Review
    agent: str
    holder: str
    """Who works on it now, '' when nobody does."""
    is_mine: bool
    is_overdue: bool

    @property
    def place(self) -> Key:
        return (repr(self.review.risk), self.review.created_at.isoformat(), str(self.review.id))


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """Somebody who works on reviews now, and until when at least."""

    name: str
    number: int
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Queue:
    page: Page[QueueRow]
    counts: Mapping[str, int]
    total: int
    """How many match tab and filter."""
    hidden: int
    """How many of the tab the filter hides."""
    waited: Sequence[tuple[str, int]]
    """How many of everything pending have waited how long."""
    holders: Sequence[Holder] = field(default_factory=list)


def undecided(workspace: Workspace) -> QuerySet[Review]:
    """Every review that is not decided, of owners that are not being erased. Read inside a scope over the workspace."""
    rows = Review.objects.filter(workspace_id=workspace.id).exclude(state=Review.State.DECIDED)
    return rows.exclude(owner__state=Owner.State.ERASING)


def in_order(rows: QuerySet[Review]) -> QuerySet[Review]:
    """By risk, then the oldest first; the id makes the order total."""
    return rows.order_by("-risk", "created_at", "id")


def offered_to(rows: QuerySet[Review], *, user_id: int, today: datetime) -> QuerySet[Review]:
    """What the queue hands this person: not his own changes, nothing he said yes to or escalated, nothing skipped today."""
    steps = ReviewStep.objects.filter(
        owner_id=OuterRef("owner_id"), review_id=OuterRef("id"), user_id=user_id
    )
    return (
        rows.filter(state__in=PENDING, owner__state=Owner.State.ACTIVE)
        .exclude(four_eyes=True, responsible_user_id__isnull=False, responsible_user_id=user_id)
        .exclude(four_eyes=True, first_user_id__isnull=False, first_user_id=user_id)
        .exclude(Exists(steps.filter(action="skip", at__gte=today)))
        .exclude(Exists(steps.filter(action="escalate")), state=Review.State.SECOND_REVIEW)
    )


def read_queue(
    *, workspace: Workspace, chosen: QueueFilter, user_id: int, now: datetime, cursor: Cursor | None = None
) -> Queue:
    """One page of the queue with the counts of all tabs. A fixed number of statements."""
    with across(workspace):
        rows = undecided(workspace)
        condition = chosen.condition(user_id=user_id, now=now)
        tabs = tab_conditions(user_id=user_id, now=now)
        counted = rows.aggregate(
            **{name: Count("id", filter=tab) if tab else Count("id") for name, tab in tabs.items()},
            **_waited_counts(now),
            matching=Count("id", filter=condition) if condition else Count("id"),
        )
        found = list(
            past(rows.filter(condition), cursor).select_related("change", "owner__workspace")[: PAGE_SIZE + 1]
        )
        agents: dict[UUID | None, str] = dict(
            Agent.objects.filter(workspace=workspace).values_list("id", "name")
        )
        holders = holders_of(rows.filter(state__in=PENDING), now=now)
        people = names_of(row.claimed_by_id for row in found)
    page = page_of(
        [_row(review, agents, people, user_id=user_id, now=now) for review in found], cursor=cursor
    )
    total = counted.pop("matching")
    waited = [(code, counted.pop(f"waited_{code}")) for code in WAITED]
    return Queue(
        page=page,
        counts=counted,
        total=total,
        hidden=counted[chosen.tab] - total,
        waited=waited,
        holders=holders,
    )


def _waited_counts(now: datetime) -> dict[str, Count]:
    pending = Q(state__in=PENDING)
    return {
        f"waited_{code}": Count(
            "id",
            filter=pending
            & Q(created_at__lte=now - least)
            & (Q() if less == timedelta.max else Q(created_at__gt=now - less)),
        )
        for code, (least, less) in WAITED.items()
    }


def waited_of(*, workspace: Workspace, now: datetime) -> list[tuple[str, int]]:
    """How many of everything a person can decide now have waited how long, by the columns of `WAITED`."""
    with across(workspace):
        counted = undecided(workspace).aggregate(**_waited_counts(now))
    return [(code, counted[f"waited_{code}"]) for code in WAITED]


def _row(
    review: Review,
    agents: Mapping[UUID | None, str],
    people: Mapping[int, str],
    *,
    user_id: int,
    now: datetime,
) -> QueueRow:
    is_held = review.claim_expires_at is not None and review.claim_expires_at > now
    holder = people.get(review.claimed_by_id or 0, "") if is_held else ""
    return QueueRow(
        review=review,
        agent=agents.get(review.change.agent_id, ""),
        holder=holder,
        is_mine=is_held and review.claimed_by_id == user_id,
        is_overdue=review.due_at is not None and review.due_at <= now and review.state in PENDING,
    )


def holders_of(rows: QuerySet[Review], *, now: datetime) -> list[Holder]:
    """Everybody who holds one of the reviews now, the first to end first."""
    held = (
        rows.filter(held_at(now))
        .order_by("claim_expires_at")
        .values_list("claimed_by_id", "claim_expires_at")
    )
    by_user: dict[int, list[datetime]] = {}
    for user_id, until in held[:1000]:
        by_user.setdefault(user_id or 0, []).append(until or now)
    people = names_of(by_user)
    return [
        Holder(name=people.get(user_id, ""), number=len(ends), until=ends[0])
        for user_id, ends in by_user.items()
    ]


def names_of(user_ids: Any) -> dict[int, str]:
    """Login names of staff by id; ids that are nobody's are left out."""
    return dict(User.objects.filter(id__in=set(user_ids) - {None}).values_list("id", "username"))


def past(rows: QuerySet[Review], cursor: Cursor | None) -> QuerySet[Review]:
    """The rows beyond the cursor, read in its direction."""
    if cursor is None:
        return in_order(rows)
    try:
        risk, at, row_id = (
            float(cursor.place[0]),
            datetime.fromisoformat(cursor.place[1]),
            UUID(cursor.place[2]),
        )
    except ValueError as error:
        raise BadRequest("cursor") from error
    if at.tzinfo is None:
        raise BadRequest("cursor")
    after = Q(risk__lt=risk) | Q(risk=risk) & (Q(created_at__gt=at) | Q(created_at=at, id__gt=row_id))
    before = Q(risk__gt=risk) | Q(risk=risk) & (Q(created_at__lt=at) | Q(created_at=at, id__lt=row_id))
    if cursor.direction == "older":
        return in_order(rows.filter(after))
    return rows.filter(before).order_by("risk", "-created_at", "-id")


def choices_of_queue(workspace: Workspace) -> dict[str, list[tuple[str, str]]]:
    """Agents, form types and fields to filter by: two statements."""
    agents = Agent.objects.filter(workspace=workspace).order_by("name").values_list("id", "name")
    found = FieldDefinition.objects.filter(form_type__workspace=workspace).select_related("form_type")
    fields = sorted(found, key=lambda row: (row.form_type.name, row.name))
    return {
        "agent": [(str(agent_id), name) for agent_id, name in agents],
        "form_type": list({row.form_type.name: label_of(row.form_type) for row in fields}.items()),
        "field": list({row.name: label_of(row) for row in fields}.items()),
    }
