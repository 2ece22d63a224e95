"""The runtime session: what it is called, what it may do, and how tests stand on it."""

from __future__ import annotations

import threading
from uuid import uuid4

import psycopg
import pytest
from django.contrib.auth.models import Group, User
from django.db import connection, connections, transaction
from django.db.utils import ProgrammingError

from memoryhub.database import guard
from tests.owner_statements import StatementWithoutOwner


@pytest.mark.django_db
def test_the_runtime_is_an_ordinary_role_that_owns_nothing() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == ("mh_app",)
    assert guard.describe_powers(connection) == ""


@pytest.mark.django_db(databases=["default", "admin"])
def test_the_owner_of_the_tables_would_be_refused() -> None:
    assert "the owner of tables" in guard.describe_powers(connections["admin"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM memoryhub_event WHERE owner_id = %s",
        "DELETE FROM memoryhub_auditentry WHERE id = %s",
        "DELETE FROM memoryhub_fieldversion WHERE owner_id = %s",
    ],
)
def test_the_runtime_may_not_delete_memory(statement: str) -> None:
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, [uuid4()])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE t (a int)", "TRUNCATE memoryhub_event", "ALTER TABLE memoryhub_event DISABLE TRIGGER ALL"],
)
def test_the_runtime_may_not_change_the_schema(statement: str) -> None:
    with pytest.raises(ProgrammingError):
        _execute(statement)


def _execute(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"{statement} /* owner_id */")


@pytest.mark.django_db
def test_a_statement_on_an_owners_table_names_the_owner() -> None:
    with pytest.raises(StatementWithoutOwner), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM memoryhub_event")


@pytest.mark.django_db
def test_the_runtime_has_time_limits() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
        assert cursor.fetchone() == ("30s", "5s")


def test_a_committing_test_has_its_own_database_in_every_thread(committing_db: str) -> None:
    User.objects.create_user("somebody")
    found: list[int] = []

    def count() -> None:
        found.append(User.objects.filter(username="somebody").count())
        connection.close()

    thread = threading.Thread(target=count)
    thread.start()
    thread.join()
    assert found == [1]


@pytest.mark.django_db
def test_nothing_of_a_committing_test_is_left() -> None:
    assert not User.objects.filter(username="somebody").exists()
    assert Group.objects.filter(name="reviewer").exists()


def test_the_server_listens_on_a_private_socket_only(committing_db: str) -> None:
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(host="127.0.0.1", port=5432, user="postgres", connect_timeout=2)
