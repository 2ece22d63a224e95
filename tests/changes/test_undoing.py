"""Taking a decision back within the undo time."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone

from memoryhub.changes.coming_due import run_due
from memoryhub.changes.deciding import approve, reject
from memoryhub.changes.undoing import undo
from memoryhub.exceptions import OwnProposal, TooLateToUndo
from memoryhub.models import Change, Review, Tombstone
from memoryhub.writing.source import Source
from tests.changes.test_deciding import (
    active_values,
    anna,
    ben,
    owner,
    proposed_allergy,
    proposed_rule,
    shown_to,
    source,
)

__all__ = ["anna", "ben", "owner", "source"]

pytestmark = pytest.mark.django_db


def test_a_rejection_taken_back_waits_again_without_its_tombstone(
    owner: UUID, source: Source, anna: User
) -> None:
    review = proposed_allergy(owner, source)
    reject(decider=shown_to(anna, review), reason_code="joke_or_sarcasm")
    undo(decider=shown_to(anna, review))
    review.refresh_from_db()
    assert (review.state, review.outcome) == ("open", "")
    assert Change.objects.of(owner).get().state == "proposed"
    assert Tombstone.objects.of(owner).get().lifted_at is not None
    approve(decider=shown_to(anna, review))
    assert active_values(owner) == ["坚果"]


def test_an_approval_taken_back_is_rolled_back_and_proposed_afresh(
    owner: UUID, source: Source, anna: User
) -> None:
    review = proposed_allergy(owner, source)
    approve(decider=shown_to(anna, review))
    fresh = undo(decider=shown_to(anna, review)).review
    assert active_values(owner) == []
    assert (fresh.id != review.id, fresh.state) == (True, "open")
    approve(decider=shown_to(anna, fresh))
    assert active_values(owner) == ["坚果"]


def test_an_edit_taken_back_leaves_the_proposal(owner: UUID, source: Source, anna: User) -> None:
    review = proposed_allergy(owner, source)
    approve(decider=shown_to(anna, review), edited="花生")
    fresh = undo(decider=shown_to(anna, review)).review
    assert active_values(owner) == []
    change = Change.objects.of(owner).get(id=fresh.change_id)
    assert (change.after or {})["value"] == "坚果"


def test_the_highest_class_taken_back_is_never_written(
    owner: UUID, source: Source, anna: User, ben: User
) -> None:
    review = proposed_rule(owner, source)
    approve(decider=shown_to(anna, review))
    approve(decider=shown_to(ben, review))
    undo(decider=shown_to(ben, review))
    with time_machine.travel(timezone.now() + timedelta(minutes=5)):
        run_due(workspace_id=source.workspace_id, now=timezone.now())
    assert active_values(owner) == []
    assert Review.objects.of(owner).get(id=review.id).first_user_id is None


def test_after_the_undo_time_it_is_a_rollback(owner: UUID, source: Source, anna: User) -> None:
    review = proposed_allergy(owner, source)
    reject(decider=shown_to(anna, review), reason_code="duplicate")
    with time_machine.travel(timezone.now() + timedelta(seconds=90)), pytest.raises(TooLateToUndo):
        undo(decider=shown_to(anna, review))


def test_only_who_decided_takes_it_back(owner: UUID, source: Source, anna: User, ben: User) -> None:
    review = proposed_allergy(owner, source)
    reject(decider=shown_to(anna, review), reason_code="duplicate")
    with pytest.raises(OwnProposal):
        undo(decider=shown_to(ben, review))
