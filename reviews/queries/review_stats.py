"""How the reviewing goes: waiting times, inflow against decisions, reasons, overturned decisions, and each agent's patrol samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Count
from django.db.models.functions import TruncDate

from memoryhub.changes.patrol import PatrolVerdict, judge_agent
from memoryhub.changes.patrolling import samples_since
from memoryhub.models import Agent, Review, ReviewStep, Workspace
from memoryhub.policies import current_policy
from reviews.queries.review_counted import APPROVED, REFUSING, ROLLED_BACK, SECONDED, TAKEN_BACK
from reviews.queries.scopes import across
from reviews.zones import zone_named

DAYS = 30
LEAST_FOR_A_RATE = 20

# Seconds from opening to decision, of decisions by people; the percentiles are continuous (PostgreSQL's percentile_cont).
# One row per day of the workspace's calendar, and one with an empty day for all of them.
WAITS = """
    SELECT (decided_at AT TIME ZONE %(zone)s)::date, count(*), avg(extract(epoch FROM decided_at - created_at)),
           percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM decided_at - created_at)),
           percentile_cont(0.9) WITHIN GROUP (ORDER BY extract(epoch FROM decided_at - created_at))
    FROM memoryhub_review
    WHERE workspace_id = %(workspace)s AND state = 'decided' AND decided_at >= %(since)s AND decided_by_id IS NOT NULL
    GROUP BY GROUPING SETS ((1), ())
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Waits:
    """How long decisions by people were waited for; no lengths where nobody decided."""

    number: int = 0
    mean: timedelta | None = None
    p50: timedelta | None = None
    p90: timedelta | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    date: date
    opened: int
    decided: int
    waits: Waits = Waits()


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentPatrol:
    """`sampled` reviews of what an agent wrote that were decided, and how many of them took the value back."""

    name: str
    agent_id: UUID | None = None
    sampled: int
    overturned: int
    is_gated: bool

    @property
    def rate(self) -> float | None:
        return self.overturned / self.sampled if self.sampled >= LEAST_FOR_A_RATE else None

    @property
    def verdict(self) -> PatrolVerdict:
        return judge_agent(sampled=self.sampled, overturned=self.overturned)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stats:
    waits: Waits
    days: Sequence[Day]
    outcomes: Sequence[tuple[str, int]]
    reasons: Sequence[tuple[str, int]]
    undone: int
    """Decisions their own maker took back within the undo time."""
    rolled_back: int
    """Approved values that were rolled back later."""
    taken_back: int
    """Live values of the patrol sample and of re-checks that a person took back."""
    seconded: int
    """Reviews that one person had said yes to when another ended them."""
    agreed: int
    """Of the seconded, those the second person agreed to."""
    agents: Sequence[AgentPatrol]

    @property
    def decided(self) -> int:
        return self.waits.number

    @property
    def overturned(self) -> int:
        return self.undone + self.rolled_back

    @property
    def overturns(self) -> list[tuple[str, int]]:
        """What was overturned and how, for the chart and its table."""
        return [
            ("undone", self.undone),
            ("rolled_back", self.rolled_back),
            ("taken_back", self.taken_back),
            ("not_seconded", self.seconded - self.agreed),
        ]

    @property
    def agreement_rate(self) -> float | None:
        return self.agreed / self.seconded if self.seconded >= LEAST_FOR_A_RATE else None

    @property
    def overturn_rate(self) -> float | None:
        return self.overturned / self.decided if self.decided >= LEAST_FOR_A_RATE else None

    @property
    def most_reasons(self) -> int:
        return max((number for _code, number in self.reasons), default=0)


def review_stats(*, workspace: Workspace, now: datetime) -> Stats:
    """The numbers of the last 30 days of the workspace's calendar. A fixed number of statements."""
    since = start_of_period(workspace, now)
    zone, first = zone_named(workspace.time_zone), since.date()
    with across(workspace):
        with connection.cursor() as cursor:
            given: dict[str, Any] = {"workspace": workspace.id, "since": since, "zone": zone.key}
            cursor.execute(WAITS, given)
            waits = {day: _waits(*lengths) for day, *lengths in cursor.fetchall()}
        ended = Review.objects.filter(
            workspace_id=workspace.id, state=Review.State.DECIDED, decided_at__gte=since
        )
        steps = ReviewStep.objects.filter(workspace_id=workspace.id, at__gte=since)
        opened = Review.objects.filter(workspace_id=workspace.id, created_at__gte=since)
        return Stats(
            waits=waits.get(None, Waits()),
            days=_days(
                first, _per_day(opened, "created_at", zone), _per_day(ended, "decided_at", zone), waits
            ),
            outcomes=_counted(ended, "outcome"),
            reasons=_counted(steps.filter(action__in=REFUSING), "reason_code"),
            undone=steps.filter(action="undo").count(),
            rolled_back=ended.filter(ROLLED_BACK).count(),
            **_second_looks(ended),
            agents=_patrols(workspace, since),
        )


def _second_looks(ended: Any) -> dict[str, int]:
    """How decisions of a second look went: on live values, and after somebody's first yes."""
    found: dict[str, int] = ended.aggregate(
        taken_back=Count("id", filter=TAKEN_BACK),
        seconded=Count("id", filter=SECONDED),
        agreed=Count("id", filter=SECONDED & APPROVED),
    )
    return found


def _waits(number: int, mean: Any, p50: Any, p90: Any) -> Waits:
    return Waits(number=number, mean=_span(mean), p50=_span(p50), p90=_span(p90))


def _span(seconds: Any) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=float(seconds))


def _per_day(rows: Any, column: str, zone: Any) -> dict[date, int]:
    days = rows.annotate(day=TruncDate(column, tzinfo=zone)).order_by().values_list("day")
    return dict(days.annotate(n=Count("id")))


def _days(
    first: date, opened: dict[date, int], decided: dict[date, int], waits: dict[date, Waits]
) -> list[Day]:
    days = [first + timedelta(days=number) for number in range(DAYS)]
    return [
        Day(
            date=day,
            opened=opened.get(day, 0),
            decided=decided.get(day, 0),
            waits=waits.get(day, Waits()),
        )
        for day in days
    ]


def _counted(rows: Any, column: str) -> list[tuple[str, int]]:
    return list(rows.order_by().values_list(column).annotate(n=Count("id")).order_by("-n", column))


def start_of_period(workspace: Workspace, now: datetime) -> datetime:
    """The first moment of the 30 days, in the workspace's calendar."""
    zone = zone_named(workspace.time_zone)
    first = now.astimezone(zone).date() - timedelta(days=DAYS - 1)
    return datetime.combine(first, datetime.min.time(), tzinfo=zone)


def _patrols(workspace: Workspace, since: datetime) -> list[AgentPatrol]:
    names: dict[UUID | None, str] = dict(Agent.objects.filter(workspace=workspace).values_list("id", "name"))
    gated = current_policy(workspace_id=workspace.id).policy.gated_agents
    samples = samples_since(workspace_id=workspace.id, since=since)
    waiting: dict[UUID | None, tuple[int, int]] = {UUID(agent_id): (0, 0) for agent_id in gated}
    rows = [
        AgentPatrol(
            name=names.get(agent_id, ""),
            agent_id=agent_id,
            sampled=number,
            overturned=bad,
            is_gated=str(agent_id) in gated,
        )
        for agent_id, (number, bad) in (waiting | samples).items()
    ]
    return sorted(rows, key=lambda row: (-row.overturned / max(row.sampled, 1), row.name))
