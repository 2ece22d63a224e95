"""Roles, database and extension: what has to exist before the first migration."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
from django.conf import settings
from psycopg import sql

from memoryhub.database.aliases import RUNTIME_LIMITS

LOGIN_ROLES = ("owner", "app")
GROUP_ROLES = ("searcher", "eraser", "staff", "auditor")
LEAST_SERVER = 150000
LEAST_VECTOR = (0, 8)


class ServerUnsuitable(RuntimeError):
    """The given server cannot be used; the message is one sentence for a person."""


def prepare_embedded(*, host: Path, superuser: str) -> None:
    """Make roles, database and extension in the embedded cluster; safe to repeat, a few milliseconds when all is there."""
    name, prefix = settings.DATABASE_NAME, settings.ROLE_PREFIX
    with psycopg.connect(host=str(host), user=superuser, dbname="postgres", autocommit=True) as server:
        make_roles(server, prefix=prefix)
        make_database(server, name=name, owner=f"{prefix}owner")
    with psycopg.connect(host=str(host), user=superuser, dbname=name, autocommit=True) as database:
        make_extension(database)
        open_schema(database, prefix=prefix)


def make_roles(server: psycopg.Connection, *, prefix: str) -> None:
    """The two login roles, the four group roles and who may become whom."""
    existing = {row[0] for row in server.execute("SELECT rolname FROM pg_roles")}
    for name in LOGIN_ROLES + GROUP_ROLES:
        if f"{prefix}{name}" not in existing:
            login = sql.SQL("LOGIN" if name in LOGIN_ROLES else "NOLOGIN")
            server.execute(
                sql.SQL("CREATE ROLE {} {} NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS").format(
                    sql.Identifier(f"{prefix}{name}"), login
                )
            )
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
    """The database, owned by the owner role, closed to everybody else."""
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
    available = database.execute(
        "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
    ).fetchone()
    if available is None:
        raise ServerUnsuitable(
            "The extension pgvector (0.8 or newer) is not installed on the database server."
        )
    if database.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone() is None:
        try:
            database.execute("CREATE EXTENSION vector")
        except psycopg.errors.InsufficientPrivilege:
            raise ServerUnsuitable(
                "Let a superuser run CREATE EXTENSION vector in the database; this role may not."
            ) from None
    installed = database.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    assert installed is not None
    if tuple(int(part) for part in re.findall(r"\d+", installed[0])[:2]) < LEAST_VECTOR:
        raise ServerUnsuitable(f"pgvector 0.8 or newer is needed; the database has {installed[0]}.")


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
