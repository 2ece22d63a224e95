"""The as-of bar: two clocks, read from the query string; what cannot be read is said and counts as now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from memoryhub.models import FieldVersion
from reviews.as_of import read_as_of
from tests.reviews.conftest import Desk
from tests.reviews.poisoned import START, poison


def read(query: str) -> tuple[datetime | None, datetime | None, bool]:
    found = read_as_of(QueryDict(query), zone="Asia/Shanghai")
    return found.valid_at, found.known_at, found.has_fault


def test_times_are_read_in_the_owners_zone_or_with_their_offset() -> None:
    eight = datetime(2026, 10, 3, 8, 0, tzinfo=UTC)
    assert read("") == (None, None, False)
    assert read("valid_at=2026-10-03T16:00") == (eight, None, False)
    assert read("known_at=2026-10-03T08:00:00%2B00:00") == (None, eight, False)
    assert read("known_at=2026-10-03T08:00:00+00:00") == (None, eight, False)


def test_what_is_no_time_or_not_known_yet_is_a_fault() -> None:
    for query in (
        "valid_at=yesterday",
        "known_at=2026-99-01",
        "known_at=2999-01-01T00:00",
        "valid_at=0001-01-01",
    ):
        assert read(query)[2] is True, query
        assert read(query)[:2] == (None, None), query
    ahead = read("valid_at=2999-01-01T00:00")
    assert ahead[0] is not None
    assert ahead[2] is False


def test_the_facts_are_those_of_then(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    page = reverse("reviews:owner", args=[told.owner.id])
    first, second = FieldVersion.objects.of(told.owner.id).order_by("version")
    before_second = first.known_from + (second.known_from - first.known_from) / 2
    assert "999999" in client.get(page).content.decode()
    believed = client.get(f"{page}?{urlencode({'known_at': before_second.isoformat()})}").content.decode()
    assert "You are looking at" in believed
    assert "6000" in believed
    assert "999999" not in believed
    true_then = client.get(f"{page}?{urlencode({'valid_at': (START + timedelta(hours=1)).isoformat()})}")
    assert "6000" in true_then.content.decode()
    nothing = client.get(f"{page}?valid_at=2020-01-01T00:00").content.decode()
    assert "6000" not in nothing


def test_the_timeline_ends_then_and_bad_times_are_said(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    page = reverse("reviews:timeline", args=[told.owner.id])
    everything = client.get(page).content.decode().count(" data-row")
    assert everything > 0
    early = (timezone.now() - timedelta(days=30)).isoformat()
    assert client.get(f"{page}?{urlencode({'known_at': early})}").content.decode().count(" data-row") == 0
    wrong = client.get(f"{page}?known_at=x").content.decode()
    assert "A time could not be read" in wrong
    assert wrong.count(" data-row") == everything
