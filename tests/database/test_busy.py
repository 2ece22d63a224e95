"""Losing a race for a lock is tried again; everything else, and everything inside a transaction, is not."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from uuid import UUID

import pytest
from django.db import DataError, OperationalError, connection, transaction

from memoryhub.database.busy import TRIES, run_again_when_busy
from memoryhub.database.scope import scope
from memoryhub.models import FieldVersion, MemoryItem
from memoryhub.writing.recording import NewEvent, record_events
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field, write_memory
from tests.builders import make_owner, make_source, make_workspace
from tests.database_clones import superuser


@pytest.fixture
def source(committing_db: str) -> Source:
    return make_source(make_workspace())


@pytest.fixture
def held_owner(source: Source, committing_db: str) -> Iterator[UUID]:
    """An owner whose turn somebody else holds for three quarters of a second, longer than we wait for a lock."""
    owner_id = make_owner(source).id
    write_memory(owner_id=owner_id, content="First", item_kind="semantic", source=source)
    is_held = threading.Event()

    def hold() -> None:
        with superuser(committing_db) as other, other.transaction():
            other.execute("SELECT FROM memoryhub_ownersequence WHERE owner_id = %s FOR UPDATE", [owner_id])
            is_held.set()
            time.sleep(0.75)

    holder = threading.Thread(target=hold)
    holder.start()
    assert is_held.wait(5)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '400ms'")
    yield owner_id
    holder.join()


def test_a_write_that_waited_in_vain_for_its_turn_is_run_again(source: Source, held_owner: UUID) -> None:
    verdict = write_field(
        owner_id=held_owner, form_type="user_profile", field="budget", value=1, source=source
    )
    assert verdict.outcome == "stored"
    assert FieldVersion.objects.of(held_owner).count() == 1


def test_a_sentence_too_has_one_effect(source: Source, held_owner: UUID) -> None:
    write_memory(owner_id=held_owner, content="Second", item_kind="semantic", source=source)
    assert MemoryItem.objects.of(held_owner).count() == 2


def test_recording_does_not_wait_for_those_who_settle(source: Source, held_owner: UUID) -> None:
    start = time.monotonic()
    record_events(owner_id=held_owner, events=[NewEvent(content="Hello there")], source=source)
    assert time.monotonic() - start < 0.7


def test_it_gives_up_after_a_few_tries(source: Source) -> None:
    owner_id = make_owner(source).id
    calls: list[int] = []

    @run_again_when_busy
    def deadlocks() -> None:
        calls.append(1)
        with scope(workspace_id=source.workspace_id, owners=[owner_id], purpose="test"):
            _raise("40P01")

    with pytest.raises(OperationalError):
        deadlocks()
    assert len(calls) == TRIES


@pytest.mark.parametrize("state", ["22023", "53300"])
def test_other_errors_are_not_tried_again(source: Source, state: str) -> None:
    calls: list[int] = []

    @run_again_when_busy
    def fails() -> None:
        calls.append(1)
        _raise(state)

    with pytest.raises((OperationalError, DataError)):
        fails()
    assert len(calls) == 1


def test_nothing_is_run_again_inside_a_transaction(source: Source) -> None:
    calls: list[int] = []

    @run_again_when_busy
    def deadlocks() -> None:
        calls.append(1)
        _raise("40P01")

    with pytest.raises(OperationalError), transaction.atomic():
        deadlocks()
    assert len(calls) == 1


def _raise(state: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '{state}'; END $$")
