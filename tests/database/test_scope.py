"""The one way to an owner's rows: who may be named, what it tells PostgreSQL, what it holds, and that nothing of it stays.

These tests commit for real: a SET LOCAL inside a savepoint outlives it and would let them pass falsely.
"""

from __future__ import annotations

from uuid import UUID

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from memoryhub.database.scope import WORKSPACE_PURPOSES, Owners, scope
from memoryhub.exceptions import OwnerErasing, OwnerFrozen, UnknownOwner
from memoryhub.models import Event, Owner, new_id
from memoryhub.writing.source import Source
from tests.builders import make_owner, make_source, make_workspace
from tests.database_clones import superuser
from tests.models.sound_rows import SOUND, insertion, make_world

OWNER_IS_NOT_ACTIVE = "MH423"


@pytest.fixture
def source(committing_module_db: str) -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


def said() -> tuple[str, str, str, str]:
    """Workspace, owners, extent and role as PostgreSQL knows them now; the settings in the form policies read them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(current_setting('app.workspace_id', true), ''),"
            " coalesce(current_setting('app.owner_ids', true), ''),"
            " coalesce(current_setting('app.scope', true), ''), current_user"
        )
        found: tuple[str, str, str, str] = cursor.fetchone()
        return found


def test_it_says_whose_rows_and_nothing_of_it_stays_on_the_connection(source: Source, owner: Owner) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        session = cursor.fetchone()
    with scope(workspace_id=source.workspace_id, owners=[owner.id], purpose="test"):
        assert said() == (str(source.workspace_id), str(owner.id), "owners", "mh_app")
    assert said() == ("", "", "", "mh_app")
    with scope(workspace_id=source.workspace_id, owners="workspace", purpose="listing", staff=True):
        assert said() == (str(source.workspace_id), "", "workspace", "mh_staff")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone() == session
    assert said() == ("", "", "", "mh_app")


def test_nothing_of_it_stays_after_an_error_either(source: Source, owner: Owner) -> None:
    for broken in range(20):
        with (
            pytest.raises(ZeroDivisionError),
            scope(
                workspace_id=source.workspace_id, owners=[owner.id], purpose="test", staff=bool(broken % 2)
            ),
        ):
            raise ZeroDivisionError
        assert said() == ("", "", "", "mh_app")


def test_what_is_written_in_it_is_undone_as_a_whole(source: Source, owner: Owner) -> None:
    def half() -> None:
        with scope(workspace_id=source.workspace_id, owners=[owner.id], purpose="test", write=True):
            Owner.objects.filter(id=owner.id).update(display_name="half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    owner.refresh_from_db()
    assert owner.display_name == ""


def test_it_does_not_nest(source: Source, owner: Owner) -> None:
    with (
        scope(workspace_id=source.workspace_id, owners=[owner.id], purpose="outer"),
        pytest.raises(RuntimeError),
        scope(workspace_id=source.workspace_id, owners=[owner.id], purpose="inner"),
    ):
        pass


def test_it_is_the_outermost_transaction(source: Source, owner: Owner) -> None:
    with (
        transaction.atomic(),
        pytest.raises(RuntimeError),
        scope(workspace_id=source.workspace_id, owners=[owner.id], purpose="inner"),
    ):
        pass


@pytest.mark.parametrize(
    ("owners", "purpose"), [("workspace", "recall"), ("workspace", "write"), ([], "listing"), ((), "recall")]
)
def test_only_listed_purposes_span_a_workspace_and_nobody_means_everybody(
    source: Source, owners: Owners, purpose: str
) -> None:
    with (
        pytest.raises(ValueError, match=r"owner|workspace"),
        scope(workspace_id=source.workspace_id, owners=owners, purpose=purpose),
    ):
        pass


def test_the_listed_purposes_span_a_workspace(source: Source) -> None:
    for purpose in WORKSPACE_PURPOSES:
        with scope(workspace_id=source.workspace_id, owners="workspace", purpose=purpose):
            assert said()[2] == "workspace"


@pytest.mark.parametrize(("state", "error"), [("frozen", OwnerFrozen), ("erasing", OwnerErasing)])
def test_an_owner_who_is_not_active_is_read_but_not_written(
    source: Source, owner: Owner, state: str, error: type[Exception]
) -> None:
    Owner.objects.filter(id=owner.id).update(state=state)
    with (
        pytest.raises(error),
        scope(workspace_id=source.workspace_id, owners=[owner.id], purpose="test", write=True),
    ):
        pass
    with scope(workspace_id=source.workspace_id, owners=[owner.id], purpose="test"):
        assert Event.objects.of(owner.id).count() == 0


def test_one_unknown_owner_among_several_refuses_the_write(source: Source, owner: Owner) -> None:
    stranger = make_owner(make_source(make_workspace()))
    for other in (stranger.id, new_id()):
        with (
            pytest.raises(UnknownOwner),
            scope(workspace_id=source.workspace_id, owners=[owner.id, other], purpose="test", write=True),
        ):
            pass


def test_an_owner_is_not_frozen_while_he_is_being_written(
    source: Source, owner: Owner, committing_module_db: str
) -> None:
    with (
        superuser(committing_module_db) as other,
        scope(workspace_id=source.workspace_id, owners=[owner.id], purpose="test", write=True),
    ):
        assert _freeze(other, owner.id) == "55P03"
        # Other writers of the same owner are not kept waiting by it.
        with other.transaction():
            other.execute("SELECT FROM memoryhub_owner WHERE id = %s FOR SHARE NOWAIT", [owner.id])
    with superuser(committing_module_db) as other:
        assert _freeze(other, owner.id) == "frozen"


def _freeze(session: psycopg.Connection, owner_id: UUID) -> str:
    try:
        with session.transaction():
            session.execute("SELECT FROM memoryhub_owner WHERE id = %s FOR UPDATE NOWAIT", [owner_id])
            session.execute("UPDATE memoryhub_owner SET state = 'frozen' WHERE id = %s", [owner_id])
    except psycopg.errors.LockNotAvailable as error:
        return error.sqlstate or ""
    return "frozen"


@pytest.mark.parametrize("state", ["frozen", "erasing"])
def test_the_second_wall_refuses_new_rows_of_an_inactive_owner_in_every_table(
    source: Source, state: str
) -> None:
    world = make_world(source)
    Owner.objects.filter(id=world.owner_id).update(state=state)
    for model in SOUND:
        with pytest.raises(DatabaseError) as caught, connection.cursor() as cursor:
            cursor.execute(*insertion(model, world))
        assert isinstance(caught.value.__cause__, psycopg.Error)
        assert (model, caught.value.__cause__.sqlstate) == (model, OWNER_IS_NOT_ACTIVE)


def test_the_wall_stands_before_an_unknown_owner_too(source: Source) -> None:
    world = make_world(source)
    world.owner_id = new_id()
    with pytest.raises(DatabaseError, match="owner is unknown"), connection.cursor() as cursor:
        cursor.execute(*insertion(Event, world))
