"""Two people and one review: who holds it, for how long, and that a decision never happens twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from memoryhub.changes.claims import LEASE, claim, claim_next, release, release_all
from memoryhub.changes.deciding import approve
from memoryhub.exceptions import ReviewMoved
from memoryhub.models import Change, FieldVersion, Review
from tests.builders import make_owner, make_source, make_workspace
from tests.changes.test_deciding import proposed_allergy, shown_to
from tests.threads import at_once


@pytest.mark.django_db
def test_a_claim_is_a_lease_that_the_holder_renews_and_others_wait_for() -> None:
    source = make_source(make_workspace())
    review = proposed_allergy(make_owner(source).id, source)
    anna, ben = User.objects.create_user("anna"), User.objects.create_user("ben")
    one = Review.objects.filter(owner_id=review.owner_id, id=review.id)
    now = timezone.now()
    assert claim(review=one, user_id=anna.id, now=now)
    assert not claim(review=one, user_id=ben.id, now=now)
    assert claim(review=one, user_id=anna.id, now=now + timedelta(minutes=4))
    assert not claim(review=one, user_id=ben.id, now=now + LEASE)
    assert claim(review=one, user_id=ben.id, now=now + timedelta(minutes=4) + LEASE)
    assert not release(owner_id=review.owner_id, review_id=review.id, user_id=anna.id)
    assert release_all(workspace_id=source.workspace_id, user_id=ben.id) == 1


@pytest.mark.django_db
def test_the_next_free_one_is_taken_in_the_order_of_the_queue() -> None:
    source = make_source(make_workspace())
    owner = make_owner(source).id
    low, high = proposed_allergy(owner, source, "鸡蛋"), proposed_allergy(owner, source, "坚果")
    Review.objects.of(owner).filter(id=high.id).update(risk=0.99)
    anna, ben = User.objects.create_user("anna"), User.objects.create_user("ben")
    queue = Review.objects.filter(workspace_id=source.workspace_id, state="open").order_by(
        "-risk", "created_at"
    )
    now = timezone.now()
    first = claim_next(queue=queue, user_id=anna.id, now=now)
    second = claim_next(queue=queue, user_id=ben.id, now=now)
    assert first is not None
    assert second is not None
    assert (first.id, second.id) == (high.id, low.id)
    third = User.objects.create_user("cleo")
    assert claim_next(queue=queue, user_id=third.id, now=now) is None


@pytest.mark.slow
def test_of_fifty_who_claim_one_gets_it_and_of_fifty_who_approve_one_does(committing_db: str) -> None:
    source = make_source(make_workspace())
    owner = make_owner(source).id
    review = proposed_allergy(owner, source)
    people = [User.objects.create_user(f"p{number}") for number in range(50)]
    shown = [shown_to(person, review) for person in people]

    def try_to_claim(number: int) -> bool:
        one = Review.objects.filter(owner_id=owner, id=review.id)
        return claim(review=one, user_id=people[number].id, now=timezone.now())

    def try_to_approve(number: int) -> bool:
        try:
            approve(decider=shown[number])
        except ReviewMoved:
            return False
        return True

    for attempt in (try_to_claim, try_to_approve):
        answers = at_once(50, attempt)
        assert sorted(answers, key=str) == [False] * 49 + [True], answers
    assert FieldVersion.objects.of(owner).filter(status="active").count() == 1
    assert Change.objects.of(owner).filter(state="applied").count() == 1
