"""When a provider is asked and when it is left alone; one row for all processes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memoryhub.language.breaker import (
    LONGEST_PAUSE,
    PROBE_LEASE,
    TRIP_AFTER,
    may_ask,
    note_answer,
    note_failure,
    state_of,
)
from memoryhub.models import ProviderState
from tests.threads import at_once

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
NAME = "models.example:m-1"


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def fail(times: int, *, at: datetime = NOON) -> ProviderState:
    for _ in range(times):
        note_failure(NAME, code="http_500", now=at)
    return ProviderState.objects.get(name=NAME)


def pause_of(row: ProviderState, since: datetime) -> float:
    assert row.open_until is not None
    return (row.open_until - since).total_seconds()


@pytest.mark.django_db
def test_a_provider_nobody_has_asked_may_be_asked() -> None:
    assert may_ask(NAME, now=NOON)
    assert state_of(None) == "ok"


@pytest.mark.django_db
def test_a_few_failures_degrade_and_several_in_a_row_open() -> None:
    row = fail(TRIP_AFTER - 1)
    assert (state_of(row), may_ask(NAME, now=NOON)) == ("degraded", True)
    row = fail(1)
    assert (state_of(row), may_ask(NAME, now=NOON), row.error_code) == ("down", False, "http_500")
    assert 11 <= pause_of(row, NOON) <= 15


@pytest.mark.django_db
def test_an_answer_between_failures_starts_the_count_anew() -> None:
    fail(TRIP_AFTER - 1)
    note_answer(NAME, now=NOON)
    assert state_of(fail(TRIP_AFTER - 1)) == "degraded"


@pytest.mark.django_db
def test_after_the_pause_one_asks_and_the_others_wait_for_what_it_finds() -> None:
    fail(TRIP_AFTER)
    assert [may_ask(NAME, now=later(20)) for _ in range(3)] == [True, False, False]
    note_answer(NAME, now=later(21))
    assert may_ask(NAME, now=later(22))
    assert state_of(ProviderState.objects.get()) == "ok"


@pytest.mark.django_db
def test_one_that_never_came_back_from_asking_does_not_close_the_door_for_ever() -> None:
    fail(TRIP_AFTER)
    assert may_ask(NAME, now=later(20))
    assert may_ask(NAME, now=later(21) + PROBE_LEASE)


@pytest.mark.django_db
def test_pauses_double_up_to_a_limit() -> None:
    now, pauses = NOON, []
    fail(TRIP_AFTER - 1)
    for _ in range(8):
        pauses.append(pause_of(fail(1, at=now), now))
        now += LONGEST_PAUSE
    assert pauses[:5] == sorted(pauses[:5])
    assert max(pauses) <= LONGEST_PAUSE.total_seconds()


@pytest.mark.django_db
def test_a_provider_that_says_when_to_come_back_is_left_alone_until_then() -> None:
    note_failure(NAME, code="http_429", retry_after=90, now=NOON)
    assert not may_ask(NAME, now=later(89))
    assert may_ask(NAME, now=later(91))


def test_of_many_who_ask_at_one_moment_one_is_let_through(committing_db: str) -> None:
    fail(TRIP_AFTER)
    answers = at_once(10, lambda _: may_ask(NAME, now=later(30)))
    assert sorted(map(bool, answers)) == [False] * 9 + [True]


def test_failures_noted_at_one_moment_are_all_counted(committing_db: str) -> None:
    at_once(10, lambda _: note_failure(NAME, code="timeout", now=NOON))
    assert ProviderState.objects.get().failures == 10
