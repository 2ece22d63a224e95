"""Every constraint of every table is broken once by raw SQL; one without a breaking statement fails the first test."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

from memoryhub.models import (
    DocumentVersion,
    EmbeddingModel,
    Entity,
    Event,
    FieldVersion,
    Job,
    MemoryItem,
    OwnerLink,
    OwnerModel,
    PolicyTrial,
    PolicyVersion,
    Relation,
    new_id,
)
from tests.builders import make_source, make_workspace
from tests.models.breaks import CHECK, UNIQUE, Break
from tests.models.broken_relations import RELATION
from tests.models.broken_rows import (
    BROKEN,
    COUNTS,
    DRAFT,
    EVENT,
    IMPLIED,
    ITEM,
    PER_ROW,
    STATEMENTS,
    TWICE,
    VERSION,
    check_name,
)
from tests.models.sound_rows import (
    NOON,
    SOUND,
    Model,
    World,
    insertion,
    make_world,
)
from tests.models.sound_trials import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return make_world(make_source(make_workspace()))


def refused(statement: str, parameters: list[Any]) -> tuple[str, str]:
    """SQLSTATE and name of the constraint that refused the statement."""
    with pytest.raises(DatabaseError) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"{statement} /* owner_id */", parameters or None)
    cause = caught.value.__cause__
    assert isinstance(cause, psycopg.Error)
    return cause.sqlstate or "", cause.diag.constraint_name or ""


def test_every_check_and_unique_constraint_of_the_database_is_broken_here() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE contype IN ('c', 'u') AND conrelid::regclass::text LIKE 'memoryhub_%'"
            " UNION SELECT indexrelid::regclass::text FROM pg_index"
            " WHERE indisunique AND NOT indisprimary AND indrelid::regclass::text LIKE 'memoryhub_%'"
        )
        found = {row[0] for row in cursor.fetchall()}
    known = {
        *(item.name for item in BROKEN),
        *STATEMENTS,
        *TWICE,
        *PER_ROW,
        *IMPLIED,
        *map(check_name, COUNTS),
    }
    unbroken = {name for name in found if not any(name.startswith(one) for one in known)}
    assert unbroken == set()


def test_every_share_is_checked_to_be_one() -> None:
    """Floats are shares, but for those named here."""
    others = {"minimum", "maximum", "tolerance", "milliseconds"}
    unchecked = {
        (model.__name__, column.name)
        for model in apps.get_app_config("memoryhub").get_models()
        for column in model._meta.local_concrete_fields
        if isinstance(column, models.FloatField) and column.name not in others
        if not any(column.name in str(c) for c in model._meta.constraints)
    }
    assert unchecked == set()


def test_every_constraint_the_models_declare_is_in_the_database() -> None:
    declared = {
        c.name for model in apps.get_app_config("memoryhub").get_models() for c in model._meta.constraints
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint UNION SELECT relname FROM pg_class WHERE relkind = 'i'"
        )
        assert declared - {row[0] for row in cursor.fetchall()} == set()


@pytest.mark.parametrize("broken", BROKEN, ids=str)
def test_a_broken_row_is_refused_by_name(world: World, broken: Break) -> None:
    assert refused(*insertion(broken.model, world, **broken.columns)) == (broken.state, broken.name)


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_broken_owner_is_refused_by_name(world: World, name: str) -> None:
    state, statement = STATEMENTS[name]
    ids = {
        "workspace": world.workspace_id,
        "owner": world.owner_id,
        "linked": world.linked_id,
        "new": new_id(),
    }
    statement = statement.format(**{key: f"'{value}'::uuid" for key, value in ids.items()})
    assert refused(statement, []) == (state, name)


@pytest.mark.parametrize("name", TWICE)
def test_what_is_unique_is_refused_the_second_time(world: World, name: str) -> None:
    model, columns = TWICE[name]
    for_first, for_second = dict(columns), dict(columns)
    if model is EmbeddingModel:
        for_first["id"], for_second["id"] = 901, 902
        EmbeddingModel.objects.filter(state="current").update(state="retired")
    if model is PolicyVersion:
        PolicyVersion.objects.update(is_current=False)
        if name == "one_current_policy_per_workspace":
            for_first["number"] = 9
    if model is PolicyTrial:
        for row in (for_first, for_second):
            row.pop("proposed_by_id", None)
            row |= {"decided_by_id": person("starter")} if "decided_by_id" in row else {}
        for_first["number"] = 7 if name == "one_trial_per_number" else 9
    if model is MemoryItem:
        for_first |= {"seq": 3, "content_norm": "third", "attribute": "third"}
    with connection.cursor() as cursor:
        cursor.execute(*insertion(model, world, **for_first))
    state, found = refused(*insertion(model, world, **for_second))
    assert state == UNIQUE
    assert found.startswith(name)


@pytest.mark.parametrize("name", PER_ROW)
def test_a_row_that_points_at_itself_is_refused(world: World, name: str) -> None:
    model, pairs = PER_ROW[name]
    own = {"id": new_id(), "owner_id": world.owner_id, "item_id": world.ids[MemoryItem]}
    own["from_entity_id"] = world.ids[Entity]
    columns: dict[str, Any] = {"id": own["id"]} | {column: own[of] for column, of in pairs.items()}
    if model is Event:
        columns |= EVENT
    if model is Relation:
        columns |= RELATION | {"value": ""}
    assert refused(*insertion(model, world, **columns)) == (CHECK, name)


@pytest.mark.parametrize("count", COUNTS, ids=check_name)
def test_a_count_is_not_below_zero(world: World, count: tuple[Model, str]) -> None:
    model, column = count
    beside: dict[Model, dict[str, Any]] = {
        Event: EVENT,
        FieldVersion: VERSION,
        MemoryItem: ITEM,
        DocumentVersion: DRAFT,
        Relation: RELATION,
    }
    state, name = refused(*insertion(model, world, **beside.get(model, {}) | {column: -1}))
    assert state == CHECK
    # Where a narrower rule stands beside it, either may speak first.
    assert name == check_name(count) or name in {broken.name for broken in BROKEN if column in broken.columns}


def test_ended_links_and_finished_jobs_may_repeat(world: World) -> None:
    with connection.cursor() as cursor:
        cursor.execute(*insertion(OwnerLink, world, ended_at=NOON))
        for _ in range(2):
            cursor.execute(*insertion(Job, world, dedupe_key="twin", state="done"))


def test_the_sound_rows_cover_every_owner_table() -> None:
    owned = {m for m in apps.get_app_config("memoryhub").get_models() if issubclass(m, OwnerModel)}
    assert set(SOUND) == owned
