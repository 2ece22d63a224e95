"""Whether it was measured how much of what a policy tells is beside the point, before it may tell more.

Measured is what agents or people judged of recalls that went by the policy (in a trial, or while it was in force), or a replay of a
labelled set under it. A version that reads exactly as another one shares its measurements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from memoryhub.changes.judging import IN_FORCE
from memoryhub.database.scope import scope
from memoryhub.models import PolicyMeasurement, PolicyVersion
from memoryhub.policies import Policy
from memoryhub.policy_rules import is_read_value, policy_from

TELLS_MORE = ("top_k", "budget_tokens", "most_budget_tokens")
"""Numbers that make a policy tell more when they are raised."""
LEAST_JUDGED = 100
"""Lines that have to be judged before a policy that tells more comes into force."""
_MOST_JUDGED = 100_000

_JUDGED = f"""
SELECT count(*), count(*) FILTER (WHERE polluted) FROM (
  SELECT bool_or(f.verdict = 'harmful') OR NOT bool_or(f.verdict = 'used') AS polluted
  FROM memoryhub_recall r JOIN memoryhub_recallfeedback f ON f.owner_id = r.owner_id AND f.recall_id = r.id
  WHERE r.workspace_id = %(workspace)s AND f.workspace_id = %(workspace)s AND r.policy_version_id = ANY(%(versions)s)
    AND f.verdict <> 'missed' AND {IN_FORCE}
  GROUP BY f.owner_id, f.recall_id, f.target_id LIMIT %(most)s
) judged
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """Lines judged in recalls by the policy and by the largest replay of a labelled set, and those beside the point."""

    judged: int
    polluted: int
    replay: PolicyMeasurement | None

    @property
    def is_enough(self) -> bool:
        return self.best >= LEAST_JUDGED

    @property
    def best(self) -> int:
        """The larger of the two; they are not added, for they are not of one kind."""
        return max(self.judged, self.replay.lines if self.replay else 0)


def raised(before: Policy, after: Policy) -> list[str]:
    """The numbers by which `after` tells more than `before`."""
    return [name for name in TELLS_MORE if getattr(after, name) > getattr(before, name)]


def measured(version: PolicyVersion) -> Measured:
    """What is known of how the version tells. Opens a scope: not inside another transaction."""
    alike = reading_alike(version)
    with (
        scope(workspace_id=version.workspace_id, owners="workspace", purpose="desk", staff=True),
        connection.cursor() as cursor,
    ):
        parameters: dict[str, Any] = {
            "workspace": version.workspace_id,
            "versions": alike,
            "most": _MOST_JUDGED,
        }
        cursor.execute(_JUDGED, parameters)
        judged, polluted = cursor.fetchone() or (0, 0)
    replays = PolicyMeasurement.objects.filter(version_id__in=alike).order_by("-lines", "-measured_at")
    return Measured(judged=judged, polluted=polluted, replay=replays.first())


def reading_alike(version: PolicyVersion) -> list[UUID]:
    """Ids of the workspace's versions that read exactly as this one; it is one of them."""
    wanted = read_values(policy_from(version.values))
    versions = PolicyVersion.objects.filter(workspace_id=version.workspace_id).values_list("id", "values")
    return [id_ for id_, values in versions if read_values(policy_from(values)) == wanted]


def read_values(policy: Policy) -> dict[str, Any]:
    """The numbers that count when memory is read."""
    return {name: value for name, value in policy.as_values().items() if is_read_value(name)}


def unmeasured(
    version: PolicyVersion, *, current: PolicyVersion | None
) -> tuple[Sequence[str], Measured | None]:
    """What the version raises over the one in force, and what is known of it; () and None when it raises nothing."""
    names = raised(policy_from(current.values if current else {}), policy_from(version.values))
    return (names, measured(version)) if names else ((), None)
