"""The reviews behind a number of the statistics: the same conditions, as a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Literal
from uuid import UUID

from django.db.models import Q, QuerySet

from memoryhub.models import Owner, Review, ReviewStep, Workspace
from reviews.paging import PAGE_SIZE, Cursor, Key, Page, beyond, moment_place, order, page_of
from reviews.queries.facts import agent_names
from reviews.queries.names import staff_names
from reviews.queries.scopes import across
from reviews.zones import zone_named

BY_PEOPLE = Q(decided_by_id__isnull=False)
APPROVED = Q(outcome__in=[Review.Outcome.APPROVED, Review.Outcome.EDITED])
SECONDED = Q(first_user_id__isnull=False) & BY_PEOPLE
ROLLED_BACK = Q(kind=Review.Kind.PROPOSAL, change__state="reverted") & APPROVED
TAKEN_BACK = Q(outcome=Review.Outcome.RETRACTED)
SAMPLED = Q(kind=Review.Kind.PATROL) & ~Q(outcome=Review.Outcome.WITHDRAWN)
REFUSING = ("reject", "retract")
FATES = {
    "by_people": BY_PEOPLE,
    "rolled_back": ROLLED_BACK,
    "taken_back": TAKEN_BACK,
    "seconded": SECONDED,
    "agreed": SECONDED & APPROVED,
    "not_seconded": SECONDED & ~APPROVED,
    "sampled": SAMPLED,
    "sample_taken_back": SAMPLED & TAKEN_BACK,
}
"""What became of a review that ended. With `undone` and a reason it is the steps that are counted: a review may have several."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CountedFilter:
    """'' does not filter. `opened` and `decided` are days of the workspace's calendar."""

    opened: date | Literal[""] = ""
    decided: date | Literal[""] = ""
    fate: str = ""
    outcome: str = ""
    reason: str = ""
    agent: str = ""

    @property
    def counts_steps(self) -> bool:
        return self.fate == "undone" or bool(self.reason)


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """One review, with the step that was counted where steps are; `at` is what the list is ordered by."""

    at: datetime
    id: UUID
    review: Review
    agent: str
    person: str
    reason: str = ""

    @property
    def place(self) -> Key:
        return moment_place(self.at, self.id)


@dataclass(frozen=True, kw_only=True, slots=True)
class CountedList:
    page: Page[Counted]
    total: int


def list_counted(
    *, workspace: Workspace, chosen: CountedFilter, since: datetime, cursor: Cursor | None = None
) -> CountedList:
    """One page of what was counted since then, the latest first, and how much it is. None of owners being erased."""
    with across(workspace):
        rows, column = _rows(workspace, chosen, since)
        total = rows.count()
        found = list(
            rows.filter(beyond(cursor, column=column)).order_by(*order(cursor, column=column))[
                : PAGE_SIZE + 1
            ]
        )
        agents = agent_names(workspace.id)
    people = staff_names(row.user_id if isinstance(row, ReviewStep) else row.decided_by_id for row in found)
    listed = [_counted(row, column, agents, people) for row in found]
    return CountedList(page=page_of(listed, cursor=cursor), total=total)


def _rows(workspace: Workspace, chosen: CountedFilter, since: datetime) -> tuple[QuerySet[Any], str]:
    """What is counted, and the time it is ordered by."""
    if chosen.counts_steps:
        steps = ReviewStep.objects.filter(workspace_id=workspace.id, at__gte=since)
        undone = Q(action="undo") if chosen.fate == "undone" else Q(action__in=REFUSING)
        steps = steps.filter(undone, **({"reason_code": chosen.reason} if chosen.reason else {}))
        steps = steps.filter(_about("review__", chosen, workspace))
        loaded = steps.select_related("review__change", "review__owner__workspace")
        return loaded.exclude(owner__state=Owner.State.ERASING), "at"
    reviews = Review.objects.filter(_about("", chosen, workspace), workspace_id=workspace.id)
    if chosen.opened:
        reviews, column = reviews.filter(created_at__gte=since), "created_at"
    else:
        reviews, column = reviews.filter(state=Review.State.DECIDED, decided_at__gte=since), "decided_at"
    reviews = reviews.filter(FATES.get(chosen.fate, Q()))
    return reviews.select_related("change", "owner__workspace").exclude(
        owner__state=Owner.State.ERASING
    ), column


def _about(prefix: str, chosen: CountedFilter, workspace: Workspace) -> Q:
    found = Q()
    for column, day in (("created_at", chosen.opened), ("decided_at", chosen.decided)):
        if day:
            first, last = _bounds(day, workspace)
            found &= Q(**{f"{prefix}{column}__gte": first, f"{prefix}{column}__lt": last})
    if chosen.outcome:
        found &= Q(**{f"{prefix}outcome": chosen.outcome})
    if chosen.agent:
        found &= Q(**{f"{prefix}change__agent_id": chosen.agent})
    return found


def _bounds(day: date, workspace: Workspace) -> tuple[datetime, datetime]:
    """First moment of the day and of the next, on the workspace's calendar."""
    zone = zone_named(workspace.time_zone)
    following = min(day, date.max - timedelta(days=1)) + timedelta(days=1)
    return datetime.combine(day, time.min, tzinfo=zone), datetime.combine(following, time.min, tzinfo=zone)


def _counted(row: Any, column: str, agents: Any, people: Any) -> Counted:
    is_step = isinstance(row, ReviewStep)
    review = row.review if is_step else row
    return Counted(
        at=getattr(row, column),
        id=row.id,
        review=review,
        agent=agents.get(review.change.agent_id, ""),
        person=people.get(row.user_id if is_step else row.decided_by_id, ""),
        reason=row.reason_code if is_step else "",
    )
