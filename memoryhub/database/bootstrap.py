"""Roles, database and extension: what has to exist before the first migration."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
from django.conf import settings
from psycopg import errors, sql

from memoryhub.database.aliases import RUNTIME_LIMITS

LOGIN_ROLES = ("owner", "app")
GROUP_ROLES = ("searcher", "eraser", "staff", "auditor")
LEAST_SERVER = 150000
LEAST_VECTOR = (0, 8)


class ServerUnsuitable(RuntimeError):
    """The given server cannot be used; the message is one sentence for a person."""


def prepare_embedded(*, host: Path, superuser: str) -> None:
    """Make roles, database and extension in the embedded cluster; safe to repeat, and quick when all is there."""
    name, prefix = settings.DATABASE_NAME, settings.ROLE_PREFIX
    with psycopg.connect(host=str(host), user=superuser, dbname="postgres", autocommit=True) as server:
        make_roles(server, prefix=prefix, may_log_in=True)
        make_database(server, name=name, owner=f"{prefix}owner")
    with psycopg.connect(host=str(host), user=superuser, dbname=name, autocommit=True) as database:
        make_extension(database)
        open_schema(database, prefix=prefix)


def prepare_external() -> None:
    """Check the server that DATABASE_ADMIN_URL (or the one URL) names, and make the roles in it.

    Whoever the URLs log in as is made a member of the roles the schema is written for. Raises ServerUnsuitable.
    """
    prefix = settings.ROLE_PREFIX
    try:
        with psycopg.connect(
            settings.DATABASE_ADMIN_URL or settings.DATABASE_URL, autocommit=True
        ) as database:
            make_extension(database)
            make_roles(database, prefix=prefix, may_log_in=False)
            open_schema(database, prefix=prefix)
            _admit(database, database.info.user, [f"{prefix}{name}" for name in ("owner", *GROUP_ROLES)])
            runtime = psycopg.conninfo.conninfo_to_dict(settings.DATABASE_URL or settings.DATABASE_ADMIN_URL)
            _admit(database, str(runtime.get("user", database.info.user)), [f"{prefix}app"])
    except errors.InsufficientPrivilege as error:
        raise ServerUnsuitable(
            f"The role of DATABASE_ADMIN_URL may not prepare the database ({error.diag.message_primary}): "
            "it needs CREATEROLE and must own the database."
        ) from None
    except psycopg.OperationalError as error:
        raise ServerUnsuitable(f"The database server cannot be reached: {_first_line(error)}") from None


def make_roles(server: psycopg.Connection, *, prefix: str, may_log_in: bool) -> None:
    """The owner, the runtime, the four group roles, and who may become whom."""
    existing = {row[0] for row in server.execute("SELECT rolname FROM pg_roles")}
    for name in LOGIN_ROLES + GROUP_ROLES:
        if f"{prefix}{name}" not in existing:
            login = sql.SQL("LOGIN" if may_log_in and name in LOGIN_ROLES else "NOLOGIN")
            server.execute(sql.SQL("CREATE ROLE {} {}").format(sql.Identifier(f"{prefix}{name}"), login))
    owner, app = sql.Identifier(f"{prefix}owner"), sql.Identifier(f"{prefix}app")
    for name in GROUP_ROLES:
        server.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(f"{prefix}{name}"), owner))
    # The runtime becomes the staff role on staff pages only, so it must not have its rights all the time.
    how = sql.SQL("WITH INHERIT FALSE, SET TRUE" if server.info.server_version >= 160000 else "")
    server.execute(sql.SQL("GRANT {} TO {} {}").format(sql.Identifier(f"{prefix}staff"), app, how))
    for setting, value in RUNTIME_LIMITS.items():
        server.execute(
            sql.SQL("ALTER ROLE {} SET {} = {}").format(app, sql.Identifier(setting), sql.Literal(value))
        )


def make_database(server: psycopg.Connection, *, name: str, owner: str) -> None:
    """The database, owned by the owner role."""
    if server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
        server.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} ENCODING 'UTF8' TEMPLATE template0").format(
                sql.Identifier(name), sql.Identifier(owner)
            )
        )


def make_extension(database: psycopg.Connection) -> None:
    """pgvector, in the version the search needs. Raises ServerUnsuitable."""
    version = database.info.server_version
    if version < LEAST_SERVER:
        raise ServerUnsuitable(f"PostgreSQL 15 or newer is needed; this server is {version // 10000}.")
    installed = _vector_version(database)
    if installed is None:
        available = database.execute("SELECT FROM pg_available_extensions WHERE name = 'vector'").fetchone()
        if available is None:
            raise ServerUnsuitable("The database server lacks the extension pgvector, 0.8 or newer.")
        try:
            database.execute("CREATE EXTENSION vector")
        except errors.InsufficientPrivilege:
            raise ServerUnsuitable(
                "Let a superuser run CREATE EXTENSION vector in the database: the role of the URL may not."
            ) from None
        installed = _vector_version(database)
    numbers = tuple(int(part) for part in re.findall(r"\d+", installed or "")[:2])
    if numbers < LEAST_VECTOR:
        raise ServerUnsuitable(f"pgvector 0.8 or newer is needed; the database has {installed}.")


def open_schema(database: psycopg.Connection, *, prefix: str) -> None:
    """The owner makes tables; the roles that own functions may be handed them; nobody else makes anything."""
    owner, app = sql.Identifier(f"{prefix}owner"), sql.Identifier(f"{prefix}app")
    makers = sql.SQL(", ").join(sql.Identifier(f"{prefix}{name}") for name in ("owner", "searcher", "eraser"))
    everyone = sql.SQL(", ").join(sql.Identifier(f"{prefix}{name}") for name in LOGIN_ROLES + GROUP_ROLES)
    name = sql.Identifier(database.info.dbname)
    database.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    database.execute(sql.SQL("GRANT CONNECT, TEMPORARY ON DATABASE {} TO {}, {}").format(name, owner, app))
    database.execute(sql.SQL("REVOKE CREATE ON SCHEMA public FROM PUBLIC"))
    database.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(everyone))
    database.execute(sql.SQL("GRANT CREATE ON SCHEMA public TO {}").format(makers))


def _admit(database: psycopg.Connection, user: str, roles: list[str]) -> None:
    for role in roles:
        if role != user:
            database.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(role), sql.Identifier(user)))


def _vector_version(database: psycopg.Connection) -> str | None:
    row = database.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    return row[0] if row else None


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
