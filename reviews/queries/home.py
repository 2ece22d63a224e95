"""What a person sees first: how much is remembered, what waits, what was refused, and whether the work goes on."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db import connection
from django.db.models import Count
from django.db.models.functions import TruncDate

from memoryhub.models import Change, Event, FieldVersion, MemoryItem, Owner, PolicyVersion, Workspace
from reviews.queries.jobs import JobHealth, job_health
from reviews.queries.review_queue import for_second_yes, undecided
from reviews.queries.scopes import across
from reviews.zones import zone_named

REFUSALS = """
    SELECT verdict ->> 'code' AS code, count(*) AS n
    FROM memoryhub_event e, jsonb_array_elements(e.outcome) verdict
    WHERE e.workspace_id = %s AND e.recorded_at >= %s AND e.owner_id IS NOT NULL
      AND jsonb_typeof(e.outcome) = 'array' AND verdict ->> 'outcome' = 'refused'
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 8
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Overview:
    owners: int
    events_day: int
    fields: int
    items: int
    proposed: int
    refused: list[tuple[str, int]] = field(default_factory=list)
    last_events: list[Event] = field(default_factory=list)
    jobs: JobHealth

    @property
    def is_empty(self) -> bool:
        return not self.last_events

    @property
    def most_refused(self) -> int:
        return max((number for _, number in self.refused), default=0)


def overview(*, workspace: Workspace, now: datetime) -> Overview:
    """The numbers of the home page. Refusals are those of the last 7 days."""
    with across(workspace):
        events = Event.objects.filter(workspace_id=workspace.id)
        with connection.cursor() as cursor:
            cursor.execute(REFUSALS, [workspace.id, now - timedelta(days=7)])
            refused = [(code or "", number) for code, number in cursor.fetchall()]
        return Overview(
            owners=Owner.objects.filter(workspace=workspace).count(),
            events_day=events.filter(recorded_at__gte=now - timedelta(days=1)).count(),
            fields=FieldVersion.objects.filter(workspace_id=workspace.id, status="active").count(),
            items=MemoryItem.objects.filter(workspace_id=workspace.id, status="active").count(),
            proposed=Change.objects.filter(workspace_id=workspace.id, state="proposed").count(),
            refused=refused,
            last_events=list(events.select_related("owner", "agent").order_by("-recorded_at", "-id")[:8]),
            jobs=job_health(workspace=workspace, now=now),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """What waits for this very person: proposals that need a second yes, policies that somebody else proposed."""

    proposals: int | None
    policies: int | None


def waiting_for(*, workspace: Workspace, user_id: int, may_review: bool, may_approve: bool) -> Waiting:
    """Counts of what the person may decide; None where his roles decide nothing."""
    proposals = policies = None
    if may_review:
        with across(workspace):
            proposals = undecided(workspace).filter(for_second_yes(user_id)).count()
    if may_approve:
        proposed = PolicyVersion.objects.filter(workspace=workspace, state=PolicyVersion.State.PROPOSED)
        policies = proposed.exclude(created_by_id=user_id, four_eyes=True).count()
    return Waiting(proposals=proposals, policies=policies)


def events_per_day(*, workspace: Workspace, now: datetime, days: int = 14) -> list[tuple[date, int]]:
    """How many events were recorded on each of the last `days` days of the workspace's calendar, oldest first."""
    zone = zone_named(workspace.time_zone)
    first = now.astimezone(zone).date() - timedelta(days=days - 1)
    start = datetime.combine(first, datetime.min.time(), tzinfo=zone)
    with across(workspace):
        counted = dict(
            Event.objects.filter(workspace_id=workspace.id, recorded_at__gte=start)
            .annotate(day=TruncDate("recorded_at", tzinfo=zone))
            .order_by()
            .values_list("day")
            .annotate(Count("id"))
        )
    return [(first + timedelta(days=n), counted.get(first + timedelta(days=n), 0)) for n in range(days)]
