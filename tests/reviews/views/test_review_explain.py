from __future__ import annotations

from typing import Any

from django.urls import reverse

from memoryhub.models import Review
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, page_of


def explained(desk: Desk, review: Review) -> Any:
    response = desk.client(desk.viewer).get(page_of(review, "review_explain"))
    assert response.status_code == 200
    return response


def test_the_parts_add_up_to_the_risk_and_say_what_each_one_does(desk: Desk) -> None:
    world = Reviewing(desk)
    rule, plain = world.rule(), world.allergy()
    for review in (rule, plain):
        response = explained(desk, review)
        told = response.context["explained"]
        assert min(1.0, told.total) == review.risk
        assert {part.code for part in told.parts} >= set(told.change.gates)
        assert "half its importance" in response.content.decode()
    (gate,) = [
        part for part in explained(desk, plain).context["explained"].parts if part.code != "importance"
    ]
    assert (gate.code, gate.still_waits) == ("evidence_missing", False)
    page = explained(desk, plain).content.decode()
    assert "it would have gone live at once" in page
    assert "the defaults" in page or "version" in page


def test_the_place_is_the_one_in_the_queue(desk: Desk) -> None:
    world = Reviewing(desk)
    older, newer, rule = world.allergy(), world.allergy("花生"), world.rule()
    listed = [row.review.id for row in desk.client().get("/review/").context["page"].rows]
    for review in (older, newer, rule):
        told = explained(desk, review).context["explained"]
        assert (told.place, told.pending) == (listed.index(review.id) + 1, 3)
    Review.objects.of(world.owner.id).filter(id=older.id).update(state="deferred")
    assert "it has no place now" in explained(desk, older).content.decode()


def test_two_people_and_a_sample_are_explained(desk: Desk) -> None:
    world = Reviewing(desk)
    assert "a reviewed field of the highest importance" in explained(desk, world.rule()).content.decode()
    page = explained(desk, world.sample(world.live())).content.decode()
    assert "drawn as a sample" in page and "it would have gone live" not in page


def test_an_unknown_review_and_a_stranger_get_the_same_answer(desk: Desk) -> None:
    world = Reviewing(desk)
    review = world.allergy()
    unknown = reverse("reviews:review_explain", args=[world.owner.id, world.owner.id])
    assert desk.client().get(unknown).status_code == 404
    assert desk.client(desk.stranger).get(page_of(review, "review_explain")).status_code == 404


def test_the_item_leads_to_it(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    assert (
        f'href="{page_of(review, "review_explain")}"' in desk.client().get(page_of(review)).content.decode()
    )
