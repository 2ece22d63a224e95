"""Move agents between gate and patrol: a new policy version that names those whose every write waits for a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Max, Q

from memoryhub import audit
from memoryhub.changes.patrol import judge_agent
from memoryhub.database.scope import scope
from memoryhub.models import PolicyVersion, Review, Workspace
from memoryhub.policies import current_policy


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """Agents that the rule moved, by id."""

    gated: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()


def samples_since(*, workspace_id: UUID, since: datetime) -> dict[UUID | None, tuple[int, int]]:
    """Per agent: patrol samples decided since then, and how many took the value back. Call inside a workspace scope."""
    samples = Review.objects.filter(
        workspace_id=workspace_id,
        kind=Review.Kind.PATROL,
        state=Review.State.DECIDED,
        decided_at__gte=since,
    ).exclude(outcome=Review.Outcome.WITHDRAWN)
    counted = samples.order_by().values_list("change__agent_id")
    rows = counted.annotate(n=Count("id"), bad=Count("id", filter=Q(outcome=Review.Outcome.RETRACTED)))
    return {agent_id: (number, bad) for agent_id, number, bad in rows}


def apply_patrol_rule(*, workspace_id: UUID, since: datetime, user_id: int) -> Moved:
    """Judge every agent by its samples since then; writes a policy version and an audit entry when somebody moves."""
    with scope(workspace_id=workspace_id, owners="workspace", purpose="desk"):
        samples = samples_since(workspace_id=workspace_id, since=since)
    with transaction.atomic():
        Workspace.objects.select_for_update(no_key=True).get(id=workspace_id)
        current = PolicyVersion.objects.filter(workspace_id=workspace_id, is_current=True)
        version = current.first()
        gated = set(current_policy(workspace_id=workspace_id).policy.gated_agents)
        moved = judge_agents(samples, gated=gated)
        if version is None or not (moved.gated or moved.freed):
            return Moved()
        number = PolicyVersion.objects.filter(workspace_id=workspace_id).aggregate(n=Max("number"))["n"]
        current.update(is_current=False)
        PolicyVersion.objects.create(
            workspace_id=workspace_id,
            number=number + 1,
            name=version.name,
            values={
                **version.values,
                "gated_agents": sorted((gated | set(moved.gated)) - set(moved.freed)),
            },
            is_current=True,
            state=PolicyVersion.State.APPROVED,
            origin=PolicyVersion.Origin.RULE,
            based_on=version,
            created_by_id=user_id,
        )
        audit.record(
            audit.entry(
                action="policy.agents_moved",
                workspace_id=workspace_id,
                details={"gated": list(moved.gated), "freed": list(moved.freed)},
            )
        )
    return moved


def judge_agents(samples: Mapping[UUID | None, tuple[int, int]], *, gated: set[str]) -> Moved:
    """Who moves by the rule, given who is gated now. Pure."""
    verdicts = {
        str(agent_id): judge_agent(sampled=number, overturned=bad)
        for agent_id, (number, bad) in samples.items()
        if agent_id is not None
    }
    return Moved(
        gated=tuple(sorted(a for a, verdict in verdicts.items() if verdict == "gate" and a not in gated)),
        freed=tuple(sorted(a for a, verdict in verdicts.items() if verdict == "patrol" and a in gated)),
    )
