"""Weights, thresholds and budgets: the defaults, and a workspace's current version of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any
from uuid import UUID

from memoryhub.models import PolicyVersion


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """One immutable set of rules. Times are in the unit their name says; shares lie in [0, 1]."""

    # admission
    least_confidence: float = 0.6
    least_importance: float = 0.6
    evidence_from_importance: float = 0.8
    gate_from_importance: float = 0.8
    untrusted_up_to_tier: int = 2
    inferred_lifetime_days: int = 7
    item_importance_semantic: float = 0.7
    item_importance_episodic: float = 0.6
    default_confidence: float = 0.9
    # review
    review_due_hours: int = 24
    review_due_hours_top: int = 8
    patrol_share: float = 0.02
    patrol_share_important: float = 0.25
    undo_seconds: int = 60
    gated_agents: Sequence[str] = ()
    """Ids of agents whose every write waits for a person; moved by the patrol rule (changes.patrolling)."""
    question_lifetime_days: int = 7
    # recording
    unprocessed_events_per_owner: int = 2_000
    open_jobs_per_workspace: int = 10_000
    writes_per_hour_of_owner: int = 5_000
    writes_per_hour_of_agent: int = 100_000
    writes_per_hour_of_document: int = 500
    """Write quotas: so many at once, and so many an hour after that; 0 sets no limit."""
    # ranking (DESIGN 6.3)
    weight_meaning: float = 0.4
    weight_entity: float = 0.3
    weight_recency: float = 0.2
    weight_importance: float = 0.1
    recency_base: float = 0.9
    recency_period_days: float = 7.0
    cover_weight: float = 0.45
    # heat
    heat_decay_per_day: float = 0.12
    decision_decay_per_day: float = 0.02
    least_recalled_heat: float = 0.3
    cold_below_heat: float = 0.1
    # assembling
    top_k: int = 5
    budget_tokens: int = 800
    most_budget_tokens: int = 2_000
    rules_share_of_budget: float = 1 / 3
    recall_durability: str = "async"
    # documents
    stale_document_days: int = 90
    # sessions: a value lives so long after the last word about its context, a session without values so long after the last
    session_slot_minutes: int = 30
    session_idle_minutes: int = 60
    # how far a line of each layer is trusted; told with it
    confidence_session: float = 0.95
    confidence_user: float = 0.85
    confidence_policy: float = 0.70

    def as_values(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class CurrentPolicy:
    id: UUID | None
    policy: Policy


def current_policy(*, workspace_id: UUID) -> CurrentPolicy:
    """The policy in force in the workspace, and the id of its version (None: the defaults)."""
    version = PolicyVersion.objects.filter(workspace_id=workspace_id, is_current=True).first()
    if version is None:
        return CurrentPolicy(id=None, policy=Policy())
    known = {field.name for field in fields(Policy)}
    return CurrentPolicy(
        id=version.id,
        policy=Policy(**{name: value for name, value in version.values.items() if name in known}),
    )
