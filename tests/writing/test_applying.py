"""Carrying a settlement out on a form: versions, lifetimes, members, removals, days that come, and who waits for whom."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import Q
from django.utils import timezone

from memoryhub.jobs.tasks import run_job
from memoryhub.models import (
    Change,
    ChangeTransition,
    Event,
    FieldDefinition,
    FieldVersion,
    Owner,
    SearchEntry,
    as_of,
    new_id,
)
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)

type Write = Callable[..., Verdict]


@pytest.fixture
def source() -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


@pytest.fixture
def write(owner: Owner, source: Source) -> Write:
    """Write `form_type.field`; with `said` the words are recorded as the owner's turn and given as evidence."""

    def write(name: str, value: object, *, said: str = "", **given: Any) -> Verdict:
        form_type, field = name.split(".")
        writer = given.pop("source", source)
        if said:
            event = record_event(owner_id=owner.id, event=NewEvent(content=said), source=writer)
            given |= {"evidence_event_id": event.results[0].event_id, "quote": said}
        return write_field(
            owner_id=owner.id, form_type=form_type, field=field, value=value, source=writer, **given
        )

    return write


@pytest.fixture
def versions(owner: Owner) -> Callable[[], list[FieldVersion]]:
    return lambda: list(FieldVersion.objects.of(owner.id).order_by("version"))


def define(source: Source, name: str, **rules: Any) -> None:
    """Change a field of the workspace as staff would."""
    form_type, field = name.split(".")
    found = FieldDefinition.objects.filter(form_type__workspace_id=source.workspace_id)
    assert found.filter(form_type__name=form_type, name=field).update(**rules) == 1


def values(rows: list[FieldVersion]) -> list[tuple[object, str]]:
    return [(row.value, row.status) for row in rows]


# --- what every step leaves behind ------------------------------------------------------------------------------------


def test_every_step_is_a_change_with_both_values_and_its_transition(write: Write, owner: Owner) -> None:
    write("user_profile.location", "Lisbon")
    verdict = write("user_profile.location", "Porto")
    assert verdict.change_id is not None
    change = Change.objects.of(owner.id).get(id=verdict.change_id)
    assert (change.action, change.state) == ("supersede", "applied")
    assert change.before is not None
    assert change.after is not None
    assert (change.before["value"], change.before["version"]) == ("Lisbon", 1)
    assert (change.after["value"], change.after["version"]) == ("Porto", 2)
    assert (change.form_type, change.field_name) == ("user_profile", "location")
    move = ChangeTransition.objects.of(owner.id).get(change_id=change.id)
    assert (move.from_state, move.to_state) == ("", "applied")


def test_status_is_the_mirror_of_the_two_clocks(write: Write, owner: Owner) -> None:
    write("user_profile.location", "Lisbon", valid_from=NOON)
    write("user_profile.location", "Porto", valid_from=NOON + DAY)
    write("user_profile.location", "Faro", valid_from=NOON - DAY)
    write("user_profile.location", "Evora", valid_from=timezone.now() + DAY)
    write("user_profile.employer", "Acme", valid_from=NOON)
    write("user_profile.employer", None, operation="remove")
    write("user_profile.pet", "parrot", valid_until=NOON + DAY, valid_from=NOON)
    now = timezone.now()
    holding = set(
        FieldVersion.objects.of(owner.id)
        .filter(as_of(valid_at=now, known_at=now))
        .values_list("id", flat=True)
    )
    active = FieldVersion.objects.of(owner.id).filter(status="active")
    assert (
        set(active.filter(Q(valid_until=None) | Q(valid_until__gt=now)).values_list("id", flat=True))
        == holding
    )


def test_only_what_holds_or_will_hold_can_be_found(write: Write, owner: Owner) -> None:
    write("user_profile.location", "Lisbon", valid_from=NOON)
    write("user_profile.location", "Porto", valid_from=NOON + DAY)
    write("user_profile.location", "Faro", valid_from=NOON - DAY)
    live = SearchEntry.objects.of(owner.id).filter(kind="field_version", known_until=None)
    assert ["Porto" in entry.text for entry in live] == [True]


# --- members ----------------------------------------------------------------------------------------------------------


def test_a_field_of_several_values_is_a_union(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    assert write("user_profile.pet", "parrot").outcome == "stored"
    assert write("user_profile.pet", "tortoise").outcome == "stored"
    assert write("user_profile.pet", "Parrot ").outcome == "reinforced"
    assert values(versions()) == [("parrot", "active"), ("tortoise", "active")]
    assert [row.version for row in versions()] == [1, 2]


def test_one_member_is_removed_and_the_others_stay(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.pet", "parrot", valid_from=NOON)
    write("user_profile.pet", "tortoise", valid_from=NOON)
    assert write("user_profile.pet", "parrot", operation="remove").outcome == "superseded"
    assert values(versions()) == [("parrot", "expired"), ("tortoise", "active")]
    assert write("user_profile.pet", "cat", operation="remove").code == "nothing_to_remove"


def test_removing_a_field_of_several_values_names_the_member(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.pet", "parrot")
    verdict = write("user_profile.pet", None, operation="remove")
    assert verdict.outcome == "refused"
    assert values(versions()) == [("parrot", "active")]


# --- removal ----------------------------------------------------------------------------------------------------------


def test_a_removed_value_ends_in_the_world_and_leaves_the_form_empty(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.employer", "Acme", valid_from=NOON)
    verdict = write("user_profile.employer", None, operation="remove", valid_from=NOON + DAY)
    assert verdict.outcome == "superseded"
    (version,) = versions()
    assert (version.status, version.valid_until, version.known_until) == ("expired", NOON + DAY, None)
    assert version.closed_at is not None
    assert write("user_profile.employer", "Beta", valid_from=NOON + 2 * DAY).outcome == "stored"


def test_a_value_that_was_never_true_ends_in_known_time(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.employer", "Acme", valid_from=NOON)
    write(
        "user_profile.employer",
        None,
        operation="remove",
        said="I never worked at Acme",
        explicit_correction=True,
        world_change=False,
    )
    (version,) = versions()
    assert (version.status, version.valid_until) == ("retracted", None)
    assert version.known_until is not None


def test_a_removal_ahead_of_time_ends_the_value_on_its_day(
    write: Write, owner: Owner, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.employer", "Acme", valid_from=NOON)
    leaving = timezone.now() + 30 * DAY
    write("user_profile.employer", None, operation="remove", valid_from=leaving)
    (version,) = versions()
    assert (version.status, version.valid_until) == ("active", leaving)
    assert SearchEntry.objects.of(owner.id).get(target_id=version.id).known_until is None


# --- lifetime ---------------------------------------------------------------------------------------------------------


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
    write: Write, versions: Callable[[], list[FieldVersion]], name: str, basis: str, days: int | None
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
    write: Write, owner: Owner, versions: Callable[[], list[FieldVersion]]
) -> None:
    ended = timezone.now() - DAY
    write("user_profile.location", "Lisbon", valid_from=NOON, valid_until=ended, confidence=1.0)
    verdict = write("user_profile.location", "Porto", confidence=0.7)
    assert verdict.outcome == "stored"
    assert values(versions()) == [("Lisbon", "expired"), ("Porto", "active")]
    assert versions()[0].valid_until == ended
    live = SearchEntry.objects.of(owner.id).filter(kind="field_version", known_until=None)
    assert [entry.target_id for entry in live] == [versions()[1].id]


def test_confirming_a_guess_makes_it_last(write: Write, versions: Callable[[], list[FieldVersion]]) -> None:
    write("user_profile.location", "Lisbon", basis="inferred", valid_from=timezone.now() - DAY)
    write("user_profile.location", "Lisbon", said="I live in Lisbon")
    guess, stated = versions()
    assert (guess.status, guess.superseded_by_version) == ("superseded", 2)
    assert (stated.status, stated.basis, stated.valid_until) == ("active", "stated", None)


def test_a_guess_does_not_confirm_a_guess(write: Write, versions: Callable[[], list[FieldVersion]]) -> None:
    for _ in range(2):
        write("user_profile.location", "Lisbon", basis="inferred", valid_from=timezone.now() - DAY)
    assert len(versions()) == 1


def test_a_value_that_is_scheduled_to_end_does_not_make_todays_value_history(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("order.status", "delivered", valid_from=timezone.now() + DAY)
    assert write("order.status", "shipped").outcome == "stored"
    assert values(versions()) == [("delivered", "scheduled"), ("shipped", "active")]


def test_a_late_fact_ends_when_it_said_or_where_the_next_one_began(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.location", "Lisbon", valid_from=NOON)
    write("user_profile.location", "Rome", valid_from=NOON - 9 * DAY, valid_until=NOON - 7 * DAY)
    write("user_profile.location", "Faro", valid_from=NOON - 2 * DAY, valid_until=NOON + 7 * DAY)
    assert [row.valid_until for row in versions()[1:]] == [NOON - 7 * DAY, NOON]


def test_a_late_fact_told_again_is_no_second_version(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.location", "Lisbon", valid_from=NOON)
    assert write("user_profile.location", "Rome", valid_from=NOON - 9 * DAY).outcome == "historical"
    assert write("user_profile.location", "rome", valid_from=NOON - 8 * DAY).outcome == "reinforced"
    assert values(versions()) == [("Lisbon", "active"), ("Rome", "historical")]


def test_a_scheduled_value_does_not_lengthen_the_one_before_it(
    write: Write, owner: Owner, versions: Callable[[], list[FieldVersion]]
) -> None:
    ended = timezone.now() - timedelta(hours=5)
    write("user_profile.location", "Lisbon", valid_from=NOON, valid_until=ended)
    write("user_profile.location", "Porto", valid_from=timezone.now() + DAY)
    make_due(owner, "Porto")
    write("user_profile.location", "Faro")
    assert (versions()[0].status, versions()[0].valid_until) == ("expired", ended)


# --- days that come ---------------------------------------------------------------------------------------------------


def make_due(owner: Owner, value: str) -> None:
    """Let the day of a scheduled value have come an hour ago."""
    found = FieldVersion.objects.of(owner.id).filter(value=value, status="scheduled")
    assert found.update(valid_from=timezone.now() - timedelta(hours=1)) == 1


def test_a_scheduled_value_takes_the_place_of_the_standing_one_on_its_day(
    write: Write, owner: Owner, versions: Callable[[], list[FieldVersion]]
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
    write: Write, owner: Owner, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.location", "Lisbon", valid_from=NOON)
    write("user_profile.location", "Porto", valid_from=timezone.now() + DAY)
    make_due(owner, "Porto")
    assert write("user_profile.location", "Faro").outcome == "superseded"
    assert values(versions()) == [("Lisbon", "superseded"), ("Porto", "superseded"), ("Faro", "active")]


def test_two_scheduled_values_open_in_the_order_of_their_days(
    write: Write, owner: Owner, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.location", "Second", valid_from=timezone.now() + 2 * DAY)
    write("user_profile.location", "First", valid_from=timezone.now() + DAY)
    for value, hours in (("Second", 1), ("First", 2)):
        FieldVersion.objects.of(owner.id).filter(value=value).update(
            valid_from=timezone.now() - timedelta(hours=hours)
        )
    write("user_profile.location", "Third")
    assert values(versions()) == [("Second", "superseded"), ("First", "historical"), ("Third", "active")]


# --- the same again ---------------------------------------------------------------------------------------------------


def test_one_day_confirms_once(write: Write, versions: Callable[[], list[FieldVersion]]) -> None:
    write("user_profile.location", "Lisbon", valid_from=timezone.now() - 3 * DAY)
    for _ in range(5):
        assert write("user_profile.location", "lisbon").outcome == "reinforced"
    (version,) = versions()
    assert version.confirmations == 1
    assert version.last_confirmed_at is not None


# --- who may and who waits --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "tier", "role", "may"),
    [
        ({"least_trust_tier": 4}, 3, "", False),
        ({"least_trust_tier": 3}, 3, "", True),
        ({"writer_roles": ["user"]}, 3, "user", True),
        ({"writer_roles": ["tool"]}, 3, "user", False),
        ({"writer_agents": [new_id()]}, 3, "", False),
    ],
)
def test_a_field_definition_says_who_may_write_it(
    write: Write, owner: Owner, source: Source, rules: dict[str, Any], tier: int, role: str, may: bool
) -> None:
    define(source, "user_profile.location", **rules)
    verdict = write("user_profile.location", "Porto", said="I live in Porto" if role == "user" else "")
    assert (verdict.outcome, verdict.code) == (("stored", "") if may else ("refused", "writer_not_allowed"))


def test_a_named_agent_may_write_what_others_may_not(write: Write, source: Source) -> None:
    define(source, "user_profile.location", writer_agents=[source.agent_id])
    other = make_source(workspace_id=source.workspace_id, trust_tier=4)
    assert write("user_profile.location", "Porto", source=other).code == "writer_not_allowed"
    assert write("user_profile.location", "Porto").outcome == "stored"


def test_a_field_that_was_switched_off_is_off_the_whitelist(write: Write, source: Source) -> None:
    define(source, "user_profile.location", active=False)
    assert write("user_profile.location", "Porto").code == "field_not_allowed"


def test_a_small_change_within_the_tolerance_needs_nobody(write: Write, source: Source) -> None:
    define(source, "user_profile.budget", tolerance=0.1, conflict_policy="review")
    write("user_profile.budget", 1000)
    within = write("user_profile.budget", 1050)
    assert (within.outcome, within.code) == ("superseded", "within_tolerance")
    assert write("user_profile.budget", 5000).code == "conflict"


FIRST_WORDS = [
    ("user_profile.allergies", "peanuts", "I am allergic to peanuts"),
    ("user_profile.diet", "vegetarian", "I am a vegetarian"),
    ("user_profile.name", "Ann", "My name is Ann"),
    ("user_profile.language", "Portuguese", "I speak Portuguese"),
]


@pytest.mark.parametrize(("name", "value", "said"), FIRST_WORDS)
def test_what_the_owner_says_of_himself_the_first_time_is_live_at_once(
    write: Write, versions: Callable[[], list[FieldVersion]], name: str, value: str, said: str
) -> None:
    assert write(name, value, said=said).outcome == "stored"
    assert values(versions()) == [(value, "active")]


@pytest.mark.parametrize(
    ("said", "correction", "code"),
    [
        ("By the way, call me Bea", False, "key_attribute_change"),
        ("", True, "evidence_missing"),
    ],
)
def test_a_key_attribute_is_not_changed_in_passing(
    write: Write, versions: Callable[[], list[FieldVersion]], said: str, correction: bool, code: str
) -> None:
    write("user_profile.name", "Ann", said="My name is Ann")
    verdict = write("user_profile.name", "Bea", said=said, explicit_correction=correction)
    assert verdict.outcome == "in_review"
    assert verdict.code in (code, "key_attribute_change")
    assert values(versions()) == [("Ann", "active")]


def test_a_key_attribute_is_changed_by_the_owners_explicit_correction(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.name", "Ann", said="My name is Ann")
    verdict = write(
        "user_profile.name", "Anne", said="I meant Anne", explicit_correction=True, world_change=False
    )
    assert verdict.outcome == "superseded"
    assert values(versions()) == [("Ann", "superseded"), ("Anne", "active")]


def test_removing_an_allergy_waits_for_a_person(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    write("user_profile.allergies", "peanuts", said="I am allergic to peanuts")
    verdict = write("user_profile.allergies", "peanuts", operation="remove", said="peanuts are fine")
    assert (verdict.outcome, verdict.code) == ("in_review", "key_attribute_change")
    assert values(versions()) == [("peanuts", "active")]


@pytest.mark.parametrize(
    ("name", "value", "subject"),
    [
        ("business_rule.rule", "No nuts in any recommendation", "nuts"),
        ("preferences.do_not_recommend", True, "coffee"),
    ],
)
def test_rules_of_the_house_and_standing_prohibitions_wait_for_a_person(
    write: Write, versions: Callable[[], list[FieldVersion]], name: str, value: object, subject: str
) -> None:
    verdict = write(name, value, subject=subject, said="Never offer me that again")
    assert (verdict.outcome, verdict.code) == ("in_review", "field_is_gated")
    assert versions() == []


def test_what_waits_is_written_down_whole_and_not_served(write: Write, owner: Owner) -> None:
    write("user_profile.name", "Ann", said="My name is Ann")
    write("user_profile.name", "Bea", said="Call me Bea")
    change = Change.objects.of(owner.id).get(state="proposed")
    assert change.before is not None
    assert (change.before["value"], change.before["version"]) == ("Ann", 1)
    assert change.after is not None
    assert change.after["value"] == "Bea"
    assert change.candidate is not None
    assert change.candidate["quote"] == "Call me Bea"
    assert not SearchEntry.objects.of(owner.id).filter(text__contains="Bea", kind="field_version").exists()


# --- observed by tools ------------------------------------------------------------------------------------------------


def observe(owner: Owner, source: Source, after: object, **given: Any) -> Event:
    told: dict[str, Any] = {
        "role": "tool",
        "form_type": "order",
        "form_subject": "A-1",
        "field_name": "status",
        "before": None,
        "after": after,
        "content": "status changed; the user lives in Rome",
    }
    batch = record_event(owner_id=owner.id, event=NewEvent(**told | given), source=source)
    run_job(str(batch.job_id))
    event_id = batch.results[0].event_id
    assert event_id is not None
    return Event.objects.of(owner.id).get(id=event_id)


def test_a_tool_updates_the_field_it_names_at_its_keys_trust(owner: Owner, source: Source) -> None:
    tool = make_source(workspace_id=source.workspace_id, trust_tier=2)
    first, second = observe(owner, tool, "packed"), observe(owner, tool, "shipped", before="packed")
    assert [event.outcome[0]["outcome"] for event in (first, second)] == ["stored", "superseded"]
    rows = list(FieldVersion.objects.of(owner.id).order_by("version"))
    assert values(rows) == [("packed", "superseded"), ("shipped", "active")]
    assert {(row.basis, row.trust_tier, row.event_id) for row in rows} == {
        ("observed", 2, first.id),
        ("observed", 2, second.id),
    }


def test_a_tools_free_text_is_not_mined(owner: Owner, source: Source) -> None:
    observe(owner, source, "packed")
    assert not FieldVersion.objects.of(owner.id).filter(value__icontains="Rome").exists()


def test_a_tool_of_less_trust_does_not_take_the_place_of_the_owners_word(
    owner: Owner, source: Source
) -> None:
    observe(owner, source, "packed")
    tool = make_source(workspace_id=source.workspace_id, trust_tier=2)
    assert observe(owner, tool, "lost").outcome[0]["code"] == "lower_trust"


def test_a_tool_that_names_no_known_field_is_refused_with_a_reason(owner: Owner, source: Source) -> None:
    event = observe(owner, source, "x", field_name="colour")
    assert (event.state, event.outcome[0]["code"]) == ("processed", "field_not_allowed")


def test_a_tool_that_saw_a_value_go_removes_it(owner: Owner, source: Source) -> None:
    observe(owner, source, "packed")
    assert observe(owner, source, None, before="packed").outcome[0]["outcome"] == "superseded"
    assert FieldVersion.objects.of(owner.id).get().status == "expired"


# --- times that make no sense -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{"valid_from": NOON, "valid_until": NOON - DAY}, {"valid_until": NOON}])
def test_a_value_that_ends_before_it_begins_is_refused(
    write: Write, versions: Callable[[], list[FieldVersion]], given: dict[str, Any]
) -> None:
    verdict = write("user_profile.location", "Lisbon", **given)
    assert (verdict.outcome, verdict.code) == ("refused", "ends_before_it_begins")
    assert versions() == []


def test_a_guess_about_later_holds_a_week_from_then(
    write: Write, versions: Callable[[], list[FieldVersion]]
) -> None:
    later = timezone.now() + 30 * DAY
    write("user_profile.location", "Lisbon", basis="inferred", valid_from=later)
    assert versions()[0].valid_until == later + 7 * DAY
