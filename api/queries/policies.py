"""The versions that answer or answered agents, each with its open trial."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from api.pagination import Order
from memoryhub.models import PolicyTrial, PolicyVersion
from memoryhub.trial_moves import OPEN_STATES

NEWEST_FIRST = Order(fields=("number",), kinds=(int,))


def policies_of(workspace_id: UUID, asked: dict[str, Any]) -> QuerySet[PolicyVersion]:
    """Versions that were approved or are tried now; drafts and proposals are the desk's. Two statements for a page."""
    open_trials = PolicyTrial.objects.filter(state__in=OPEN_STATES).select_related("control")
    is_tried = Exists(open_trials.filter(version=OuterRef("id")))
    versions = PolicyVersion.objects.filter(
        Q(state=PolicyVersion.State.APPROVED) | is_tried, workspace_id=workspace_id
    )
    if "in_force" in asked:
        versions = versions.filter(is_current=asked["in_force"])
    return versions.select_related("based_on").prefetch_related(
        Prefetch("trials", open_trials, to_attr="open_trials")
    )
