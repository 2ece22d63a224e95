"""The one as-of predicate means the same in Python, as a condition on a queryset and as SQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryhub.models import MemoryItem, as_of, as_of_sql, holds, new_id
from tests.builders import make_source, make_workspace
from tests.models.sound_rows import SOUND, World, make_world

START = datetime(2026, 3, 1, tzinfo=UTC)
# Few moments, so that bounds meet: at the very instant a value ends it has ended.
moments = st.integers(0, 5).map(lambda day: START + timedelta(days=day))
every_clock: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "valid_from": moments,
        "valid_until": st.none() | moments,
        "closed_at": st.none() | moments,
        "known_from": moments,
        "known_until": st.none() | moments,
    }
)


def ends_after_it_began(row: dict[str, Any]) -> bool:
    return row["valid_until"] is None or bool(row["valid_until"] >= row["valid_from"])


clocks = every_clock.filter(ends_after_it_began)
GRID = [START + timedelta(hours=12 * half) for half in range(-1, 12)]


@pytest.mark.django_db
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(clocks, min_size=1, max_size=12))
def test_the_three_forms_agree_on_every_row_and_moment(db: None, rows: list[dict[str, Any]]) -> None:
    with transaction.atomic():
        world = make_world(make_source(make_workspace()))
        made = [_item(world, number, values) for number, values in enumerate(rows, start=2)]
        MemoryItem.objects.bulk_create(made)
        for valid_at in GRID:
            for known_at in GRID[::3]:
                expected = {row.id for row in made if holds(row, valid_at=valid_at, known_at=known_at)}
                assert _by_condition(world, valid_at, known_at) == expected
                assert _by_statement(world, valid_at, known_at) == expected
        transaction.set_rollback(True)


def _item(world: World, number: int, values: dict[str, Any]) -> MemoryItem:
    sound = SOUND[MemoryItem](world) | {
        "seq": number,
        "status": "historical",
        "owner_id": world.owner_id,
        "workspace_id": world.workspace_id,
    }
    return MemoryItem(**sound | values)


def _by_condition(world: World, valid_at: datetime, known_at: datetime) -> set[Any]:
    found = MemoryItem.objects.of(world.owner_id).filter(
        as_of(valid_at=valid_at, known_at=known_at), seq__gt=1
    )
    return set(found.values_list("id", flat=True))


def _by_statement(world: World, valid_at: datetime, known_at: datetime) -> set[Any]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT i.id FROM memoryhub_memoryitem i WHERE i.owner_id = %(owner)s AND i.seq > 1 AND {as_of_sql('i')}",
            {"owner": world.owner_id, "valid_at": valid_at, "known_at": known_at},
        )
        return {row[0] for row in cursor.fetchall()}


def version(**clocks: Any) -> MemoryItem:
    return MemoryItem(id=new_id(), **{"valid_from": START, "known_from": START} | clocks)


@pytest.mark.parametrize("days", [0, 1, 100])
def test_an_open_row_holds_from_its_first_instant(days: int) -> None:
    later = START + timedelta(days=days)
    assert holds(version(), valid_at=later, known_at=later)
    before = START - timedelta(microseconds=1)
    assert not holds(version(), valid_at=before, known_at=later)
    assert not holds(version(), valid_at=later, known_at=before)


def test_a_row_does_not_hold_at_the_instant_it_ends() -> None:
    end, later = START + timedelta(days=1), START + timedelta(days=9)
    assert not holds(version(valid_until=end), valid_at=end, known_at=later)
    assert holds(version(valid_until=end), valid_at=end - timedelta(microseconds=1), known_at=later)
    assert not holds(version(known_until=end), valid_at=later, known_at=end)


def test_before_we_learned_of_the_end_the_row_still_held() -> None:
    end, learned = START + timedelta(days=1), START + timedelta(days=5)
    ended = version(valid_until=end, closed_at=learned)
    asked = START + timedelta(days=3)
    assert holds(ended, valid_at=asked, known_at=asked)
    assert not holds(ended, valid_at=asked, known_at=learned)
