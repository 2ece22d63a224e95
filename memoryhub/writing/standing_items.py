"""What stands of an owner's sentences when one comes in. Read in the owner's turn; nothing is written here."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.db.models import QuerySet

from memoryhub.language.values import normalise_value
from memoryhub.models import MemoryItem
from memoryhub.writing.acts import Act
from memoryhub.writing.arbitration import Claim, Standing
from memoryhub.writing.candidates import ItemCandidate

Status = MemoryItem.Status


def content_digest(content: str) -> str:
    """What an exact duplicate means: the digest of the normalised sentence."""
    return hashlib.sha256(normalise_value(content, "text").encode("utf-8", "surrogatepass")).hexdigest()


def is_over(item: MemoryItem, now: datetime) -> bool:
    """Still marked active, though its time is over."""
    return item.valid_until is not None and item.valid_until <= now


def same_content(candidate: ItemCandidate, act: Act) -> list[MemoryItem]:
    return list(
        MemoryItem.objects.of(act.owner.id).filter(
            kind=candidate.item_kind, content_norm=content_digest(candidate.content), status=Status.ACTIVE
        )
    )


def same_attribute(candidate: ItemCandidate, act: Act) -> list[MemoryItem]:
    if not candidate.attribute:
        return []
    return list(_chain(candidate, act).filter(status=Status.ACTIVE))


def told_before(candidate: ItemCandidate, claim: Claim, act: Act) -> MemoryItem | None:
    """An ended sentence that says the same of the same time: a late fact that is told again."""
    same = _chain(candidate, act).filter(
        content_norm=content_digest(candidate.content),
        known_until=None,
        valid_from__lte=claim.valid_from,
        valid_until__gt=claim.valid_from,
    )
    return same.exclude(status__in=[Status.ACTIVE, Status.SCHEDULED]).first()


def _chain(candidate: ItemCandidate, act: Act) -> QuerySet[MemoryItem]:
    return MemoryItem.objects.of(act.owner.id).filter(
        subject_entity=normalise_value(candidate.subject_entity, "text"),
        attribute=normalise_value(candidate.attribute, "text"),
    )


def as_standing(item: MemoryItem | None) -> Standing | None:
    if item is None:
        return None
    return Standing(
        norm=item.value_key,
        valid_from=item.valid_from,
        confidence=item.confidence,
        trust_tier=item.trust_tier,
        text=item.content,
        is_guess=item.basis == "inferred",
        by_staff=item.basis == "staff",
    )
