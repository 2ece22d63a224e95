"""How recall does: what became of questions and memories, hit and pollution rates, the session layer, latency; per day and in all.

Counted are recalls of agents; looks from the desk are none. Rates rest on what was judged, by agents (feedback) and by people
(samples); of a memory that was judged more than once, used beats useless and harmful beats used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from memoryhub.changes.judging import IN_FORCE
from memoryhub.models import Workspace
from memoryhub.recall.misses import MissedTerm, missed_terms
from memoryhub.sessions.measuring import LOW_BELOW
from reviews.queries.scopes import across
from reviews.zones import zone_named

DAYS = 30
LEAST_FOR_A_RATE = 20
"""Fewer cases say nothing about a rate."""
MOST_TERMS = 10

_ASKED = """
WITH asked AS MATERIALIZED (
  SELECT r.owner_id, r.id, (r.created_at AT TIME ZONE %(zone)s)::date AS day, r.milliseconds, r.session_hit,
    jsonb_array_length(r.served) AS lines,
    (SELECT coalesce(sum(x.number::bigint), 0) FROM jsonb_each_text(r.excluded_counts) AS x (rule, number)) AS left_out
  FROM memoryhub_recall r
  WHERE r.workspace_id = %(workspace)s AND r.created_at >= %(since)s AND r.created_at < %(until)s AND r.user_id IS NULL
    AND (%(agent)s::uuid IS NULL OR r.agent_id = %(agent)s)
)"""
_ANSWERS = f"""{_ASKED}
SELECT a.day, count(*), count(*) FILTER (WHERE a.lines > 0), coalesce(sum(a.lines), 0), coalesce(sum(a.left_out), 0),
  count(a.session_hit), count(*) FILTER (WHERE a.session_hit),
  percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY a.milliseconds)
FROM asked a GROUP BY GROUPING SETS ((a.day), ())"""
_JUDGED = f"""{_ASKED}, judged AS (
  SELECT a.day, a.owner_id, a.id, f.target_id, bool_or(f.verdict = 'missed') AS missed,
    bool_or(f.verdict <> 'missed') AS told, bool_or(f.verdict = 'used') AS used, bool_or(f.verdict = 'harmful') AS harmful
  FROM asked a JOIN memoryhub_recallfeedback f ON f.owner_id = a.owner_id AND f.recall_id = a.id
  WHERE {IN_FORCE} GROUP BY a.day, a.owner_id, a.id, f.target_id
), by_recall AS (
  SELECT j.day, bool_or(j.told) AS judged, bool_or(j.used) AS hit, count(*) FILTER (WHERE j.told) AS memories,
    count(*) FILTER (WHERE j.used) AS used, count(*) FILTER (WHERE j.told AND (j.harmful OR NOT j.used)) AS polluting,
    count(*) FILTER (WHERE j.missed AND NOT j.told) AS missed
  FROM judged j GROUP BY j.day, j.owner_id, j.id
)
SELECT b.day, count(*) FILTER (WHERE b.judged), count(*) FILTER (WHERE b.hit), coalesce(sum(b.memories), 0),
  coalesce(sum(b.used), 0), coalesce(sum(b.polluting), 0), coalesce(sum(b.missed), 0)
FROM by_recall b GROUP BY GROUPING SETS ((b.day), ())"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """`share` is None from fewer than LEAST_FOR_A_RATE cases: the number is told instead."""

    hits: int
    cases: int

    @property
    def share(self) -> float | None:
        return self.hits / self.cases if self.cases >= LEAST_FOR_A_RATE else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """Of one day, or of all. Recalls: `asked`, `answered` (something was told), `judged`, `helped` (something of it was used).
    Memories: `considered`, `told`, of the judged ones `memories`, `used` and `polluting`; `missed` should have been told.
    Latency in milliseconds, None where nobody asked."""

    asked: int = 0
    answered: int = 0
    told: int = 0
    left_out: int = 0
    session_asked: int = 0
    session_hits: int = 0
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    judged: int = 0
    helped: int = 0
    memories: int = 0
    used: int = 0
    polluting: int = 0
    missed: int = 0

    @property
    def considered(self) -> int:
        return self.told + self.left_out

    @property
    def hit(self) -> Rate:
        return Rate(hits=self.helped, cases=self.judged)

    @property
    def pollution(self) -> Rate:
        return Rate(hits=self.polluting, cases=self.memories)

    @property
    def session(self) -> Rate:
        return Rate(hits=self.session_hits, cases=self.session_asked)

    @property
    def session_is_low(self) -> bool:
        share = self.session.share
        return share is not None and share < LOW_BELOW

    @property
    def funnel(self) -> list[tuple[str, int]]:
        return [
            ("asked", self.asked),
            ("answered", self.answered),
            ("judged", self.judged),
            ("helped", self.helped),
        ]

    @property
    def memory_funnel(self) -> list[tuple[str, int]]:
        return [
            ("considered", self.considered),
            ("told", self.told),
            ("memories_judged", self.memories),
            ("used", self.used),
        ]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallStats:
    total: Figures
    days: Sequence[tuple[date, Figures]]
    terms: Sequence[MissedTerm]


def recall_stats(
    *, workspace: Workspace, first: date, last: date, agent_id: UUID | None = None, with_terms: bool = True
) -> RecallStats:
    """Figures of the days from `first` to `last`, both included, in the workspace's zone; two statements, five with terms."""
    zone = zone_named(workspace.time_zone)
    since = datetime.combine(first, time.min, tzinfo=zone)
    until = datetime.combine(last + timedelta(days=1), time.min, tzinfo=zone)
    given: dict[str, Any] = {
        "workspace": workspace.id,
        "since": since,
        "until": until,
        "agent": agent_id,
        "zone": workspace.time_zone or "UTC",
    }
    with across(workspace), connection.cursor() as cursor:
        cursor.execute(_ANSWERS, given)
        answers: list[tuple[Any, ...]] = cursor.fetchall()
        cursor.execute(_JUDGED, given)
        judged: list[tuple[Any, ...]] = cursor.fetchall()
    by_day = _by_day(answers, judged)
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    terms = (
        missed_terms(workspace_id=workspace.id, since=since, until=until, agent_id=agent_id, most=MOST_TERMS)
        if with_terms
        else []
    )
    return RecallStats(
        total=by_day.get(None, Figures()),
        days=[(day, by_day.get(day, Figures())) for day in days],
        terms=terms,
    )


_ANSWER_COLUMNS = ("asked", "answered", "told", "left_out", "session_asked", "session_hits")
_JUDGED_COLUMNS = ("judged", "helped", "memories", "used", "polluting", "missed")


def _by_day(
    answers: Sequence[tuple[Any, ...]], judged: Sequence[tuple[Any, ...]]
) -> dict[date | None, Figures]:
    """By day, and under None in all."""
    columns: dict[date | None, dict[str, Any]] = {}
    for day, *numbers, percentiles in answers:
        found = columns.setdefault(day, {})
        found |= dict(zip(_ANSWER_COLUMNS, map(int, numbers), strict=True))
        if percentiles:
            found |= dict(zip(("p50", "p95", "p99"), percentiles, strict=True))
    for day, *numbers in judged:
        columns.setdefault(day, {}).update(zip(_JUDGED_COLUMNS, map(int, numbers), strict=True))
    return {day: Figures(**found) for day, found in columns.items()}
