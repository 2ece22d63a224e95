from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from memoryhub.changes.deciding import reject
from memoryhub.models import Review
from reviews.models import Viewing
from tests.reviews.conftest import Desk
from tests.reviews.reviewing import Reviewing, decider, page_of, reviewer


def ask(client: Any, review: Review, tag: str = "", version: int = 1) -> Any:
    headers = {"If-None-Match": tag} if tag else {}
    return client.get(page_of(review, "review_viewers"), {"version": version}, headers=headers)


def test_whoever_opens_the_page_sees_who_else_has_it_open(desk: Desk) -> None:
    world = Reviewing(desk)
    review, other = world.allergy(), world.allergy("花生")
    rita = desk.client(reviewer(desk))
    assert "has this open" not in rita.get(page_of(review)).content.decode()
    rita.get(page_of(other))
    assert "rita has this open too" in desk.client().get(page_of(review)).content.decode()
    desk.client(desk.viewer).get(page_of(review))
    assert "rita, vera have this open too" in ask(desk.client(), review).content.decode()
    rita.post("/logout/")
    assert "vera has this open too" in ask(desk.client(), review).content.decode()


def test_the_poll_answers_304_until_something_changes(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    client, rita = desk.client(), reviewer(desk)
    first = ask(client, review)
    assert (first.status_code, ask(client, review, first["ETag"]).status_code) == (200, 304)
    ask(desk.client(rita), review)
    second = ask(client, review, first["ETag"])
    assert second.status_code == 200
    assert "rita has this open too" in second.content.decode()
    assert second["Cache-Control"] == "no-store"
    reject(decider=decider(rita, review), reason_code="duplicate")
    third = ask(client, review, second["ETag"])
    assert "It has moved since this page was shown" in third.content.decode()
    assert ask(client, review, third["ETag"]).status_code == 304
    assert ask(client, review, third["ETag"], version=2).status_code == 200


def test_whoever_was_not_seen_for_three_polls_is_gone(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    rita = desk.client(reviewer(desk))
    rita.get(page_of(review))
    Viewing.objects.update(seen_at=timezone.now() - timedelta(seconds=46))
    assert "has this open" not in desk.client().get(page_of(review)).content.decode()
    rita.get(page_of(Reviewing(desk, ref="user-2").allergy()))
    assert Viewing.objects.filter(user__username="rita").count() == 1


def test_a_stranger_learns_nothing(desk: Desk) -> None:
    review = Reviewing(desk).allergy()
    assert ask(desk.client(desk.stranger), review).status_code == 404
    unknown = page_of(review, "review_viewers").replace(str(review.id), str(review.owner_id))
    assert desk.client().get(unknown).status_code == 404
    assert not Viewing.objects.exists()
