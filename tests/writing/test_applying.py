"""Carrying a settlement out on a form: versions, members, removals, and what each step leaves behind."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from memoryhub.models import (
    Change,
    ChangeTransition,
    FieldVersion,
    Owner,
    SearchEntry,
    as_of,
)
from tests.writing.forms_told import DAY, NOON, Versions, Write, values


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


def test_a_field_of_several_values_is_a_union(write: Write, versions: Versions) -> None:
    assert write("user_profile.pet", "parrot").outcome == "stored"
    assert write("user_profile.pet", "tortoise").outcome == "stored"
    assert write("user_profile.pet", "Parrot ").outcome == "reinforced"
    assert values(versions()) == [("parrot", "active"), ("tortoise", "active")]
    assert [row.version for row in versions()] == [1, 2]


def test_one_member_is_removed_and_the_others_stay(write: Write, versions: Versions) -> None:
    write("user_profile.pet", "parrot", valid_from=NOON)
    write("user_profile.pet", "tortoise", valid_from=NOON)
    assert write("user_profile.pet", "parrot", operation="remove").outcome == "superseded"
    assert values(versions()) == [("parrot", "expired"), ("tortoise", "active")]
    assert write("user_profile.pet", "cat", operation="remove").code == "nothing_to_remove"


def test_removing_a_field_of_several_values_names_the_member(write: Write, versions: Versions) -> None:
    write("user_profile.pet", "parrot")
    verdict = write("user_profile.pet", None, operation="remove")
    assert verdict.outcome == "refused"
    assert values(versions()) == [("parrot", "active")]


def test_a_removed_value_ends_in_the_world_and_leaves_the_form_empty(
    write: Write, versions: Versions
) -> None:
    write("user_profile.employer", "Acme", valid_from=NOON)
    verdict = write("user_profile.employer", None, operation="remove", valid_from=NOON + DAY)
    assert verdict.outcome == "superseded"
    (version,) = versions()
    assert (version.status, version.valid_until, version.known_until) == ("expired", NOON + DAY, None)
    assert version.closed_at is not None
    assert write("user_profile.employer", "Beta", valid_from=NOON + 2 * DAY).outcome == "stored"


def test_a_value_that_was_never_true_ends_in_known_time(write: Write, versions: Versions) -> None:
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
    write: Write, owner: Owner, versions: Versions
) -> None:
    write("user_profile.employer", "Acme", valid_from=NOON)
    leaving = timezone.now() + 30 * DAY
    write("user_profile.employer", None, operation="remove", valid_from=leaving)
    (version,) = versions()
    assert (version.status, version.valid_until) == ("active", leaving)
    assert SearchEntry.objects.of(owner.id).get(target_id=version.id).known_until is None


def test_one_day_confirms_once(write: Write, versions: Versions) -> None:
    write("user_profile.location", "Lisbon", valid_from=timezone.now() - 3 * DAY)
    for _ in range(5):
        assert write("user_profile.location", "lisbon", said="I live in lisbon").outcome == "reinforced"
    (version,) = versions()
    assert version.confirmations == 1
    assert version.last_confirmed_at is not None
