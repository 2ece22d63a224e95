"""Who may write a field, what waits for a person, and what tools observe."""

from __future__ import annotations

from typing import Any

import pytest

from memoryhub.jobs.tasks import run_job
from memoryhub.models import (
    Change,
    Event,
    FieldVersion,
    Owner,
    SearchEntry,
    new_id,
)
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from tests.builders import make_source
from tests.writing.forms_told import Versions, Write, define, values


@pytest.mark.parametrize(
    ("rules", "role", "may"),
    [
        ({"least_trust_tier": 4}, "", False),
        ({"least_trust_tier": 3}, "", True),
        ({"writer_roles": ["user"]}, "user", True),
        ({"writer_roles": ["tool"]}, "user", False),
        ({"writer_agents": [new_id()]}, "", False),
    ],
)
def test_a_field_definition_says_who_may_write_it(
    write: Write, source: Source, rules: dict[str, Any], role: str, may: bool
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
    write: Write, versions: Versions, name: str, value: str, said: str
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
    write: Write, versions: Versions, said: str, correction: bool, code: str
) -> None:
    write("user_profile.name", "Ann", said="My name is Ann")
    verdict = write("user_profile.name", "Bea", said=said, explicit_correction=correction)
    assert verdict.outcome == "in_review"
    assert verdict.code in (code, "key_attribute_change")
    assert values(versions()) == [("Ann", "active")]


def test_a_key_attribute_is_changed_by_the_owners_explicit_correction(
    write: Write, versions: Versions
) -> None:
    write("user_profile.name", "Ann", said="My name is Ann")
    verdict = write(
        "user_profile.name", "Anne", said="I meant Anne", explicit_correction=True, world_change=False
    )
    assert verdict.outcome == "superseded"
    assert values(versions()) == [("Ann", "superseded"), ("Anne", "active")]


def test_removing_an_allergy_waits_for_a_person(write: Write, versions: Versions) -> None:
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
    write: Write, versions: Versions, name: str, value: object, subject: str
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
