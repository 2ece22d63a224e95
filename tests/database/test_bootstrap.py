"""A server of one's own: two URLs, one URL, and each way it can be unsuitable."""

from __future__ import annotations

import secrets
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

import psycopg
import pytest
from django.conf import settings
from psycopg import sql

from memoryhub.database import layout
from tests.database_clones import superuser
from tests.programs import manage

SAFE = {
    "MEMORYHUB_ENV": "production",
    "MEMORYHUB_ALLOWED_HOSTS": "memoryhub.example",
    "MEMORYHUB_SECRET_KEY": secrets.token_urlsafe(64),
}
WRITE = """
from django.contrib.auth.models import User
from django.db import connection
User.objects.create(username='someone')
with connection.cursor() as cursor:
    cursor.execute("SELECT current_user, current_setting('statement_timeout')")
    print(*cursor.fetchone())
    cursor.execute('DELETE FROM memoryhub_event')
"""


@dataclass(frozen=True)
class Server:
    """A database on the test cluster, prepared by an administrator as an outside one would be."""

    database: str
    prefix: str
    administrator: str
    runtime: str

    def url(self, user: str) -> str:
        host = quote(str(layout.locate(settings.DATA_DIR).socket_folder), safe="")
        return f"postgresql://{user}@{host}/{self.database}"

    def manage(
        self, *command: str, runtime: str = "", admin: str = "", **changes: str
    ) -> subprocess.CompletedProcess[str]:
        urls = {
            "DATABASE_URL": runtime and self.url(runtime),
            "DATABASE_ADMIN_URL": admin and self.url(admin),
        }
        return manage(*command, MEMORYHUB_ROLE_PREFIX=self.prefix, **urls, **changes)


@pytest.fixture
def server(cluster: object) -> Iterator[Server]:
    name = f"outside_{secrets.token_hex(3)}"
    made = Server(database=name, prefix=f"{name}_", administrator=f"{name}_dba", runtime=f"{name}_service")
    with superuser() as session:
        for role, may in ((made.administrator, "CREATEROLE"), (made.runtime, "NOCREATEROLE")):
            session.execute(sql.SQL("CREATE ROLE {} LOGIN {}").format(sql.Identifier(role), sql.SQL(may)))
        session.execute(
            sql.SQL("CREATE DATABASE {} OWNER {}").format(
                sql.Identifier(name), sql.Identifier(made.administrator)
            )
        )
    with superuser(name) as session:
        session.execute("CREATE EXTENSION vector")
    yield made
    with superuser() as session:
        session.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        roles = session.execute("SELECT rolname FROM pg_roles WHERE rolname LIKE %s", [f"{name}%"]).fetchall()
        for (role,) in sorted(roles, key=lambda row: row[0] == made.administrator):  # the grantor goes last
            session.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))


@pytest.mark.slow
def test_two_urls_migrate_as_one_role_and_run_as_the_other(server: Server) -> None:
    done = server.manage("migrate", runtime=server.runtime, admin=server.administrator)
    assert done.returncode == 0, done.stderr
    run = server.manage("shell", "-c", WRITE, runtime=server.runtime, admin=server.administrator, **SAFE)
    assert f"{server.runtime} 30s" in run.stdout
    assert "permission denied for table memoryhub_event" in run.stderr


@pytest.mark.slow
def test_one_url_works_with_a_warning_and_still_runs_without_power(server: Server) -> None:
    done = server.manage("migrate", runtime=server.administrator)
    assert done.returncode == 0, done.stderr
    assert "memoryhub.W001" in done.stderr
    run = server.manage("shell", "-c", WRITE, runtime=server.administrator, **SAFE)
    assert f"{server.prefix}app 30s" in run.stdout
    assert "permission denied for table memoryhub_event" in run.stderr


@pytest.mark.slow
def test_a_runtime_role_with_power_is_refused_in_production(server: Server) -> None:
    server.manage("migrate", runtime=server.runtime, admin=server.administrator)
    run = server.manage("shell", "-c", WRITE, runtime="postgres", admin=server.administrator, **SAFE)
    assert "postgres is a superuser and BYPASSRLS" in run.stderr
    owner = server.manage(
        "shell", "-c", WRITE, runtime=server.administrator, admin=server.administrator, **SAFE
    )
    assert "must name an ordinary role that owns no table" in owner.stderr


def test_a_role_that_may_not_prepare_the_database_is_told_so(server: Server) -> None:
    done = server.manage("ensure_database", runtime=server.runtime, admin=server.runtime)
    assert done.returncode == 1
    assert "needs CREATEROLE and must own the database" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_extension_is_named(server: Server) -> None:
    with superuser(server.database) as session:
        session.execute("DROP EXTENSION vector")
    done = server.manage("ensure_database", runtime=server.runtime, admin=server.runtime)
    assert "Let a superuser run CREATE EXTENSION vector" in done.stderr


def test_an_unreachable_server_is_named() -> None:
    done = manage("migrate", DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=2")
    assert done.returncode == 1
    assert "The database server cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_members_of_the_roles_are_as_designed(committing_db: str) -> None:
    with superuser(committing_db) as session:
        rows = session.execute(
            "SELECT r.rolname, m.rolname, a.inherit_option FROM pg_auth_members a"
            " JOIN pg_roles r ON r.oid = a.roleid JOIN pg_roles m ON m.oid = a.member"
            " WHERE r.rolname LIKE 'mh\\_%'"
        ).fetchall()
    assert set(rows) == {
        *((f"mh_{name}", "mh_owner", True) for name in ("searcher", "eraser", "staff", "auditor")),
        ("mh_staff", "mh_app", False),
    }


def test_no_role_of_ours_has_special_powers(committing_db: str) -> None:
    with superuser() as session:
        rows = session.execute(
            "SELECT rolname FROM pg_roles WHERE rolname LIKE 'mh\\_%'"
            " AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)"
        ).fetchall()
    assert rows == []


def test_only_the_owner_makes_tables(committing_db: str) -> None:
    host = str(layout.locate(settings.DATA_DIR).socket_folder)
    runtime = psycopg.connect(host=host, user="mh_app", dbname=committing_db)
    with runtime as session, pytest.raises(psycopg.errors.InsufficientPrivilege):
        session.execute("CREATE TABLE of_the_runtime (a int)")
