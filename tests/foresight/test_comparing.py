"""The last 30 days under other rules: counted from what is kept, and as the write path then really does it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.foresight.comparing import Foresight, foresee_field, foresee_policy
from memoryhub.foresight.recorded import Example
from memoryhub.models import AuditEntry
from memoryhub.policies import Policy
from memoryhub.whitelisting.definitions import values_of
from memoryhub.whitelisting.editing import find_field
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace, put_policy


@pytest.fixture
def source(committing_db: str) -> Source:
    return make_source(make_workspace())


def sentence(source: Source, content: str, **given: Any) -> Verdict:
    owner = make_owner(source)
    return write_memory(owner_id=owner.id, content=content, item_kind="semantic", source=source, **given)


def city(source: Source, **given: Any) -> Verdict:
    owner = make_owner(source)
    return write_field(
        owner_id=owner.id, form_type="user_profile", field="location", value="Leeds", source=source, **given
    )


def foresee(source: Source, **values: Any) -> Foresight:
    return foresee_policy(
        workspace_id=source.workspace_id,
        before=Policy(),
        after=replace(Policy(), **values),
        now=timezone.now(),
    )


def test_stricter_numbers_say_how_many_fewer_and_what_would_really_happen(source: Source) -> None:
    for confidence in (0.65, 0.7, 0.9):
        assert sentence(source, f"sure by {confidence}", confidence=confidence).outcome == "stored"
    seen = foresee(source, least_confidence=0.75)
    assert (seen.writes, seen.more_stored, seen.more_waiting, seen.unlike_then) == (3, -2, 0, 0)
    assert [(move.before, move.after, move.count) for move in seen.moves] == [("stored", "refused", 2)]
    put_policy(workspace_id=source.workspace_id, least_confidence=0.75)
    outcomes = [
        sentence(source, f"sure by {confidence}", confidence=confidence).outcome
        for confidence in (0.65, 0.7, 0.9)
    ]
    assert outcomes.count("refused") == 2


def test_looser_numbers_let_in_what_was_turned_away(source: Source) -> None:
    assert sentence(source, "hardly sure", confidence=0.5).code == "low_confidence"
    assert sentence(source, "hardly matters", importance=0.4).code == "low_importance"
    assert foresee(source, least_confidence=0.5).more_stored == 1
    assert foresee(source, least_confidence=0.5, least_importance=0.4).more_stored == 2
    assert foresee(source).moves == []


def test_what_was_turned_away_without_a_note_is_said_to_be_unknown(source: Source) -> None:
    owner = make_owner(source)
    AuditEntry.objects.create(
        workspace_id=source.workspace_id,
        owner_id=owner.id,
        action="write.refused",
        actor_kind="agent",
        details={"code": "low_confidence", "what": "semantic"},
    )
    assert foresee(source, least_confidence=0.5).unknown == 1


def test_examples_are_ids_of_changes_and_events_with_their_owners(source: Source) -> None:
    verdict = sentence(source, "sure enough", confidence=0.65)
    seen = foresee(source, least_confidence=0.75)
    example = seen.moves[0].examples[0]
    assert (example.kind, example.id) == ("change", verdict.change_id)
    assert example.owner_id in seen.owners
    sentence(source, "hardly sure", confidence=0.5)
    loosened = foresee(source, least_confidence=0.5).moves[0].examples
    assert [(row.kind, row.id) for row in loosened] == [("owner", None)]  # written without an event
    assert isinstance(loosened[0], Example)


def test_a_gate_on_a_field_is_counted_before_it_is_put_up(source: Source) -> None:
    for _ in range(3):
        assert city(source).outcome == "stored"
    sentence(source, "about something else")
    row = find_field(source.workspace_id, "user_profile", "location")
    seen = foresee_field(
        field=row,
        after={**values_of(row), "review_mode": "gate", "tolerance": None, "conflict_policy": "review"},
        policy=Policy(),
        now=timezone.now(),
    )
    assert (seen.writes, seen.more_waiting, seen.more_stored) == (3, 3, -3)
    assert seen.not_replayed == ["conflict_policy"]


def test_only_the_last_30_days_of_the_own_workspace_count(source: Source) -> None:
    sentence(source, "sure enough", confidence=0.65)
    elsewhere = make_source(make_workspace())
    assert foresee(elsewhere, least_confidence=0.75).writes == 0
    later = foresee_policy(
        workspace_id=source.workspace_id,
        before=Policy(),
        after=Policy(least_confidence=0.75),
        now=timezone.now() + timedelta(days=31),
    )
    assert later.writes == 0


def test_confirmations_are_no_writes(source: Source) -> None:
    owner = make_owner(source)
    for _ in range(2):
        write_field(
            owner_id=owner.id, form_type="user_profile", field="location", value="Leeds", source=source
        )
    assert foresee(source).writes == 1


def test_it_costs_as_many_statements_for_many_writes_as_for_few(source: Source) -> None:
    counts = []
    for number in (1, 9):
        for index in range(number):
            sentence(source, f"{number} {index}", confidence=0.6 + index / 100)
        with CaptureQueriesContext(connection) as captured:
            foresee(source, least_confidence=0.95)
        counts.append(len(captured))
    assert counts[0] == counts[1]
    assert counts[0] == 8  # opening the scope costs four of them


def test_what_a_replay_cannot_show_is_named_and_samples_are_expected(source: Source) -> None:
    for number in range(4):
        sentence(source, f"number {number}")
    seen = foresee(source, top_k=7, patrol_share=0.5)
    assert seen.not_replayed == ["top_k"]
    assert [round(number, 6) for number in seen.samples] == [0.08, 2.0]
    assert seen.is_little
