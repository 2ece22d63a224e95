"""Carrying a settlement out on sentences: duplicates, chains, evidence, lifetimes and days that come."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from memoryhub.models import Change, ItemSource, MemoryItem, Owner, SearchEntry
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_memory
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)

type Write = Callable[..., Verdict]
type Items = Callable[[], list[MemoryItem]]


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


@pytest.fixture
def write(owner: Owner, source: Source) -> Write:
    def write(content: str, **given: Any) -> Verdict:
        told: dict[str, Any] = {"item_kind": "semantic", "source": source}
        return write_memory(owner_id=owner.id, content=content, **told | given)

    return write


@pytest.fixture
def tea(write: Write) -> Write:
    """A sentence about the owner's favourite tea."""

    def tea(value: str, **given: Any) -> Verdict:
        about = {"subject_entity": "owner", "attribute": "favourite tea", "value": value}
        return write(f"The favourite tea is {value}", **about | given)

    return tea


@pytest.fixture
def items(owner: Owner) -> Items:
    return lambda: list(MemoryItem.objects.of(owner.id).order_by("seq"))


def told(rows: list[MemoryItem]) -> list[tuple[str, str, int | None]]:
    return [(row.content.rsplit(" ", 1)[-1], row.status, row.superseded_by_seq) for row in rows]


def live(owner: Owner) -> set[str]:
    entries = SearchEntry.objects.of(owner.id).filter(kind="item", known_until=None)
    return {entry.text for entry in entries}


# --- duplicates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "again",
    [
        "The office is in Lisbon",
        "the office is in lisbon.",
        " The  office is in Lisbon! ",
        "Ｔhe office is in Lisbon",
    ],
)
def test_a_sentence_that_differs_in_form_only_is_the_same(write: Write, items: Items, again: str) -> None:
    first = write("The office is in Lisbon")
    second = write(again)
    assert (second.outcome, second.target_id) == ("reinforced", first.target_id)
    assert len(items()) == 1


@pytest.mark.parametrize(
    "other",
    [
        "The office is not in Lisbon",
        "The office 2 is in Lisbon",
        "The offices are in Lisbon",
        "办公室在里斯本",
    ],
)
def test_without_an_attribute_nothing_but_the_same_words_is_the_same(
    write: Write, items: Items, other: str
) -> None:
    write("The office is in Lisbon")
    assert write(other).outcome == "stored"
    assert {row.status for row in items()} == {"active"}


def test_kinds_do_not_mix(write: Write, items: Items) -> None:
    write("We met in Lisbon")
    assert write("We met in Lisbon", item_kind="episodic").outcome == "stored"
    assert len(items()) == 2


def test_further_events_become_evidence_once_each(write: Write, owner: Owner, source: Source) -> None:
    said = "The office is in Lisbon"
    events = [
        record_event(owner_id=owner.id, event=NewEvent(content=said), source=source).results[0].event_id
        for _ in range(3)
    ]
    for event_id in (*events, *events):
        write(said, evidence_event_id=event_id, quote=said)
    item = MemoryItem.objects.of(owner.id).get()
    assert item.event_id == events[0]
    assert set(ItemSource.objects.of(owner.id).values_list("event_id", flat=True)) == set(events[1:])
    assert item.confirmations == 0


def test_the_owner_confirms_once_a_day(write: Write, items: Items, owner: Owner, source: Source) -> None:
    said = "The office is in Lisbon"
    write(said, valid_from=timezone.now() - 3 * DAY)
    for _ in range(3):
        event = record_event(owner_id=owner.id, event=NewEvent(content=said), source=source).results[0]
        write(said, evidence_event_id=event.event_id, quote=said)
    assert items()[0].confirmations == 1


# --- chains -----------------------------------------------------------------------------------------------------------


def test_another_value_of_the_attribute_takes_the_place(tea: Write, items: Items, owner: Owner) -> None:
    tea("oolong", valid_from=NOON)
    tea("jasmine", valid_from=NOON + DAY)
    assert told(items()) == [("oolong", "superseded", 2), ("jasmine", "active", None)]
    assert items()[0].valid_until == NOON + DAY
    assert live(owner) == {"The favourite tea is jasmine"}


def test_a_changed_mind_that_changes_back_is_a_third_step(tea: Write, items: Items) -> None:
    for day, value in enumerate(["oolong", "jasmine", "oolong"]):
        tea(value, valid_from=NOON + day * DAY)
    assert told(items()) == [
        ("oolong", "superseded", 2),
        ("jasmine", "superseded", 3),
        ("oolong", "active", None),
    ]


def test_subjects_and_attributes_are_compared_normalised(tea: Write, items: Items) -> None:
    tea("oolong")
    tea("jasmine", subject_entity=" Owner", attribute="Favourite  Tea")
    assert [row.status for row in items()] == ["superseded", "active"]


def test_other_subjects_are_other_chains(tea: Write, items: Items) -> None:
    tea("oolong")
    tea("jasmine", subject_entity="Bea")
    assert [row.status for row in items()] == ["active", "active"]


def test_a_late_sentence_is_history_and_told_again_it_is_no_second_one(
    tea: Write, items: Items, owner: Owner
) -> None:
    tea("jasmine", valid_from=NOON)
    assert tea("oolong", valid_from=NOON - 9 * DAY).outcome == "historical"
    assert tea("oolong", valid_from=NOON - 8 * DAY).outcome == "reinforced"
    assert told(items()) == [("jasmine", "active", None), ("oolong", "historical", None)]
    assert items()[1].valid_until == NOON
    assert live(owner) == {"The favourite tea is jasmine"}


def test_a_lower_tier_proposes_and_changes_nothing(tea: Write, items: Items, source: Source) -> None:
    tea("oolong")
    low = make_source(workspace_id=source.workspace_id, trust_tier=2)
    verdict = tea("jasmine", source=low)
    assert (verdict.outcome, verdict.code) == ("in_review", "lower_trust")
    assert told(items()) == [("oolong", "active", None)]
    assert tea("jasmine", source=low).code == "already_proposed"


def test_a_changed_mind_keeps_both_sentences_in_the_change(tea: Write, owner: Owner) -> None:
    tea("oolong")
    verdict = tea("jasmine")
    assert verdict.change_id is not None
    change = Change.objects.of(owner.id).get(id=verdict.change_id)
    assert change.before is not None
    assert change.after is not None
    assert (change.before["content"], change.after["content"]) == (
        "The favourite tea is oolong",
        "The favourite tea is jasmine",
    )


# --- lifetimes and days that come -------------------------------------------------------------------------------------


def test_a_guess_holds_a_week_and_a_statement_takes_its_place(tea: Write, items: Items) -> None:
    tea("oolong", basis="inferred", valid_from=timezone.now() - DAY)
    (guess,) = items()
    assert guess.valid_until is not None
    assert timedelta(days=6) < guess.valid_until - timezone.now() <= timedelta(days=7)
    assert tea("oolong").code == "confirmed"
    assert [(row.status, row.basis) for row in items()] == [("superseded", "inferred"), ("active", "stated")]
    assert items()[1].valid_until is None


def test_a_sentence_that_ran_out_does_not_stand_in_the_way(write: Write, items: Items, owner: Owner) -> None:
    write("The office is in Lisbon", valid_from=NOON, valid_until=timezone.now() - DAY)
    assert write("The office is in Lisbon").outcome == "stored"
    assert [row.status for row in items()] == ["expired", "active"]
    assert live(owner) == {"The office is in Lisbon"}


def test_a_scheduled_sentence_stands_from_its_day(
    tea: Write, items: Items, owner: Owner, write: Write
) -> None:
    tea("oolong", valid_from=NOON)
    assert tea("jasmine", valid_from=timezone.now() + DAY).outcome == "scheduled"
    assert [row.status for row in items()] == ["active", "scheduled"]
    MemoryItem.objects.of(owner.id).filter(status="scheduled").update(valid_from=timezone.now() - DAY / 24)
    write("Something else")
    assert told(items())[:2] == [("oolong", "superseded", 2), ("jasmine", "active", None)]
    assert "The favourite tea is oolong" not in live(owner)
    assert tea("mint").outcome == "superseded"


def test_a_sentence_said_after_a_scheduled_one_was_is_history_on_its_day(
    tea: Write, items: Items, owner: Owner, write: Write
) -> None:
    tea("jasmine", valid_from=timezone.now() + DAY)
    tea("oolong", valid_from=NOON)
    MemoryItem.objects.of(owner.id).filter(status="scheduled").update(valid_from=timezone.now() - DAY / 24)
    write("Something else")
    assert told(items())[:2] == [("jasmine", "active", None), ("oolong", "historical", None)]


@pytest.mark.parametrize("given", [{"valid_from": NOON, "valid_until": NOON - DAY}, {"valid_until": NOON}])
def test_a_sentence_that_ends_before_it_begins_is_refused(
    write: Write, items: Items, given: dict[str, Any]
) -> None:
    verdict = write("The office is in Lisbon", **given)
    assert (verdict.outcome, verdict.code) == ("refused", "ends_before_it_begins")
    assert items() == []


def test_a_guess_about_later_holds_a_week_from_then(write: Write, items: Items) -> None:
    later = timezone.now() + 30 * DAY
    write("The office is in Lisbon", basis="inferred", valid_from=later)
    assert items()[0].valid_until == later + 7 * DAY
