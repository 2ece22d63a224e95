"""Relations that wait for a person: approved, taken back, rejected for good; and two people who are kept apart until somebody says."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.contrib.auth.models import User

from memoryhub.changes.deciding import Decider, approve, reject
from memoryhub.changes.evidence import approval_token, standing_of
from memoryhub.changes.undoing import undo
from memoryhub.exceptions import InvalidInput
from memoryhub.models import Change, Relation, Review
from memoryhub.writing.candidates import RelationCandidate, Verdict
from memoryhub.writing.source import Source
from memoryhub.writing.structured_relations import name_entity, write_relations
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db

LIKES = RelationCandidate(relation="dislikes", to_kind="product", to_name="tea")


@pytest.fixture
def web() -> Source:
    return make_source(make_workspace(), trust_tier=1)


@pytest.fixture
def owner(web: Source) -> UUID:
    return make_owner(web).id


def decider(user: User, review: Review) -> Decider:
    review.refresh_from_db()
    change = Change.objects.of(review.owner_id).get(id=review.change_id)
    return Decider(
        workspace_id=review.workspace_id,
        owner_id=review.owner_id,
        review_id=review.id,
        user_id=user.id,
        version=review.version,
        token=approval_token(review, change, standing_of(change)),
    )


def waiting(owner: UUID, verdict: Verdict) -> Review:
    assert verdict.outcome == "in_review" and verdict.change_id is not None
    return Review.objects.of(owner).get(change_id=verdict.change_id)


def active(owner: UUID) -> list[str]:
    return [row.content for row in Relation.objects.of(owner).filter(status="active").whole()]


def test_an_approved_relation_stands_until_the_decision_is_undone(owner: UUID, web: Source) -> None:
    anna = User.objects.create_user("anna")
    review = waiting(owner, write_relations(owner_id=owner, relations=[LIKES], source=web)[0])
    assert active(owner) == []
    with pytest.raises(InvalidInput):
        approve(decider=decider(anna, review), edited="the owner likes tea")
    decision = approve(decider=decider(anna, review))
    assert decision.verdict is not None and decision.verdict.kind == "relation"
    assert active(owner) == ["the owner dislikes tea"]
    again = undo(decider=decider(anna, review)).review
    assert active(owner) == []
    assert again.state == "open"
    reject(decider=decider(anna, again), reason_code="joke_or_sarcasm")
    assert write_relations(owner_id=owner, relations=[LIKES], source=web)[0].code == "rejected_before"


def test_two_people_become_one_only_by_a_persons_word(owner: UUID, web: Source) -> None:
    anna = User.objects.create_user("anna")
    agent = make_source(workspace_id=web.workspace_id)
    named = name_entity(owner_id=owner, kind="person", name="王伟", aliases=["小王"], source=agent)
    approve(decider=decider(anna, waiting(owner, named[0])))
    assert active(owner) == ["小王 is the same as 王伟"]
