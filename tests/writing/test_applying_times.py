"""How long values hold, days that come, and times that make no sense."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryhub.models import (
    FieldVersion,
    Owner,
    SearchEntry,
)
from tests.writing.forms_told import DAY, NOON, Versions, Write, values


@pytest.mark.parametrize(
    ("name", "basis", "days"),
    [
        ("user_profile.location", "stated", None),
        ("user_profile.location", "inferred", 7),
        ("order.status", "observed", 180),
        ("order.status", "inferred", 7),
    ],
)
def test_how_long_a_value_holds_by_itself(
    write: Write, versions: Versions, name: str, basis: str, days: int | None
) -> None:
    before = timezone.now()
    write(name, "shipped", basis=basis)
    (version,) = versions()
    if days is None:
        assert version.valid_until is None
    else:
        assert version.valid_until is not None
        assert before + days * DAY <= version.valid_until <= timezone.now() + days * DAY


def test_a_value_that_ran_out_does_not_stand_in_the_way(
    write: Write, owner: Owner, versions: Versions
) -> None:
    ended = timezone.now() - DAY
    write("user_profile.location", "Lisbon", valid_from=NOON, valid_until=ended, confidence=1.0)
    verdict = write("user_profile.location", "Porto", confidence=0.7)
    assert verdict.outcome == "stored"
    assert values(versions()) == [("Lisbon", "expired"), ("Porto", "active")]
    assert versions()[0].valid_until == ended
    live = SearchEntry.objects.of(owner.id).filter(kind="field_version", known_until=None)
    assert [entry.target_id for entry in live] == [versions()[1].id]


def test_confirming_a_guess_makes_it_last(write: Write, versions: Versions) -> None:
    write("user_profile.location", "Lisbon", basis="inferred", valid_from=timezone.now() - DAY)
    write("user_profile.location", "Lisbon", said="I live in Lisbon")
    guess, stated = versions()
    assert (guess.status, guess.superseded_by_version) == ("superseded", 2)
    assert (stated.status, stated.basis, stated.valid_until) == ("active", "stated", None)


def test_a_guess_does_not_confirm_a_guess(write: Write, versions: Versions) -> None:
    for _ in range(2):
        write("user_profile.location", "Lisbon", basis="inferred", valid_from=timezone.now() - DAY)
    assert len(versions()) == 1


def test_a_value_that_is_scheduled_to_end_does_not_make_todays_value_history(
    write: Write, versions: Versions
) -> None:
    write("order.status", "delivered", valid_from=timezone.now() + DAY)
    assert write("order.status", "shipped").outcome == "stored"
    assert values(versions()) == [("delivered", "scheduled"), ("shipped", "active")]


def test_a_late_fact_ends_when_it_said_or_where_the_next_one_began(write: Write, versions: Versions) -> None:
    write("user_profile.location", "Lisbon", valid_from=NOON)
    write("user_profile.location", "Rome", valid_from=NOON - 9 * DAY, valid_until=NOON - 7 * DAY)
    write("user_profile.location", "Faro", valid_from=NOON - 2 * DAY, valid_until=NOON + 7 * DAY)
    assert [row.valid_until for row in versions()[1:]] == [NOON - 7 * DAY, NOON]


def test_a_late_fact_told_again_is_no_second_version(write: Write, versions: Versions) -> None:
    write("user_profile.location", "Lisbon", valid_from=NOON)
    assert write("user_profile.location", "Rome", valid_from=NOON - 9 * DAY).outcome == "historical"
    assert write("user_profile.location", "rome", valid_from=NOON - 8 * DAY).outcome == "reinforced"
    assert values(versions()) == [("Lisbon", "active"), ("Rome", "historical")]


def test_a_scheduled_value_does_not_lengthen_the_one_before_it(
    write: Write, owner: Owner, versions: Versions
) -> None:
    ended = timezone.now() - timedelta(hours=5)
    write("user_profile.location", "Lisbon", valid_from=NOON, valid_until=ended)
    write("user_profile.location", "Porto", valid_from=timezone.now() + DAY)
    make_due(owner, "Porto")
    write("user_profile.location", "Faro")
    assert (versions()[0].status, versions()[0].valid_until) == ("expired", ended)


def make_due(owner: Owner, value: str) -> None:
    """Let the day of a scheduled value have come an hour ago."""
    found = FieldVersion.objects.of(owner.id).filter(value=value, status="scheduled")
    assert found.update(valid_from=timezone.now() - timedelta(hours=1)) == 1


def test_a_scheduled_value_takes_the_place_of_the_standing_one_on_its_day(
    write: Write, owner: Owner, versions: Versions
) -> None:
    write("user_profile.location", "Lisbon", valid_from=NOON)
    write("user_profile.location", "Porto", valid_from=timezone.now() + DAY)
    make_due(owner, "Porto")
    write("user_profile.employer", "Acme")
    located = [row for row in versions() if row.value != "Acme"]
    assert values(located) == [("Lisbon", "superseded"), ("Porto", "active")]
    old = FieldVersion.objects.of(owner.id).get(value="Lisbon")
    assert (old.superseded_by_version, old.valid_until) == (
        2,
        FieldVersion.objects.of(owner.id).get(value="Porto").valid_from,
    )


def test_a_value_said_after_a_scheduled_one_came_due_is_newer_than_it(
    write: Write, owner: Owner, versions: Versions
) -> None:
    write("user_profile.location", "Lisbon", valid_from=NOON)
    write("user_profile.location", "Porto", valid_from=timezone.now() + DAY)
    make_due(owner, "Porto")
    assert write("user_profile.location", "Faro").outcome == "superseded"
    assert values(versions()) == [("Lisbon", "superseded"), ("Porto", "superseded"), ("Faro", "active")]


def test_two_scheduled_values_open_in_the_order_of_their_days(
    write: Write, owner: Owner, versions: Versions
) -> None:
    write("user_profile.location", "Second", valid_from=timezone.now() + 2 * DAY)
    write("user_profile.location", "First", valid_from=timezone.now() + DAY)
    for value, hours in (("Second", 1), ("First", 2)):
        FieldVersion.objects.of(owner.id).filter(value=value).update(
            valid_from=timezone.now() - timedelta(hours=hours)
        )
    write("user_profile.location", "Third")
    assert values(versions()) == [("Second", "superseded"), ("First", "historical"), ("Third", "active")]


@pytest.mark.parametrize("given", [{"valid_from": NOON, "valid_until": NOON - DAY}, {"valid_until": NOON}])
def test_a_value_that_ends_before_it_begins_is_refused(
    write: Write, versions: Versions, given: dict[str, Any]
) -> None:
    verdict = write("user_profile.location", "Lisbon", **given)
    assert (verdict.outcome, verdict.code) == ("refused", "ends_before_it_begins")
    assert versions() == []


def test_a_guess_about_later_holds_a_week_from_then(write: Write, versions: Versions) -> None:
    later = timezone.now() + 30 * DAY
    write("user_profile.location", "Lisbon", basis="inferred", valid_from=later)
    assert versions()[0].valid_until == later + 7 * DAY
