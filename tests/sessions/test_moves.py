"""The state machine of a slot: every way in and out of `active`, as a pure decision."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memoryhub.exceptions import WrongMove
from memoryhub.sessions.moves import Move, Version, bring_back, remove_value, set_value

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def version(number: int, key: str, *, active: bool = False, minutes_left: int = 30) -> Version:
    ends = NOW + timedelta(minutes=minutes_left)
    return Version(number=number, value_key=key, is_active=active, expires_at=ends)


def test_the_first_value_is_set() -> None:
    assert set_value([], "pudong", said_by="user", now=NOW) == Move(kind="set", number=1)


def test_the_same_value_again_is_kept() -> None:
    history = [version(1, "pudong", active=True)]
    assert set_value(history, "pudong", said_by="user", now=NOW) == Move(kind="keep", number=1)


@pytest.mark.parametrize("said_by", ["user", "system"])
def test_another_value_deprecates_the_one_before_with_who_corrected_it(said_by: str) -> None:
    history = [version(1, "pudong", active=True)]
    move = set_value(history, "xuhui", said_by=said_by, now=NOW)  # type: ignore[arg-type]
    assert move == Move(kind="set", reason=f"{said_by}_correction", number=2)


def test_an_earlier_value_said_again_is_restored() -> None:
    history = [version(1, "pudong"), version(2, "xuhui", active=True)]
    assert set_value(history, "pudong", said_by="user", now=NOW) == Move(
        kind="restore", reason="restored", number=3, restored=1
    )


def test_a_value_whose_time_is_over_is_deprecated_as_that_whoever_speaks() -> None:
    history = [version(1, "pudong", active=True, minutes_left=0)]
    assert set_value(history, "xuhui", said_by="user", now=NOW).reason == "timeout"
    assert set_value(history, "pudong", said_by="user", now=NOW) == Move(
        kind="set", reason="timeout", number=2
    )


def test_going_back_means_the_value_before_the_standing_one() -> None:
    history = [version(1, "a"), version(2, "b"), version(3, "c", active=True)]
    assert bring_back(history, now=NOW) == Move(kind="restore", reason="restored", number=4, restored=2)
    assert bring_back(history, number=1, now=NOW).restored == 1


def test_going_back_twice_swaps_two_values() -> None:
    history = [version(1, "a"), version(2, "b"), version(3, "a", active=True)]
    assert bring_back(history, now=NOW).restored == 2


def test_there_must_be_an_earlier_value_to_go_back_to() -> None:
    for history, number in (
        ([], None),
        ([version(1, "a", active=True)], None),
        ([version(1, "a"), version(2, "b", active=True)], 7),
        ([version(1, "a"), version(2, "b", active=True)], 2),
    ):
        with pytest.raises(WrongMove):
            bring_back(history, number=number, now=NOW)


def test_a_slot_is_emptied_once() -> None:
    assert remove_value([version(1, "a", active=True)], said_by="user", now=NOW).reason == "user_correction"
    assert remove_value([version(1, "a")], said_by="user", now=NOW).kind == "nothing"
