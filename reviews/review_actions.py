"""What a person may do with a review now. The server says it; the page only shows it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from memoryhub.models import Change, FieldDefinition, Owner, Review
from reviews.access import may
from reviews.queries.review_item import ReviewItem
from reviews.review_decisions import can_move

TICKED_FIRST_FROM = 0.7
"""From this risk on, approving is asked once more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Actions:
    """`hindrance` is the code of what keeps the person from deciding at all, '' when nothing does."""

    hindrance: str = ""
    approve: bool = False
    edit: bool = False
    defer: bool = False
    escalate: bool = False
    ask: bool = False
    merge: bool = False
    skip: bool = False
    take: bool = False
    release: bool = False
    asks_again: bool = False

    @property
    def decide(self) -> bool:
        return not self.hindrance


def actions_for(*, item: ReviewItem, owner: Owner, roles: Collection[str], user_id: int) -> Actions:
    """The actions of this person on this review. The services check all of it again."""
    review = item.review
    hindrance = _hindrance(review, owner, roles, user_id)
    if hindrance:
        return Actions(hindrance=hindrance)
    is_mine = bool(item.holder) and review.claimed_by_id == user_id
    is_proposal = review.kind == Review.Kind.PROPOSAL
    is_second = review.is_top_class and review.four_eyes and review.first_user_id == user_id
    return Actions(
        approve=item.evidence_holds and not is_second and can_move(review, "approve"),
        edit=is_proposal and item.evidence_holds and can_move(review, "edit") and _is_set(item.change),
        defer=can_move(review, "defer"),
        escalate=can_move(review, "escalate"),
        ask=is_proposal and can_move(review, "ask"),
        merge=is_proposal and bool(item.proposals or item.applied),
        skip=not review.is_top_class,
        take=not item.holder,
        release=is_mine,
        asks_again=review.is_top_class or review.risk >= TICKED_FIRST_FROM,
    )


def _hindrance(review: Review, owner: Owner, roles: Collection[str], user_id: int) -> str:
    if review.state == Review.State.DECIDED:
        return "decided"
    if not may(roles, "reviewer"):
        return "no_role"
    if owner.state != Owner.State.ACTIVE:
        return "owner_frozen"
    if review.four_eyes and review.responsible_user_id == user_id:
        return "own_proposal"
    return ""


def _is_set(change: Change) -> bool:
    """Whether the change sets a value in words of its own; what removes one has nothing to edit, and what has parts no one text."""
    after = change.after or {}
    if change.target_kind == Change.Target.RELATION or (change.candidate or {}).get("procedure"):
        return False
    return after.get("value") is not None or bool(after.get("content"))


def parse_edit(text: str, field: FieldDefinition | None) -> Any:
    """What a person typed as a value of the field; the service checks it like any other."""
    if field is None:
        return text
    match field.value_type:
        case FieldDefinition.ValueType.BOOLEAN:
            return {"true": True, "false": False}.get(text, text)
        case FieldDefinition.ValueType.NUMBER:
            try:
                number = float(text)
            except ValueError:
                return text
            return int(number) if number.is_integer() else number
    return text.strip()
