from __future__ import annotations

from datetime import timedelta

from django.urls import reverse

from tests.reviews.conftest import Desk
from tests.reviews.rows import NOON, make_change, make_event, make_item, make_owner, make_version


def test_an_event_stands_between_its_neighbours(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    turns = [
        make_event(owner, f"turn {n}", session_ref="s", occurred_at=NOON + timedelta(minutes=n))
        for n in range(4)
    ]
    make_event(owner, "elsewhere", session_ref="other", occurred_at=NOON + timedelta(seconds=90))
    detail = desk.client().get(reverse("reviews:event", args=[owner.id, turns[2].id])).context["detail"]
    assert (detail.before.content, detail.after.content) == ("turn 1", "turn 3")


def test_events_of_one_moment_have_an_order(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    first, second, third = (make_event(owner, f"turn {n}", session_ref="s") for n in range(3))
    detail = desk.client().get(reverse("reviews:event", args=[owner.id, second.id])).context["detail"]
    assert (detail.before.id, detail.after.id) == (first.id, third.id)


def test_an_event_without_a_session_has_no_neighbours(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    event = make_event(owner)
    make_event(owner)
    detail = desk.client().get(reverse("reviews:event", args=[owner.id, event.id])).context["detail"]
    assert (detail.before, detail.after) == (None, None)


def test_it_shows_what_was_learned_and_marks_the_words(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    event = make_event(owner, "I live in Leeds and like tea")
    make_version(owner, "Leeds", event_id=event.id, quote="in Leeds", quote_start=7)
    make_item(owner, "likes tea", event_id=event.id, quote="like tea")
    make_change(owner, state="rejected", event_id=event.id, after={"value": "Mars"})
    page = desk.client().get(reverse("reviews:event", args=[owner.id, event.id])).content.decode()
    assert "I live <mark>in Leeds</mark> and <mark>like tea</mark>" in page
    assert "likes tea" in page
    assert "<ins>Mars</ins>" in page


def test_causes_and_effects_are_linked(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    cause = make_event(owner, "the budget is gone")
    effect = make_event(owner, "so plan B", caused_by_id=cause.id, reason="no money", alternatives=["C"])
    client = desk.client()
    of_cause = client.get(reverse("reviews:event", args=[owner.id, cause.id])).content.decode()
    of_effect = client.get(reverse("reviews:event", args=[owner.id, effect.id])).content.decode()
    assert "so plan B" in of_cause
    assert "the budget is gone" in of_effect
    assert "no money" in of_effect
