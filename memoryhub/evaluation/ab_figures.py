"""What became of the answers of two groups of policy versions, as sums over owners: one statement. Call inside a workspace scope.

Counted are recalls of agents that went by the versions in the time asked for; a look from the desk is none. Owners who were
answered by both (the trial was halted) count for the one in trial alone. A question that looks back (`valid_at`, `known_at`) is left out of what counts as stale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import connection

from memoryhub.changes.judging import IN_FORCE
from memoryhub.evaluation.intervals import Sums

MOST_RECALLS = 20_000
"""Of more only the newest are read."""

type Name = Literal["answered", "hit", "pollution", "stale", "repeated", "resolved", "tokens", "milliseconds"]
type Side = Literal["control", "trial"]

# A line is told stale when, as is known by now, it did not hold any more (or never had) at the moment it was told, and a passage
# also when nobody had verified it for as long as the policy in force allows (a verification since then hides that). History that
# is told as history is not stale.
_FIGURES = f"""
WITH read AS MATERIALIZED (
  SELECT r.owner_id, r.id, r.query, r.session_ref, r.created_at, r.tokens, r.milliseconds, r.served,
    r.valid_at IS NULL AND r.known_at IS NULL AS of_now, r.policy_version_id = ANY(%(tried)s) AS tried
  FROM memoryhub_recall r
  WHERE r.workspace_id = %(workspace)s AND r.created_at >= %(since)s AND r.created_at < %(until)s AND r.agent_id IS NOT NULL
    AND (r.policy_version_id = ANY(%(tried)s) OR r.policy_version_id = ANY(%(control)s))
  ORDER BY r.created_at DESC, r.id DESC LIMIT %(most)s
), asked AS MATERIALIZED (
  SELECT r.* FROM read r WHERE r.tried OR r.owner_id NOT IN (SELECT x.owner_id FROM read x WHERE x.tried)
), judged AS (
  SELECT a.tried, a.owner_id, a.id, f.target_id,
    bool_or(f.verdict = 'used') AS used,
    bool_or(f.verdict = 'harmful') OR NOT bool_or(f.verdict = 'used') AS polluted
  FROM asked a JOIN memoryhub_recallfeedback f ON f.owner_id = a.owner_id AND f.recall_id = a.id
  WHERE f.verdict <> 'missed' AND {IN_FORCE}
  GROUP BY a.tried, a.owner_id, a.id, f.target_id
), told AS (
  SELECT a.tried, a.owner_id, a.created_at, (line ->> 'owner')::uuid AS of_owner, (line ->> 'id')::uuid AS target,
    line ->> 'kind' AS kind
  FROM asked a CROSS JOIN LATERAL jsonb_array_elements(a.served) line
  WHERE a.of_now AND line ->> 'section' <> 'timeline' AND line ->> 'kind' IN ('form', 'rule', 'item', 'document')
), aged AS (
  SELECT t.tried, t.owner_id, t.created_at, x.valid_until, x.closed_at, x.known_until, x.unverified
  FROM told t CROSS JOIN LATERAL (
    SELECT v.valid_until, v.closed_at, v.known_until, false AS unverified FROM memoryhub_fieldversion v
    WHERE t.kind IN ('form', 'rule') AND v.owner_id = t.of_owner AND v.id = t.target
    UNION ALL
    SELECT i.valid_until, i.closed_at, i.known_until, false FROM memoryhub_memoryitem i
    WHERE t.kind = 'item' AND i.owner_id = t.of_owner AND i.id = t.target
    UNION ALL
    SELECT v.valid_until, v.closed_at, v.known_until,
      v.last_verified_at < t.created_at - make_interval(days => %(stale_days)s)
    FROM memoryhub_documentchunk c
    JOIN memoryhub_documentversion v ON v.owner_id = c.owner_id AND v.id = c.version_id
    WHERE t.kind = 'document' AND c.owner_id = t.of_owner AND c.id = t.target
  ) x
), ended AS (
  SELECT bool_and(a.tried) AS tried, s.owner_id, s.id,
    bool_and(s.outcome = 'resolved') AND NOT bool_or(EXISTS (
      SELECT FROM memoryhub_repeatedquestion q
      JOIN memoryhub_recall l ON l.owner_id = q.owner_id AND l.id = q.later_id
      WHERE q.owner_id = a.owner_id AND q.earlier_id = a.id AND l.session_ref <> a.session_ref)) AS resolved
  FROM memoryhub_session s
  CROSS JOIN LATERAL (VALUES (s.ref), (s.id::text)) AS called (ref)
  JOIN asked a ON a.owner_id = s.owner_id AND a.session_ref = called.ref
    AND a.created_at BETWEEN s.opened_at - interval '1 hour' AND coalesce(s.ended_at, s.outcome_at)
  WHERE s.workspace_id = %(workspace)s AND s.outcome <> '' AND a.session_ref <> ''
  GROUP BY s.owner_id, s.id HAVING bool_and(a.tried) = bool_or(a.tried)
), by_owner AS (
  SELECT 'tokens' AS figure, tried, owner_id, count(*)::float8 AS n, sum(tokens)::float8 AS y FROM asked GROUP BY 2, 3
  UNION ALL
  SELECT 'milliseconds', tried, owner_id, count(*), sum(milliseconds) FROM asked GROUP BY 2, 3
  UNION ALL
  SELECT 'answered', tried, owner_id, count(*), count(*) FILTER (WHERE served <> '[]') FROM asked GROUP BY 2, 3
  UNION ALL
  SELECT 'hit', tried, owner_id, count(*), count(*) FILTER (WHERE hit)
  FROM (SELECT tried, owner_id, id, bool_or(used) AS hit FROM judged GROUP BY 1, 2, 3) j GROUP BY 2, 3
  UNION ALL
  SELECT 'pollution', tried, owner_id, count(*), count(*) FILTER (WHERE polluted) FROM judged GROUP BY 2, 3
  UNION ALL
  SELECT 'stale', tried, owner_id, count(*), count(*) FILTER (WHERE unverified
    OR (valid_until <= created_at AND (closed_at IS NULL OR closed_at > created_at)) OR known_until > created_at)
  FROM aged GROUP BY 2, 3
  UNION ALL
  SELECT 'repeated', tried, owner_id, count(*), count(*) FILTER (WHERE EXISTS (SELECT FROM memoryhub_repeatedquestion q
    WHERE q.owner_id = a.owner_id AND q.earlier_id = a.id))
  FROM asked a WHERE query <> '' GROUP BY 2, 3
  UNION ALL
  SELECT 'resolved', tried, owner_id, count(*), count(*) FILTER (WHERE resolved) FROM ended GROUP BY 2, 3
)
SELECT figure, tried, count(*), sum(n), sum(y), sum(n * n), sum(n * y), sum(y * y),
  CASE WHEN figure = 'milliseconds' THEN (SELECT percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY a.milliseconds)
    FROM asked a WHERE a.tried = by_owner.tried) END
FROM by_owner GROUP BY figure, tried
UNION ALL SELECT 'read', NULL, 0, count(*), 0, 0, 0, 0, NULL FROM read
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """Sums by figure and side; `percentiles` are p50 and p95 of the milliseconds of a recall. `is_cut`: only the newest were read."""

    sums: dict[tuple[Name, Side], Sums]
    percentiles: dict[Side, tuple[float, float]]
    is_cut: bool

    def of(self, name: Name, side: Side) -> Sums:
        return self.sums.get((name, side), Sums())


def count_answers(
    *,
    workspace_id: UUID,
    control: Sequence[UUID],
    tried: Sequence[UUID],
    since: datetime,
    until: datetime,
    stale_days: int,
    most: int = MOST_RECALLS,
) -> Counted:
    """What the recalls by the versions of `control` and `tried` came to."""
    parameters: dict[str, Any] = {
        "workspace": workspace_id,
        "control": list(control),
        "tried": list(tried),
        "since": since,
        "until": until,
        "stale_days": stale_days,
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(_FIGURES, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    sums: dict[tuple[Name, Side], Sums] = {}
    percentiles: dict[Side, tuple[float, float]] = {}
    read = 0
    for name, is_tried, clusters, n, y, nn, ny, yy, times in rows:
        if name == "read":
            read = int(n)
            continue
        side: Side = "trial" if is_tried else "control"
        sums[name, side] = Sums(clusters=clusters, n=n, y=y, nn=nn, ny=ny, yy=yy)
        if times:
            percentiles[side] = (times[0], times[1])
    return Counted(sums=sums, percentiles=percentiles, is_cut=read >= most)
