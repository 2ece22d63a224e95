"""What was recorded stays as it was recorded, for every role there is: UPDATE, DELETE, TRUNCATE and every way round them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from memoryhub.database.layout import locate
from memoryhub.models import (
    AuditEntry,
    Change,
    ChangeSet,
    ChangeTransition,
    DocumentChunk,
    DocumentVersion,
    Entity,
    Event,
    OwnerLink,
    PolicyMeasurement,
    RecallFeedback,
    RecallServed,
    Relation,
    RepeatedQuestion,
    Review,
    ReviewStep,
    SearchEntry,
    SearchVector,
    Session,
    SessionSlot,
    VocabularyEdit,
    WhitelistEdit,
    new_id,
)
from tests.builders import make_source, make_workspace
from tests.models.sound_rows import NOON, Model, World, insertion, make_world

CASCADED: dict[Model, tuple[str, ...]] = {OwnerLink: ("linked_owner_id", "linked_kind")}
"""What follows the row that it names, by ON UPDATE CASCADE, and what the runtime may not write."""
BOOKKEEPING: dict[Model, tuple[str, ...]] = {
    Event: ("state", "outcome", "tier", "heat_anchor", "learned", "attempts", "processed_at", "held_until"),
    AuditEntry: (),
    ChangeSet: (),
    Change: ("state", "decided_at", "target_id"),
    ChangeTransition: (),
    SearchVector: (),
    SearchEntry: ("known_until", "cleared"),
    ReviewStep: (),
    RecallFeedback: (),
    Session: ("state", "active_at", "ended_at", "ended_by", "outcome", "outcome_at"),
    SessionSlot: (
        "state",
        "reason",
        "deprecated_at",
        "touched_at",
        "expires_at",
        "value",
        "value_key",
        "quote",
        "cleared_at",
        "fate",
        "fate_code",
        "target_id",
        "change_id",
    ),
    RecallServed: (),
    RepeatedQuestion: (),
    PolicyMeasurement: (),
    Entity: (),
    Relation: (
        "status",
        "superseded_by_seq",
        "valid_until",
        "closed_at",
        "known_until",
        "confirmations",
        "last_confirmed_at",
    ),
    OwnerLink: ("ended_at",),
    VocabularyEdit: (),
    WhitelistEdit: (),
    DocumentVersion: (
        "state",
        "authority",
        "flags",
        "chunk_count",
        "valid_from",
        "valid_until",
        "closed_at",
        "known_from",
        "known_until",
        "last_verified_at",
        "verified_by_id",
        "published_at",
    ),
    DocumentChunk: (),
}
"""The tables that only grow, and the columns of each that may move."""

OF_NO_OWNER = (AuditEntry, VocabularyEdit, WhitelistEdit, PolicyMeasurement)

SESSIONS = {
    "runtime": ("mh_app", []),
    "staff": ("mh_app", ["SET ROLE mh_staff"]),
    "owner of the tables": ("mh_owner", []),
    "superuser": ("postgres", []),
    "superuser as a replica": ("postgres", ["SET session_replication_role = replica"]),
}


@pytest.fixture(params=SESSIONS)
def session(request: pytest.FixtureRequest, committing_db: str) -> Iterator[psycopg.Connection]:
    """A session of somebody who would rewrite history."""
    user, statements = SESSIONS[request.param]
    host = str(locate(settings.DATA_DIR).socket_folder)
    with psycopg.connect(host=host, user=user, dbname=committing_db, autocommit=True) as opened:
        for statement in statements:
            opened.execute(statement)
        yield opened


@pytest.fixture
def world(committing_db: str) -> World:
    world = make_world(make_source(make_workspace()))
    _insert(WhitelistEdit, world)
    _insert(VocabularyEdit, world)
    _insert(PolicyMeasurement, world)
    return world


def digest(model: Model) -> str:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT md5(string_agg(t::text, '|' ORDER BY id)) FROM {model._meta.db_table} t /* owner_id */"
        )
        return str(cursor.fetchone()[0])


def test_no_role_changes_or_removes_what_was_recorded(world: World, session: psycopg.Connection) -> None:
    for model, may_move in BOOKKEEPING.items():
        table, before = model._meta.db_table, digest(model)
        free = (*may_move, *CASCADED.get(model, ()))
        facts = [c.column for c in model._meta.local_concrete_fields if c.column and c.column not in free]
        key = "id" if model in OF_NO_OWNER else "owner_id, id"
        forbidden = [
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
            *(f'UPDATE {table} SET "{column}" = "{column}"' for column in facts),
            f'INSERT INTO {table} SELECT * FROM {table} ON CONFLICT ({key}) DO UPDATE SET "{facts[-1]}" = NULL',
        ]
        assert [statement for statement in forbidden if not _is_refused(session, statement)] == []
        assert digest(model) == before


def _is_refused(session: psycopg.Connection, statement: str) -> bool:
    try:
        session.execute(statement)
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False


def test_an_owner_with_memories_cannot_be_deleted_past_the_door(
    world: World, session: psycopg.Connection
) -> None:
    # A replica checks no foreign keys, and only a superuser can be one.
    session.execute("SET session_replication_role = origin") if session.info.user == "postgres" else None
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.ForeignKeyViolation)):
        session.execute("DELETE FROM memoryhub_owner WHERE id = %s", [world.owner_id])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "model", [m for m, columns in BOOKKEEPING.items() if columns], ids=lambda m: m.__name__
)
def test_the_runtime_may_move_the_bookkeeping_columns(model: Model) -> None:
    world = make_world(make_source(make_workspace()))
    columns = ", ".join(f'"{column}" = "{column}"' for column in BOOKKEEPING[model])
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {model._meta.db_table} SET {columns} WHERE owner_id = %s", [world.owner_id])
        assert cursor.rowcount == 1


@pytest.mark.django_db
def test_these_are_all_the_triggers_there_are_and_a_replica_meets_them_too() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger"
            " WHERE NOT tgisinternal AND tgrelid::regclass::text LIKE 'memoryhub_%'"
        )
        found = {(table, name): enabled for table, name, enabled in cursor.fetchall()}
    walls = {key for key in found if key[1] == "owner_is_active"}
    guards = {
        (model._meta.db_table, f"{model.__name__.lower()}_{rule}")
        for model in BOOKKEEPING
        for rule in ("facts_are_immutable", "rows_are_kept", "is_not_truncated")
    } | {
        ("memoryhub_event", "event_key_is_immutable"),
        ("memoryhub_changeset", "changeset_skipped_is_immutable"),
        ("memoryhub_recallfeedback", "feedback_judge_is_immutable"),
    }
    moves = {
        ("memoryhub_change", "change_state_moves"),
        ("memoryhub_change", "change_target_once"),
        ("memoryhub_review", "review_state_moves"),
        ("memoryhub_session", "session_state_moves"),
        ("memoryhub_sessionslot", "slot_state_moves"),
    }
    copies = {
        ("memoryhub_review", "review_copies_responsible"),
        ("memoryhub_review", "review_keeps_responsible"),
        ("memoryhub_recall", "recall_lays_out_served"),
        ("memoryhub_owner", "owner_takes_his_proposals_along"),
    }
    assert set(found) == walls | guards | moves | copies
    assert {found[key] for key in guards | moves} == {"A"}


@pytest.mark.django_db
@pytest.mark.parametrize("model", [Change, Review], ids=lambda m: m.__name__)
def test_states_move_as_the_table_of_the_model_says_and_no_other_way(model: type[Change | Review]) -> None:
    world = make_world(make_source(make_workspace()))
    wrong = [
        (start, end)
        for start in model.State.values
        for end in model.State.values
        if _moves(model, world, start, end) != (start == end or end in model.MOVES.get(start, ()))
    ]
    assert wrong == []


def _moves(model: type[Change | Review], world: World, start: str, end: str) -> bool:
    """Whether the database lets a row made in one state go to another."""
    world.ids[Change] = _insert(Change, world, state=start if model is Change else "applied")
    row_id = world.ids[Change] if model is Change else _insert(Review, world, **_decided(start), state=start)
    change = {"state": end} | (_decided(end) if model is Review else {})
    row = model.objects.of(world.owner_id).filter(id=row_id)
    try:
        with transaction.atomic():
            return row.update(**change) == 1
    except IntegrityError as error:
        if f"does not move from {start} to {end}" in str(error):
            return False
        raise


def _decided(state: str) -> dict[str, Any]:
    is_decided = state == "decided"
    return {"outcome": "rejected" if is_decided else "", "decided_at": NOON if is_decided else None}


def _insert(model: Model, world: World, **columns: Any) -> UUID:
    row_id = new_id()
    with connection.cursor() as cursor:
        cursor.execute(*insertion(model, world, id=row_id, **columns))
    return row_id


def test_every_model_without_update_rights_is_guarded_or_harmless() -> None:
    unguarded = {
        model.__name__
        for model in apps.get_app_config("memoryhub").get_models()
        if getattr(model, "runtime_privileges", ()) == ("SELECT", "INSERT") and model not in BOOKKEEPING
    }
    assert unguarded == {"Recall"}
