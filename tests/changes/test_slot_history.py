"""The replay of a slot: what stands after which changes, and after leaving some of them out."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memoryhub.changes.slot_history import SlotState, Step, replay
from memoryhub.models import new_id
from tests.changes.world import day

E, P, L = new_id(), new_id(), new_id()
NOW = day(100)


def step(action: str, target: UUID | None, begins: float | None = None, at: float = 50, **given: Any) -> Step:
    return Step(
        change_id=new_id(),
        at=day(at),
        action=action,
        target=target,
        valid_from=None if begins is None else day(begins),
        **given,
    )


def after(*steps: Step, without: tuple[Step, ...] = (), now: datetime = NOW) -> SlotState:
    effective = frozenset(s.change_id for s in steps) - {s.change_id for s in without}
    return replay(steps, effective=effective, now=now)


def told(state: SlotState) -> dict[str, tuple[float, float | None, bool]]:
    """Per value: since, until (days), and whether it stands."""
    names = {E: "E", P: "P", L: "L"}

    def days(moment: datetime | None) -> float | None:
        return None if moment is None else (moment - day(0)).days

    return {
        names[b.row]: (days(b.valid_from) or 0, days(b.valid_until), b.standing)
        for b in state.beliefs.values()
    }


CREATE = step("create", E, 0)
POISON = step("supersede", P, 1, before=E)
LATER = step("supersede", L, 2, before=P)


def test_a_newer_value_ends_the_one_before_it() -> None:
    assert told(after(CREATE, POISON)) == {"E": (0, 1, False), "P": (1, None, True)}


def test_without_the_poison_the_earlier_value_stands() -> None:
    assert told(after(CREATE, POISON, without=(POISON,))) == {"E": (0, None, True)}


def test_without_the_poison_a_later_edit_follows_the_earlier_value() -> None:
    assert told(after(CREATE, POISON, LATER, without=(POISON,))) == {"E": (0, 2, False), "L": (2, None, True)}


def test_a_correction_takes_back_what_it_corrects() -> None:
    fix = step("correct", L, 1, before=P)
    assert told(after(CREATE, POISON, fix)) == {"E": (0, 1, False), "L": (1, None, True)}
    assert told(after(CREATE, POISON, fix, without=(POISON,))) == {"E": (0, 1, False), "L": (1, None, True)}
    assert told(after(CREATE, POISON, fix, without=(fix,))) == told(after(CREATE, POISON))


def test_a_removal_ends_what_stands_whoever_wrote_it() -> None:
    removal = step("remove", P, before=P, ends=day(3))
    state = after(CREATE, POISON, removal, without=(POISON,))
    assert told(state) == {"E": (0, 3, False)}
    assert state.closed_by == removal.change_id


def test_a_removal_of_the_future_leaves_the_value_until_then() -> None:
    removal = step("remove", E, before=E, ends=day(200))
    assert told(after(CREATE, removal)) == {"E": (0, 200, True)}


def test_a_retraction_is_about_its_value_only() -> None:
    retraction = step("retract", P, before=P)
    assert told(after(CREATE, POISON, retraction)) == {"E": (0, 1, False)}
    assert told(after(CREATE, POISON, retraction, without=(POISON,))) == {"E": (0, None, True)}


def test_a_late_fact_ends_where_the_next_begins_and_stands_when_none_does() -> None:
    late = step("record_late", L, 0.5)
    assert told(after(POISON, late)) == {"P": (1, None, True), "L": (0, 1, False)}
    assert told(after(POISON, late, without=(POISON,))) == {"L": (0, None, True)}


def test_a_field_value_from_before_the_last_end_is_late_and_a_sentence_is_not() -> None:
    ended = step("remove", E, before=E, ends=day(9))
    early = step("create", L, 5)
    assert told(after(CREATE, ended, early))["L"] == (5, 9, False)
    assert told(after(CREATE, ended, replace(early, is_field=False)))["L"] == (5, None, True)


def test_a_scheduled_value_opens_on_its_day_unless_nobody_opened_it_yet() -> None:
    planned = step("schedule", P, 60)
    assert told(after(CREATE, planned, now=day(59))) == {"E": (0, None, True), "P": (60, None, False)}
    assert told(after(CREATE, planned)) == {"E": (0, 60, False), "P": (60, None, True)}
    waiting = replay(
        [CREATE, planned],
        effective=frozenset({CREATE.change_id, planned.change_id}),
        now=NOW,
        waiting=frozenset({P}),
    )
    assert told(waiting) == {"E": (0, None, True), "P": (60, None, False)}


def test_a_value_stands_no_longer_than_it_said_itself() -> None:
    short = replace(CREATE, valid_until=day(7))
    assert told(after(short)) == {"E": (0, 7, False)}
    assert told(after(short, step("create", L, 20))) == {"E": (0, 7, False), "L": (20, None, True)}


def test_an_approval_of_what_stands_changes_nothing_until_the_first_is_undone() -> None:
    again = step("create", E, 0)
    assert told(after(CREATE, again)) == told(after(CREATE)) == told(after(CREATE, again, without=(CREATE,)))


def test_confirmations_and_labels_start_from_before_the_first_touch() -> None:
    one = step("reinforce", E, confirmed_before=(0, None), confirmed_after=(1, "monday"))
    two = step("reinforce", E, confirmed_before=(1, "monday"), confirmed_after=(2, "tuesday"))
    same_day = step("reinforce", E, confirmed_before=(2, "tuesday"))
    assert after(CREATE, one, two, same_day).confirmed == {E: (2, "tuesday")}
    assert after(CREATE, one, two, without=(one,)).confirmed == {E: (1, "tuesday")}
    assert after(CREATE, one, two, without=(one, two)).confirmed == {E: (0, None)}
    edit = step("edit", E, labels_before={"entities": []}, labels_after={"entities": ["a"]})
    assert after(CREATE, edit).labels == {E: {"entities": ["a"]}}
    assert after(CREATE, edit, without=(edit,)).labels == {E: {"entities": []}}
