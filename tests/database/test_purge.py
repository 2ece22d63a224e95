"""The one door through which an owner's rows leave: everything of hers, nothing of anyone else's, counted and audited."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from memoryhub.database.purge import purge
from memoryhub.models import AuditEntry, Event, Job, MemoryItem, Owner, OwnerLink, OwnerModel, new_id
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_source, make_workspace
from tests.models.broken_rows import ITEM
from tests.models.sound_rows import insertion, make_world

OWNED = [model for model in apps.get_models() if issubclass(model, OwnerModel)]


@pytest.fixture
def committed(committing_db: str) -> Source:
    return make_source(make_workspace())


@pytest.fixture
def source(db: None) -> Source:
    return make_source(make_workspace())


def counts(owner_id: UUID) -> dict[str, int]:
    """The number of the owner's rows per table, empty tables left out."""
    found = {model.__name__.lower(): model.objects.of(owner_id).count() for model in OWNED}
    return {name: number for name, number in found.items() if number}


def digest(owner_id: UUID) -> str:
    """Changes when any row of the owner does."""
    with connection.cursor() as cursor:
        whole = []
        for model in OWNED:
            cursor.execute(
                f"SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY id), '')) FROM {model._meta.db_table} t"
                " WHERE owner_id = %s",
                [owner_id],
            )
            whole.append(cursor.fetchone()[0])
    return "".join(whole)


def test_every_owner_table_is_emptied_and_the_answer_is_true(committed: Source) -> None:
    mine, other = make_world(committed), make_world(committed)
    before, others = counts(mine.owner_id), digest(other.owner_id)
    assert set(before) == {model.__name__.lower() for model in OWNED}, "a table without a row proves nothing"
    answer = purge(owner_id=mine.owner_id, reason="erasure")
    assert {name: number for name, number in answer.items() if number} == before
    assert counts(mine.owner_id) == {}
    assert not Owner.objects.filter(id=mine.owner_id).exists()
    assert digest(other.owner_id) == others


def test_b04_what_was_written_through_the_service_goes_word_for_word_equal_rows_of_another_stay(
    committed: Source,
) -> None:
    mine, other = make_world(committed).owner_id, make_world(committed).owner_id
    for owner_id in (mine, other):
        first = record_events(
            owner_id=owner_id, events=[NewEvent(content=f"step {n}") for n in range(250)], source=committed
        )
        cause = first.results[0].event_id
        record_events(
            owner_id=owner_id, events=[NewEvent(content="then", caused_by_id=cause)], source=committed
        )
        for number in range(6):
            write_memory(owner_id=owner_id, content=f"Fact {number}", item_kind="semantic", source=committed)
            write_field(
                owner_id=owner_id, form_type="user_profile", field="budget", value=number, source=committed
            )
    before, others = counts(mine), digest(other)
    jobs = Job.objects.filter(owner_id=mine).count()
    answer = purge(owner_id=mine, reason="erasure")
    assert {name: number for name, number in answer.items() if number} == before | {"job": jobs}
    assert answer["event"] == 252
    assert counts(mine) == {}
    assert not Job.objects.filter(owner_id=mine).exists()
    assert digest(other) == others


def test_chains_evidence_and_causes_do_not_stand_in_the_way(source: Source) -> None:
    world = make_world(source)
    statements = [
        insertion(type_, world, **columns)
        for type_, columns in (
            (Event, {"idempotency_key": None, "caused_by_id": world.ids[Event]}),
            (MemoryItem, ITEM | {"seq": 3}),
            (MemoryItem, ITEM | {"content_norm": "c", "status": "superseded", "superseded_by_seq": 3}),
        )
    ]
    with connection.cursor() as cursor:
        for statement, parameters in statements:
            cursor.execute(statement, parameters)
    assert purge(owner_id=world.owner_id, reason="retention")["memoryitem"] == 3
    assert counts(world.owner_id) == {}


def test_links_of_others_to_her_go_with_her(source: Source) -> None:
    mine, other = make_world(source), make_world(source)
    Owner.objects.filter(id=mine.owner_id).update(kind="team")
    with connection.cursor() as cursor:
        cursor.execute(*insertion(OwnerLink, other, linked_owner_id=mine.owner_id))
    purge(owner_id=mine.owner_id, reason="erasure")
    assert set(OwnerLink.objects.of(other.owner_id).values_list("linked_owner_id", flat=True)) == {
        other.linked_id
    }


def test_it_is_audited_with_the_counts_and_no_content(source: Source) -> None:
    world = make_world(source)
    answer = purge(owner_id=world.owner_id, reason="erasure")
    entry = AuditEntry.objects.get(owner_id=world.owner_id, action="purge")
    assert entry.details == {"reason": "erasure", "counts": answer}
    assert "Lisbon" not in str(entry.details)


@pytest.mark.parametrize("reason", ["", "tidying", None])
def test_a_reason_that_is_not_known_deletes_nothing(source: Source, reason: Any) -> None:
    world = make_world(source)
    before = digest(world.owner_id)
    with pytest.raises(DatabaseError, match="known reason"), transaction.atomic():
        purge(owner_id=world.owner_id, reason=reason)
    assert digest(world.owner_id) == before


@pytest.mark.parametrize("owner_id", [None, new_id(), ""])
def test_a_blank_or_unknown_owner_deletes_nothing(source: Source, owner_id: Any) -> None:
    world = make_world(source)
    before = digest(world.owner_id)
    with pytest.raises(DatabaseError), transaction.atomic():
        purge(owner_id=owner_id, reason="erasure")
    assert digest(world.owner_id) == before


def test_it_deletes_all_or_nothing(source: Source) -> None:
    world = make_world(source)
    before = digest(world.owner_id)
    with transaction.atomic():
        purge(owner_id=world.owner_id, reason="erasure")
        transaction.set_rollback(True)
    assert digest(world.owner_id) == before


def test_a_frozen_owner_can_be_erased(source: Source) -> None:
    world = make_world(source)
    Owner.objects.filter(id=world.owner_id).update(state="erasing")
    assert purge(owner_id=world.owner_id, reason="erasure")["event"] == 1


def test_functions_that_run_as_their_owner_pin_their_search_path(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace"
            " AND NOT coalesce(proconfig::text, '') LIKE '%search_path=pg_catalog%'"
        )
        assert cursor.fetchall() == []


def test_functions_that_run_as_their_owner_are_not_for_everybody(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace"
            " AND prorettype <> 'trigger'::regtype AND has_function_privilege('public', oid, 'EXECUTE')"
        )
        assert cursor.fetchall() == []


def test_a_staff_page_cannot_purge(source: Source) -> None:
    world = make_world(source)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE mh_staff")
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        purge(owner_id=world.owner_id, reason="erasure")
