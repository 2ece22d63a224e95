"""Links stay inside one owner, whoever writes them: the runtime, and the superuser whom no grant or policy binds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from memoryhub.models import (
    DocumentChunk,
    DocumentVersion,
    Event,
    FieldVersion,
    Form,
    MemoryItem,
    OwnerMismatch,
    OwnerModel,
    OwnerRow,
    Question,
    Relation,
    Review,
    SearchSource,
    SessionSlot,
    Tombstone,
    new_id,
)
from tests.builders import make_owner, make_source, make_workspace
from tests.database_clones import superuser
from tests.models.broken_relations import RELATION
from tests.models.broken_rows import DRAFT, EVENT, ITEM, REVIEW, VERSION
from tests.models.sound_rows import NOON, RESPONSIBLE, SOUND, Model, World, insertion, make_world

BESIDE: dict[Model, dict[str, Any]] = {
    Event: EVENT,
    FieldVersion: VERSION,
    MemoryItem: ITEM,
    Review: REVIEW,
    SearchSource: {"position": 1},
    Relation: RELATION,
    SessionSlot: {"name": "phone"},
    Question: {"state": "expired"},
    Tombstone: {"lifted_at": NOON},
    DocumentVersion: DRAFT,
    DocumentChunk: {"position": 1},
}
FOREIGN_KEY = "23503"


@dataclass(frozen=True)
class Link:
    """A foreign key of an owner table that has owner_id in both ends."""

    model: Model
    column: str
    target: Model
    name: str

    def __str__(self) -> str:
        return self.name


LINKS = [
    Link(model, column.link_column, column.related_model, f"{model._meta.db_table}_{column.name}_same_owner")
    for model in SOUND
    for column in model._meta.get_fields()
    if isinstance(column, OwnerRow)
]

SUCCESSORS: list[tuple[Model, dict[str, Any], str]] = [
    (
        FieldVersion,
        VERSION | {"status": "superseded", "superseded_by_version": 9},
        "fieldversion_successor_exists",
    ),
    (MemoryItem, ITEM | {"status": "superseded", "superseded_by_seq": 9}, "memoryitem_successor_exists"),
    (Relation, RELATION | {"status": "superseded", "superseded_by_seq": 9}, "relation_successor_exists"),
]


@pytest.fixture
def two(committing_db: str) -> Iterator[tuple[World, World, psycopg.Connection]]:
    """Two owners of one workspace, committed, and a session of the superuser."""
    source = make_source(make_workspace())
    with superuser(committing_db) as server:
        yield make_world(source), make_world(source), server


def refused_to(
    session: str, server: psycopg.Connection, statement: str, parameters: list[Any]
) -> tuple[str, str]:
    """SQLSTATE and constraint with which the statement is refused, at the latest at its commit."""
    try:
        if session == "superuser":
            server.execute(statement, parameters)
        else:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(statement, parameters)
    except (psycopg.Error, DatabaseError) as error:
        return _named(error.__cause__ or error)
    return "accepted", ""


def _named(error: BaseException) -> tuple[str, str]:
    return (
        (error.sqlstate or "", error.diag.constraint_name or "")
        if isinstance(error, psycopg.Error)
        else ("", "")
    )


@pytest.mark.parametrize("session", ["runtime", "superuser"])
def test_no_link_leads_to_another_owner(
    two: tuple[World, World, psycopg.Connection], session: str, subtests: pytest.Subtests
) -> None:
    mine, other, server = two
    for link in LINKS:
        target = other.ids[link.target]
        with subtests.test(link.name):
            columns = BESIDE.get(link.model, {}) | {link.column: target}
            if link.column == "to_entity_id":
                columns |= {"value": ""}
            statement, parameters = insertion(link.model, mine, **columns)
            assert refused_to(session, server, statement, parameters) == (FOREIGN_KEY, link.name)


@pytest.mark.parametrize("session", ["runtime", "superuser"])
def test_no_chain_leads_to_another_owner(
    two: tuple[World, World, psycopg.Connection], session: str, subtests: pytest.Subtests
) -> None:
    mine, other, server = two
    for model, columns, name in SUCCESSORS:
        key = {"superseded_by_version": "version", "superseded_by_seq": "seq"}
        (number,) = (column for link, column in key.items() if link in columns)
        server.execute(*insertion(model, other, **BESIDE[model] | {number: 9}))
        with subtests.test(name):
            assert refused_to(session, server, *insertion(model, mine, **columns)) == (FOREIGN_KEY, name)


@pytest.mark.parametrize("session", ["runtime", "superuser"])
def test_no_row_is_in_a_workspace_its_owner_is_not_in(
    two: tuple[World, World, psycopg.Connection], session: str, subtests: pytest.Subtests
) -> None:
    mine, _, server = two
    elsewhere = make_workspace().id
    # A third owner without rows, so that nothing else is in the way.
    fresh = replace(mine, owner_id=make_owner(mine.source).id)
    for model in SOUND:
        name = f"{model._meta.db_table}_owner_in_workspace"
        with subtests.test(name):
            statement, parameters = insertion(model, fresh, workspace_id=elsewhere)
            assert refused_to(session, server, statement, parameters) == (FOREIGN_KEY, name)


@pytest.mark.django_db
def test_every_composite_link_of_the_database_is_tried_here() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'f' AND cardinality(conkey) > 1"
            " AND conrelid::regclass::text LIKE 'memoryhub_%'"
        )
        found = {row[0] for row in cursor.fetchall()}
    in_workspace = {f"{model._meta.db_table}_owner_in_workspace" for model in SOUND}
    tried = {link.name for link in LINKS} | {name for *_, name in SUCCESSORS} | in_workspace
    # Those of a link between owners lead out of the owner on purpose; tests/sharing/test_linking.py tries them.
    between = {"ownerlink_linked_owner_in_workspace", "ownerlink_linked_owner_of_kind"}
    assert found == tried | between | {"review_copies_the_responsible_person"}


def test_a_review_names_the_person_who_answers_for_the_change(
    two: tuple[World, World, psycopg.Connection],
) -> None:
    mine, _, server = two
    with connection.cursor() as cursor:
        cursor.execute(*insertion(Review, mine, **REVIEW, responsible_user_id=RESPONSIBLE + 1))
        assert {row.responsible_user_id for row in Review.objects.of(mine.owner_id)} == {RESPONSIBLE}
    # Even where the trigger that copies him is switched off, the key holds.
    server.execute("ALTER TABLE memoryhub_review DISABLE TRIGGER review_copies_responsible")
    forged = insertion(Review, mine, kind="patrol", responsible_user_id=RESPONSIBLE + 1)
    assert refused_to("superuser", server, *forged) == (FOREIGN_KEY, "review_copies_the_responsible_person")


@pytest.mark.django_db
def test_every_link_between_owner_tables_carries_the_owner() -> None:
    owned = {m._meta.db_table for m in apps.get_models() if issubclass(m, OwnerModel)}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'f' AND cardinality(conkey) = 1"
            " AND conrelid::regclass::text = ANY(%s) AND confrelid::regclass::text = ANY(%s)",
            [sorted(owned), sorted(owned)],
        )
        assert cursor.fetchall() == []


@pytest.mark.django_db
def test_an_optional_link_empties_only_its_own_column() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname, confdeltype, confdelsetcols IS NOT NULL FROM pg_constraint WHERE conname LIKE '%\\_same\\_owner'"
        )
        rules = {name: (kind, only_some) for name, kind, only_some in cursor.fetchall()}
    nullable = {
        link.name: (("n", True) if link.model._meta.get_field(link.column).null else ("a", False))
        for link in LINKS
    }
    assert {name: rules[name] for name in nullable} == nullable


@pytest.mark.django_db
def test_only_chains_may_be_linked_before_their_target_is_there() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE contype = 'f' AND condeferrable AND cardinality(conkey) > 1"
        )
        assert {row[0] for row in cursor.fetchall()} == {name for *_, name in SUCCESSORS}


@pytest.mark.django_db
def test_a_row_of_another_owner_cannot_be_assigned() -> None:
    source = make_source(make_workspace())
    mine, other = make_owner(source), make_owner(source)
    theirs = Form(owner=other, id=new_id(), workspace_id=source.workspace_id)
    version = FieldVersion(owner=mine, workspace_id=source.workspace_id)
    with pytest.raises(OwnerMismatch):
        version.form = theirs
    assert version.owner_id == mine.id
    version.form = Form(owner=mine, id=new_id(), workspace_id=source.workspace_id)
    assert version.form_id == version.form.id
