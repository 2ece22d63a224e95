"""B42: two people say yes to two proposals for one memory in the same moment. One wins, the other looks again."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from memoryhub.changes.deciding import Decider, Decision, approve
from memoryhub.models import FieldVersion, MemoryItem, Review
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace
from tests.changes.test_deciding import review_of, shown_to
from tests.threads import at_once

ROUNDS = 6


def two_cities_as_sentences(owner: UUID, source: Source, low: Source) -> list[Review]:
    """A sentence that stands, and two proposals to replace it."""

    def write(city: str, by: Source) -> Review | None:
        verdict = write_memory(
            owner_id=owner,
            content=f"The office is in {city}",
            item_kind="semantic",
            subject_entity="office",
            attribute="city",
            value=city,
            source=by,
        )
        return review_of(owner, verdict) if verdict.outcome == "in_review" else None

    write("Lisbon", source)
    return [review for city in ("Porto", "Faro") if (review := write(city, low))]


def two_cities_as_values(owner: UUID, source: Source, low: Source) -> list[Review]:
    """A value that stands, and two proposals to replace it."""

    def write(city: str, by: Source) -> Review | None:
        verdict = write_field(
            owner_id=owner, form_type="user_profile", field="location", value=city, source=by
        )
        return review_of(owner, verdict) if verdict.outcome == "in_review" else None

    write("Lisbon", source)
    return [review for city in ("Porto", "Faro") if (review := write(city, low))]


@pytest.mark.parametrize("propose", [two_cities_as_sentences, two_cities_as_values])
def test_two_proposals_for_one_memory_never_both_win(
    committing_db: str, propose: Callable[[UUID, Source, Source], list[Review]]
) -> None:
    source = make_source(make_workspace())
    low = make_source(workspace_id=source.workspace_id, trust_tier=2)
    people = [User.objects.create_user("anna"), User.objects.create_user("ben")]
    for _ in range(ROUNDS):
        owner = make_owner(source).id
        reviews = propose(owner, source, low)
        assert len(reviews) == 2
        shown = [shown_to(person, review) for person, review in zip(people, reviews, strict=True)]

        def decide(number: int, shown: list[Decider] = shown) -> Decision:
            return approve(decider=shown[number])

        answers = at_once(2, decide)
        assert sorted(type(answer).__name__ for answer in answers) == ["Decision", "ReviewMoved"], answers
        outcomes = Review.objects.of(owner).filter(kind="proposal").values_list("outcome", flat=True)
        assert sorted(outcomes) == ["", "approved"]
        model = MemoryItem if propose is two_cities_as_sentences else FieldVersion
        assert model.objects.of(owner).filter(status="active").count() == 1
