from __future__ import annotations

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from tests.reviews.conftest import Desk
from tests.reviews.rows import make_change, make_event, make_item, make_owner, make_version


def test_each_value_says_where_it_came_from(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    event = make_event(owner, "Well, I live in Leeds now")
    make_version(owner, "Leeds", event_id=event.id, quote="I live in Leeds", quote_start=6, basis="corrected")
    page = desk.client().get(reverse("reviews:owner", args=[owner.id])).content.decode()
    assert "Location" in page
    assert "Well, <mark>I live in Leeds</mark> now" in page
    assert "corrected · user" in page
    assert reverse("reviews:event", args=[owner.id, event.id]) in page


def test_a_quote_that_the_event_does_not_hold_is_said(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    event = make_event(owner, "I moved")
    make_version(owner, "Leeds", event_id=event.id, quote="I live in Leeds")
    page = desk.client().get(reverse("reviews:owner", args=[owner.id])).content.decode()
    assert "These words are not in the event as it stands." in page


def test_superseded_values_are_not_facts(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    old = make_version(owner, "York")
    make_version(owner, "Leeds", supersedes=old)
    response = desk.client().get(reverse("reviews:owner", args=[owner.id]))
    (form,) = response.context["facts"].forms
    assert [(fact.version.value, fact.versions) for fact in form.facts] == [("Leeds", 2)]
    assert "York" not in response.content.decode()


def test_forms_of_one_type_stand_apart_by_subject(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    for subject in ("office", "home"):
        make_version(owner, f"{subject} street", field="contact.address", subject=subject)
    forms = desk.client().get(reverse("reviews:owner", args=[owner.id])).context["facts"].forms
    assert [form.form.subject for form in forms] == ["home", "office"]


def test_what_waits_for_a_person_is_not_shown_as_a_fact(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    make_change(
        owner,
        state="proposed",
        before={"value": "York", "version": 1},
        after={"value": "Leeds", "norm": "leeds"},
    )
    response = desk.client().get(reverse("reviews:owner", args=[owner.id]))
    assert response.context["facts"].forms == []
    assert "<del>York</del>" in response.content.decode()
    assert "<ins>Leeds</ins>" in response.content.decode()


def test_labels_are_in_the_readers_language(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    make_version(owner, "Leeds")
    client = desk.client()
    client.cookies["django_language"] = "zh-hans"
    page = client.get(reverse("reviews:owner", args=[owner.id])).content.decode()
    assert "所在城市" in page
    assert "1 个版本" in page


def test_the_age_of_what_is_believed_is_counted_by_when_it_was_last_said(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    now = timezone.now()
    make_version(
        owner, "Leeds", known_from=now - timedelta(days=100), last_confirmed_at=now - timedelta(days=3)
    )
    make_version(owner, "York", field="contact.address", known_from=now - timedelta(days=400))
    make_item(owner, "likes tea", known_from=now)
    make_item(owner, "liked coffee", known_from=now, status="retracted")
    answer = desk.client().get(reverse("reviews:owner", args=[owner.id]))
    bands = {band.code: (band.fields, band.items) for band, _column in answer.context["ages"]}
    assert {code: counts for code, counts in bands.items() if any(counts)} == {
        "day": (0, 1), "week": (1, 0), "older": (1, 0),
    }  # fmt: skip
    assert "How old it is" in answer.content.decode()
    empty = make_owner(desk.workspace, "new")
    assert (
        "How old it is" not in desk.client().get(reverse("reviews:owner", args=[empty.id])).content.decode()
    )
