"""One review with everything a person needs to decide it, read in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from memoryhub.changes.blast_radius import BlastRadius, blast_radius
from memoryhub.changes.evidence import approval_token, evidence_stands, standing_of
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.language.masking import locate_masked, mask_secrets
from memoryhub.models import (
    Agent,
    ApiKey,
    Change,
    Event,
    FieldVersion,
    MemoryItem,
    Owner,
    Review,
    ReviewStep,
)
from reviews.highlighting import Quote
from reviews.queries.promotions import PromotedFrom, promoted_from
from reviews.queries.review_queue import names_of
from reviews.queries.review_similar import Similar, similar_to
from reviews.queries.scopes import across
from reviews.values import shown

LEAST_FOR_A_RATE = 20
RATE_DAYS = 30
MOST_NEIGHBOURS = 12
MOST_EARLIER = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposer:
    """Who proposed it, and how the agent's reviews ended over the last 30 days."""

    agent: Agent | None
    key: ApiKey | None
    transport: str
    extractor: str
    """Which rules or model read it in the event; '' when it was written as it stands."""
    decided: int
    approved: int

    @property
    def rate(self) -> float | None:
        """Share of decided reviews that were approved; None when there are too few to say."""
        return self.approved / self.decided if self.decided >= LEAST_FOR_A_RATE else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """The event a quote is from, with the turn before and after it in its session."""

    event: Event
    before: Event | None
    after: Event | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Earlier:
    review: Review
    by: str
    reason_code: str
    note: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewItem:
    review: Review
    change: Change
    token: str
    evidence_holds: bool
    context: Context | None
    standing: FieldVersion | MemoryItem | None
    """What holds now where the change would write."""
    proposer: Proposer
    neighbours: Sequence[FieldVersion | MemoryItem]
    """Other live values of the same subject."""
    proposals: Sequence[Review]
    """Open reviews of other changes of the same subject."""
    applied: Sequence[Change]
    """Changes that wrote the live values of the same place: what this one may be the same as."""
    earlier: Sequence[Earlier]
    steps: Sequence[tuple[ReviewStep, str]]
    holder: str
    first_by: str
    decided_by: str
    radius: BlastRadius
    promoted: PromotedFrom | None
    """Whose memory is proposed here, when it came from another owner."""
    similar: Sequence[Similar]
    """Live memories in nearly the same words, beside those of the same subject."""

    @property
    def derived(self) -> int:
        """How many live memories rest on it."""
        return sum(value.via == "derived" and value.status == "active" for value in self.radius.values)

    @property
    def left(self) -> Any:
        """The text the first of two people left by his edit, for the second to agree to; None without one."""
        yeses = [step for step, _by in self.steps if step.action == "approve_first"]
        return yeses[-1].edited if yeses and self.review.first_user_id is not None else None

    @property
    def quotes(self) -> list[Quote]:
        """The quoted words as they stand in the event, whatever width or case they were quoted in."""
        if self.context is None or not self.change.quote:
            return []
        content, _ = mask_secrets(self.context.event.content)
        span = locate_masked(self.change.quote, content)
        return [(content[span[0] : span[1]], span[0])] if span else []


def read_review(*, owner: Owner, review_id: UUID, now: datetime) -> ReviewItem | None:
    """The review with its surroundings; None when the owner has none of this id."""
    with across(owner.workspace):
        review = (
            Review.objects.of(owner.id)
            .filter(id=review_id)
            .select_related("change__event", "change__change_set")
            .first()
        )
        if review is None:
            return None
        change = review.change
        standing_id = standing_of(change)
        live = _live(change)
        steps = list(ReviewStep.objects.of(owner.id).filter(review_id=review.id).order_by("at", "id"))
        earlier = _earlier(review)
        earlier_steps = _deciding_steps(earlier, owner=owner)
        people = names_of(
            [review.claimed_by_id, review.first_user_id, review.decided_by_id]
            + [step.user_id for step in (*steps, *earlier_steps)]
            + [row.decided_by_id for row in earlier]
        )
        found: dict[str, Any] = {
            "context": _context(change),
            "promoted": promoted_from(change),
            "proposer": _proposer(change, now),
            "proposals": list(_proposals(review)),
            "applied": list(_applied(change, live)),
        }
    last = {step.review_id: step for step in earlier_steps}
    return ReviewItem(
        review=review,
        change=change,
        token=approval_token(review, change, standing_id),
        evidence_holds=evidence_stands(change, change.event if change.event_id else None),
        standing=next((row for row in live if row.id == standing_id), None),
        neighbours=[row for row in live if row.id not in (standing_id, change.target_id)][:MOST_NEIGHBOURS],
        earlier=[_decision(row, last.get(row.id), people) for row in earlier],
        steps=[(step, people.get(step.user_id or 0, "")) for step in steps],
        holder=_holder(review, people, now),
        first_by=people.get(review.first_user_id or 0, ""),
        decided_by=people.get(review.decided_by_id or 0, ""),
        radius=_radius(change),
        similar=similar_to(
            owner=owner,
            text=_words(change),
            without={row.id for row in live} | {standing_id or change.id, change.target_id or change.id},
        ),
        **found,
    )


def _deciding_steps(reviews: Sequence[Review], *, owner: Owner) -> list[ReviewStep]:
    """The steps that decided these reviews, the oldest first."""
    steps = ReviewStep.objects.of(owner.id).filter(review_id__in=[row.id for row in reviews])
    deciding = steps.exclude(action__in=("skip", "defer", "escalate", "approve_first", "wait_afresh"))
    return list(deciding.order_by("at", "id"))


def _radius(change: Change) -> BlastRadius:
    scope = RollbackScope(change_ids=(change.id,), owner_ids=(change.owner_id,))
    return blast_radius(workspace_id=change.workspace_id, scope=scope)


def _words(change: Change) -> str:
    """What would be stored, as text."""
    after = change.after or {}
    value = after.get("content", after.get("value"))
    return "" if value is None else f"{change.form_subject} {shown(value)}"


def _holder(review: Review, people: dict[int, str], now: datetime) -> str:
    is_held = review.claim_expires_at is not None and review.claim_expires_at > now
    return people.get(review.claimed_by_id or 0, "") if is_held else ""


def _decision(review: Review, step: ReviewStep | None, people: dict[int, str]) -> Earlier:
    return Earlier(
        review=review,
        by=people.get(review.decided_by_id or 0, ""),
        reason_code=step.reason_code if step else "",
        note=step.note if step else "",
    )


def _context(change: Change) -> Context | None:
    event = change.event if change.event_id else None
    if event is None:
        return None
    if not event.session_ref:
        return Context(event=event, before=None, after=None)
    session = Event.objects.of(change.owner_id).filter(session_ref=event.session_ref)
    earlier = Q(occurred_at__lt=event.occurred_at) | Q(occurred_at=event.occurred_at, id__lt=event.id)
    later = Q(occurred_at__gt=event.occurred_at) | Q(occurred_at=event.occurred_at, id__gt=event.id)
    return Context(
        event=event,
        before=session.filter(earlier).order_by("-occurred_at", "-id").first(),
        after=session.filter(later).order_by("occurred_at", "id").first(),
    )


def _proposer(change: Change, now: datetime) -> Proposer:
    ended = Review.objects.filter(
        workspace_id=change.workspace_id,
        state=Review.State.DECIDED,
        decided_at__gte=now - timedelta(days=RATE_DAYS),
        change__agent_id=change.agent_id,
    ).exclude(outcome=Review.Outcome.WITHDRAWN)
    approving = (Review.Outcome.APPROVED, Review.Outcome.EDITED, Review.Outcome.REAFFIRMED)
    counted = ended.aggregate(n=Count("id"), yes=Count("id", filter=Q(outcome__in=approving)))
    change_set = change.change_set
    return Proposer(
        agent=Agent.objects.filter(id__in=[change.agent_id]).first(),
        key=ApiKey.objects.filter(id__in=[change_set.api_key_id]).first(),
        transport=change_set.transport,
        extractor=_extractor(change),
        decided=counted["n"],
        approved=counted["yes"],
    )


def _extractor(change: Change) -> str:
    """Kept with the event; a structured write that names an event as evidence was not read in it."""
    if change.event is None or change.change_set.act != "process_event":
        return ""
    return str((change.event.learned or {}).get("extractor", ""))


def subject_of(change: Change) -> str:
    """Whom or what a sentence is about, as the extractor read it."""
    return str((change.candidate or {}).get("subject_entity", "") or "")


def _live(change: Change) -> list[FieldVersion | MemoryItem]:
    """The live values of the subject: fields of the same form and subject, or sentences about the same thing."""
    if change.target_kind == Change.Target.FIELD_VERSION:
        versions = FieldVersion.objects.of(change.owner_id).filter(
            form__form_type__name=change.form_type,
            form__subject=change.form_subject,
            status=FieldVersion.Status.ACTIVE,
        )
        # The same field first: its values are the ones that may conflict.
        found = sorted(
            versions.select_related("field", "form__form_type").order_by("-version", "id")[:100],
            key=lambda row: row.field.name != change.field_name,
        )
        return list(found)
    items = MemoryItem.objects.of(change.owner_id).filter(status=MemoryItem.Status.ACTIVE)
    about = Q(id__in=[row for row in (change.before_id, change.target_id) if row])
    if subject := subject_of(change):
        about |= Q(subject_entity=subject)
    return list(items.filter(about).order_by("-seq")[:100])


def _same_subject(change: Change, prefix: str) -> Q:
    if change.target_kind == Change.Target.FIELD_VERSION:
        return Q(**{f"{prefix}form_type": change.form_type, f"{prefix}form_subject": change.form_subject})
    same = Q(**{f"{prefix}target_kind": Change.Target.ITEM})
    if subject := subject_of(change):
        return same & Q(**{f"{prefix}candidate__subject_entity": subject})
    content = (change.after or {}).get("content", "")
    return same & Q(**{f"{prefix}after__content": content})


def _proposals(review: Review) -> QuerySet[Review]:
    rows = Review.objects.of(review.owner_id).exclude(state=Review.State.DECIDED).exclude(id=review.id)
    rows = rows.filter(_same_subject(review.change, "change__")).select_related("change")
    return rows.order_by("-created_at", "-id")[:MOST_NEIGHBOURS]


def _applied(change: Change, live: Sequence[FieldVersion | MemoryItem]) -> QuerySet[Change]:
    rows = Change.objects.of(change.owner_id).filter(
        target_id__in=[row.id for row in live], state=Change.State.APPLIED
    )
    same_place = rows.filter(field_name=change.field_name).exclude(id=change.id)
    return same_place.order_by("-created_at", "-id")[:MOST_NEIGHBOURS]


def _earlier(review: Review) -> list[Review]:
    rows = Review.objects.of(review.owner_id).filter(state=Review.State.DECIDED).exclude(id=review.id)
    same = rows.filter(_same_subject(review.change, "change__"), change__field_name=review.change.field_name)
    return list(same.select_related("change").order_by("-decided_at", "-id")[:MOST_EARLIER])
