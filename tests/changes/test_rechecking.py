"""A person decides about a value that is live: it stands, or it is taken back and stays away."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from memoryhub.changes.evidence import approval_token, standing_of, standings_of
from memoryhub.changes.rechecking import reaffirm, retract
from memoryhub.exceptions import (
    DecisionVersionMissing,
    EvidenceMismatch,
    InvalidInput,
    OwnProposal,
    ReviewMoved,
    WrongMove,
)
from memoryhub.models import Change, MemoryItem, Review, ReviewStep, Tombstone
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_memory
from tests.changes.test_deciding import anna, ben, owner, proposed_allergy, shown_to, source

__all__ = ["anna", "ben", "owner", "source"]

pytestmark = pytest.mark.django_db

OFFICE: dict[str, Any] = {"item_kind": "semantic", "subject_entity": "office", "attribute": "city"}


def lives_in(owner: UUID, source: Source, city: str) -> Change:
    verdict = write_memory(
        owner_id=owner, content=f"The office is in {city}", value=city, source=source, **OFFICE
    )
    assert verdict.outcome in ("stored", "superseded") and verdict.change_id is not None
    return Change.objects.of(owner).get(id=verdict.change_id)


def review_of(change: Change, kind: str = "patrol", **columns: Any) -> Review:
    return Review.objects.create(
        owner_id=change.owner_id, workspace_id=change.workspace_id, change_id=change.id, kind=kind, risk=0.3,
        due_at=timezone.now(), **columns,
    )  # fmt: skip


def live(owner: UUID) -> list[str]:
    rows = MemoryItem.objects.of(owner).filter(status="active").order_by("seq")
    return list(rows.values_list("content", flat=True))


def test_a_yes_changes_nothing_but_the_review(owner: UUID, source: Source, anna: User) -> None:
    review = review_of(lives_in(owner, source, "Lisbon"))
    reaffirm(decider=shown_to(anna, review))
    review.refresh_from_db()
    assert (review.state, review.outcome, review.decided_by_id) == ("decided", "reaffirmed", anna.id)
    assert live(owner) == ["The office is in Lisbon"]


def test_a_no_takes_the_value_back_and_it_stays_away(owner: UUID, source: Source, anna: User) -> None:
    lives_in(owner, source, "Lisbon")
    review = review_of(lives_in(owner, source, "Porto"), kind="recheck")
    retract(decider=shown_to(anna, review), reason_code="joke_or_sarcasm")
    review.refresh_from_db()
    assert (review.state, review.outcome) == ("decided", "retracted")
    assert live(owner) == ["The office is in Lisbon"]
    assert Change.objects.of(owner).get(id=review.change_id).state == "reverted"
    assert ReviewStep.objects.of(owner).get().reason_code == "joke_or_sarcasm"
    assert Tombstone.objects.of(owner).filter(lifted_at=None).exists()
    again = write_memory(
        owner_id=owner, content="The office is in Porto", value="Porto", source=source, **OFFICE
    )
    assert (again.outcome, again.code) == ("refused", "rejected_before")


def test_a_value_that_others_built_on_is_a_case_for_the_rollback_page(
    owner: UUID, source: Source, anna: User
) -> None:
    review = review_of(lives_in(owner, source, "Lisbon"))
    decider = shown_to(anna, review)
    lives_in(owner, source, "Porto")
    with pytest.raises((WrongMove, ReviewMoved)):
        retract(decider=decider, reason_code="duplicate")
    with pytest.raises(WrongMove):
        retract(decider=shown_to(anna, review), reason_code="duplicate")
    review.refresh_from_db()
    assert (review.state, live(owner)) == ("open", ["The office is in Porto"])


def test_what_is_refused(owner: UUID, source: Source, anna: User) -> None:
    review = review_of(lives_in(owner, source, "Lisbon"), responsible_user_id=None)
    with pytest.raises(DecisionVersionMissing):
        reaffirm(decider=shown_to(anna, review, version=None))
    with pytest.raises(ReviewMoved):
        reaffirm(decider=shown_to(anna, review, version=7))
    with pytest.raises(InvalidInput):
        retract(decider=shown_to(anna, review), reason_code="nonsense")
    with pytest.raises(InvalidInput):
        retract(decider=shown_to(anna, review), reason_code="other")
    with pytest.raises(WrongMove):
        reaffirm(decider=shown_to(anna, proposed_allergy(owner, source)))


def test_nobody_reaffirms_what_he_answers_for(owner: UUID, source: Source, anna: User) -> None:
    mine = Source(
        workspace_id=source.workspace_id, trust_tier=3, agent_id=source.agent_id, responsible_user_id=anna.id
    )
    review = review_of(lives_in(owner, mine, "Lisbon"), responsible_user_id=anna.id)
    with pytest.raises(OwnProposal):
        reaffirm(decider=shown_to(anna, review))
    with pytest.raises(OwnProposal):
        retract(decider=shown_to(anna, review), reason_code="duplicate")
    assert live(owner) == ["The office is in Lisbon"]


def test_words_that_are_gone_cannot_be_reaffirmed(owner: UUID, source: Source, anna: User) -> None:
    change = lives_in(owner, source, "Lisbon")
    copied = Change.objects.create(
        owner_id=owner, workspace_id=change.workspace_id, change_set_id=change.change_set_id, action="create",
        target_kind="item", after=change.after, quote="words without an event", state="applied",
        importance=0.7, confidence=0.9, trust_tier=3, basis="stated",
    )  # fmt: skip
    with pytest.raises(EvidenceMismatch):
        reaffirm(decider=shown_to(anna, review_of(copied)))


def test_many_standing_values_are_found_as_one_by_one(owner: UUID, source: Source) -> None:
    lives_in(owner, source, "Lisbon")
    changes = [lives_in(owner, source, "Porto")]
    for value in ("坚果", "花生"):
        changes.append(Change.objects.of(owner).get(id=proposed_allergy(owner, source, value).change_id))
    together = standings_of(changes)
    assert together == {change.id: standing_of(change) for change in changes}
    assert approval_token(review_of(changes[0]), changes[0], together[changes[0].id])
