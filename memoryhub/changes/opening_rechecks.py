"""Put live values before a person again: their evidence is to be looked at once more."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from memoryhub import audit
from memoryhub.changes.makers import makers_of
from memoryhub.changes.queueing import risk_of
from memoryhub.database.scope import scope
from memoryhub.models import AuditEntry, Change, Owner, Review
from memoryhub.policies import current_policy


@dataclass(kw_only=True, slots=True)
class Rechecks:
    """Per memory the review that was opened, or why none was: already_asked, owner_frozen, owner_erased, not_found."""

    review_ids: dict[UUID, UUID] = field(default_factory=dict)
    refused: dict[UUID, str] = field(default_factory=dict)


def reverify(*, workspace_id: UUID, owner_of: Mapping[UUID, UUID]) -> Rechecks:
    """Open a re-check for each of these memories (memory → owner); each is answered for, none stops the others."""
    if not owner_of:
        return Rechecks()
    with scope(workspace_id=workspace_id, owners=sorted(set(owner_of.values())), purpose="desk"):
        states = dict(Owner.objects.filter(id__in=set(owner_of.values())).values_list("id", "state"))
    closed = {Owner.State.FROZEN: "owner_frozen", Owner.State.ERASING: "owner_erased"}
    result = Rechecks()
    writable: dict[UUID, UUID] = {}
    for memory_id, owner_id in owner_of.items():
        state = states.get(owner_id)
        if state == Owner.State.ACTIVE:
            writable[memory_id] = owner_id
        else:
            result.refused[memory_id] = closed.get(Owner.State(state), "not_found") if state else "not_found"
    if not writable:
        return result
    owners = sorted(set(writable.values()))
    with scope(workspace_id=workspace_id, owners=owners, purpose="reverify", write=True):
        opened = open_rechecks(writable, workspace_id=workspace_id, reason="asked_by_staff")
    result.review_ids = opened.review_ids
    result.refused |= opened.refused
    return result


def open_rechecks(
    owner_of: Mapping[UUID, UUID], *, workspace_id: UUID, reason: str, added_risk: float = 0.0
) -> Rechecks:
    """A review per memory, unless one is open. Call inside a write scope of the owners.

    `reason` is noted in the audit log and, with `added_risk`, among the parts of the risk.
    """
    result = Rechecks()
    if not owner_of:
        return result
    owners = set(owner_of.values())
    made = makers_of(list(owner_of), owner_ids=owners)
    asked = _asked_already(made.values(), owners)
    hours = current_policy(workspace_id=workspace_id).policy.review_due_hours
    due_at = timezone.now() + timedelta(hours=hours)
    reviews: dict[UUID, Review] = {}
    for memory_id in owner_of:
        change = made.get(memory_id)
        if change is None:
            result.refused[memory_id] = "not_found"
        elif change.id in asked or change.id in reviews:
            result.refused[memory_id] = "already_asked"
        else:
            reviews[change.id] = _review(change, due_at, reason, added_risk)
            result.review_ids[memory_id] = reviews[change.id].id
    Review.objects.bulk_create(reviews.values(), ignore_conflicts=True)
    audit.record(*(_audited(review, reason) for review in reviews.values()))
    return result


def _audited(review: Review, reason: str) -> AuditEntry:
    return audit.entry(
        action="review.recheck_opened",
        workspace_id=review.workspace_id,
        owner_id=review.owner_id,
        object_kind="review",
        object_id=review.id,
        details={"change": str(review.change_id), "reason": reason},
    )


def _asked_already(changes: Collection[Change], owners: Collection[UUID]) -> set[UUID]:
    waiting = Review.objects.filter(
        owner_id__in=owners, change_id__in=[change.id for change in changes], kind=Review.Kind.RECHECK
    ).exclude(state=Review.State.DECIDED)
    return set(waiting.values_list("change_id", flat=True))


def _review(change: Change, due_at: datetime, reason: str, added_risk: float) -> Review:
    risk, parts = risk_of(change)
    return Review(
        owner_id=change.owner_id,
        workspace_id=change.workspace_id,
        change_id=change.id,
        kind=Review.Kind.RECHECK,
        risk=min(1.0, risk + added_risk),
        risk_parts=[*parts, (reason, added_risk)] if added_risk else parts,
        four_eyes=settings.FOUR_EYES,
        due_at=due_at,
    )
