"""B19: a backdated event is history, not news; the timeline is in the order things happened."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memoryhub.models import Event, FieldVersion, Owner
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.public_reports.telling import chain, outcomes, recalled, tell

pytestmark = pytest.mark.django_db

TRAIN, CAR = datetime(2024, 10, 2, tzinfo=UTC), datetime(2023, 11, 15, tzinfo=UTC)


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def test_b19_what_is_told_late_is_placed_before_what_stands(owner: Owner, source: Source) -> None:
    tell(owner, source, "I take the train to work now", occurred_at=TRAIN)
    (late,) = tell(owner, source, "I drive to work", occurred_at=CAR)
    assert outcomes(late) == ["historical"]
    assert chain(owner, "commute") == [("train", "active"), ("drive", "historical")]
    train, drive = FieldVersion.objects.of(owner.id).order_by("version")
    assert (drive.valid_from, drive.valid_until) == (CAR, TRAIN)
    assert (train.valid_from, train.valid_until) == (TRAIN, None)
    assert late.recorded_at > late.occurred_at

    in_order = FieldVersion.objects.of(owner.id).order_by("valid_from", "version")
    assert [version.value for version in in_order] == ["drive", "train"]
    assert "train" in recalled(owner, source, "how do I get to work", kinds=("form",))
    then = recalled(owner, source, "how do I get to work", kinds=("form",), valid_at=CAR + timedelta(days=30))
    assert "drive" in then
    assert "train" not in then


def test_b19_events_that_arrive_in_reverse_are_listed_as_they_happened(owner: Owner, source: Source) -> None:
    later, earlier = TRAIN + timedelta(milliseconds=300), TRAIN
    (second,) = tell(owner, source, "and sat down", occurred_at=later)
    (first,) = tell(owner, source, "I caught the train", occurred_at=earlier)
    assert second.recorded_at <= first.recorded_at
    listed = Event.objects.of(owner.id).order_by("occurred_at", "id")
    assert [event.id for event in listed] == [first.id, second.id]


def test_b19_two_values_300_ms_apart_that_arrive_in_reverse(owner: Owner, source: Source) -> None:
    tell(owner, source, "I take the train to work now", occurred_at=TRAIN + timedelta(milliseconds=300))
    tell(owner, source, "I drive to work", occurred_at=TRAIN)
    assert chain(owner, "commute") == [("train", "active"), ("drive", "historical")]
    drive = FieldVersion.objects.of(owner.id).get(value="drive")
    assert drive.valid_until == TRAIN + timedelta(milliseconds=300)
