"""`/review/<owner>/<review>/`: one review with all its evidence, and what may be done with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from memoryhub.changes import claims
from memoryhub.changes.asking import Labels, question_text
from memoryhub.changes.blast_radius import BlastRadius
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.database.scope import scope
from memoryhub.models import (
    Change,
    FieldDefinition,
    FieldVersion,
    MemoryItem,
    Owner,
    RejectReason,
    Review,
)
from memoryhub.policies import current_policy
from reviews.access import StaffRequest, may, owner_for, staff_page
from reviews.diffing import diff
from reviews.labels import WORDS
from reviews.lanes import columns
from reviews.queries.facts import field_definitions
from reviews.queries.review_item import ReviewItem, read_review
from reviews.review_actions import actions_for
from reviews.review_decisions import DEFERRALS
from reviews.roll_back import RollBackButton, roll_back_button
from reviews.undo_offers import offered_undo
from reviews.values import shown, told
from reviews.viewers import look_at
from reviews.views.review_queue import query_of
from reviews.zones import zone_named

SPARK_DAYS = 30
DIGITS = (*"123456789", "-", "=", "0")
"""Keys of the reasons after `r`, in the order of their words: the number row from 1 to =, and 0 for another reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused:
    """A decision that was not taken: its code and who did what meanwhile, and what had been typed."""

    code: str
    details: dict[str, Any] = field(default_factory=dict)
    action: str = ""
    note: str = ""
    edited: str | None = None

    @property
    def at(self) -> datetime | None:
        return datetime.fromisoformat(self.details["at"]) if self.details.get("at") else None


@require_GET
@staff_page()
def review_item(request: StaffRequest, owner_id: UUID, review_id: UUID) -> HttpResponse:
    owner = owner_for(request, owner_id)
    if "focus" in request.GET and may(request.roles, "reviewer"):
        claim_review(owner, review_id, user_id=request.user.pk, now=timezone.now())
    return show_review(request, owner, review_id)


def claim_review(owner: Owner, review_id: UUID, *, user_id: int, now: datetime) -> bool:
    """Take or renew the lease; False when somebody else holds it or it is decided."""
    with scope(workspace_id=owner.workspace_id, owners=[owner.id], purpose="desk"):
        one = Review.objects.of(owner.id).filter(id=review_id)
        return claims.claim(review=one, user_id=user_id, now=now)


def show_review(
    request: StaffRequest, owner: Owner, review_id: UUID, *, status: int = 200, refused: Refused | None = None
) -> HttpResponse:
    """The page; with `refused` it says why nothing was done and keeps what had been typed."""
    now = timezone.now()
    item = read_review(owner=owner, review_id=review_id, now=now)
    if item is None:
        raise Http404
    definitions = field_definitions(owner.workspace_id)
    definition = definitions.get(f"{item.change.form_type}.{item.change.field_name}")
    before, after = _texts(item, definition, owner.zone)
    draft = refused.edited if refused and refused.edited is not None else None
    left = _text({"value": item.left}, definition, owner.zone)
    policy = current_policy(workspace_id=owner.workspace_id).policy
    context = {
        "owner": owner,
        "item": item,
        "review": item.review,
        "change": item.change,
        "definitions": definitions,
        "definition": definition,
        "before": before,
        "after": after,
        "pieces": diff(before, after),
        "left_pieces": diff(after, left) if left else None,
        "draft": _editable(item.change, item.left) if draft is None else draft,
        "draft_pieces": None if draft is None else diff(after, draft),
        "actions": actions_for(item=item, owner=owner, roles=request.roles, user_id=request.user.pk),
        "reasons": [
            (code, DIGITS[n]) for n, code in enumerate(WORDS["reject_reason"]) if code in RejectReason
        ],
        "deferrals": list(DEFERRALS),
        "question": question_text(
            item.change,
            language=owner.language,
            labels=_labels(definition, owner.language),
        ),
        "policy": policy,
        "refused": refused,
        "now": now,
        "focus": "focus" in request.GET,
        "query": query_of(request.GET),
        "undo": offered_undo(request, now=now),
        "button": _roll_back(request, item, definition),
        "spark": columns(served_per_day(item.radius, zone=request.workspace.time_zone, now=now)),
        "viewers": look_at(review_id=review_id, user_id=request.user.pk, now=now),
    }
    return render(request, "reviews/review_item.html", context, status=status)


def served_per_day(radius: BlastRadius, *, zone: str, now: datetime) -> list[tuple[str, int]]:
    """Recalls that told it on each of the last SPARK_DAYS days of the workspace's calendar, by ISO date."""
    local = zone_named(zone)
    first = {line.recall_id: line.at.astimezone(local).date() for line in reversed(radius.lines)}
    counted = Counter(first.values())
    today = now.astimezone(local).date()
    days = [today - timedelta(days=number) for number in reversed(range(SPARK_DAYS))]
    return [(day.isoformat(), counted[day]) for day in days]


def _labels(definition: FieldDefinition | None, language: str) -> Labels:
    """How the field in hand is called to its owner."""
    if definition is None:
        return {}
    label = definition.label_zh if language.startswith("zh") else definition.label_en
    return {(definition.form_type.name, definition.name): label}


def _roll_back(
    request: StaffRequest, item: ReviewItem, definition: FieldDefinition | None
) -> RollBackButton | None:
    """Once it is decided, the way back: the change it put in force, else whatever else the decision wrote."""
    owners = (item.review.owner_id,)
    written = tuple(step.change_set_id for step, _name in item.steps if step.change_set_id)
    if item.review.state != Review.State.DECIDED:
        return None
    if item.change.state == Change.State.APPLIED:
        wrote = RollbackScope(change_ids=(item.change.id,), owner_ids=owners)
    elif written:
        wrote = RollbackScope(change_set_ids=written, owner_ids=owners)
    else:
        return None
    return roll_back_button(request, wrote, field=definition)


def _texts(item: ReviewItem, definition: FieldDefinition | None, zone: str) -> tuple[str, str]:
    """What holds now and what would hold, as text; '' for nothing. Of a live value: what it replaced, and it."""
    change = item.change
    is_live = item.review.kind != Review.Kind.PROPOSAL or change.state == Change.State.APPLIED
    before = change.before
    if not is_live:
        match item.standing:
            case FieldVersion(value=value):
                before = {"value": value}
            case MemoryItem(content=content):
                before = {"content": content}
    return _text(before, definition, zone), _text(change.after, definition, zone)


def _text(stored: Any, definition: FieldDefinition | None, zone: str) -> str:
    if not stored or stored.get("value", stored.get("content")) is None:
        return ""
    return told(stored, definition, zone)


def _editable(change: Change, left: Any) -> str:
    """The proposed value, or what the first of two people made of it, as it is typed into a field of the edit form."""
    value = (change.after or {}).get("value", (change.after or {}).get("content")) if left is None else left
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else "" if value is None else shown(value)
