"""Databases for tests: one template, migrated once by the owner of the tables, and cheap copies of it.

No test ever flushes a table or loosens a trigger, policy or grant: one that commits gets a database of its own.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from memoryhub.database import bootstrap
from memoryhub.database.layout import locate

PREFIX = "test"
_numbers = count(1)


def superuser(database: str = "postgres") -> psycopg.Connection:
    """A session of the cluster's superuser; for making databases only, never for what a test looks at."""
    host = str(locate(settings.DATA_DIR).socket_folder)
    return psycopg.connect(host=host, user="postgres", dbname=database, autocommit=True)


def template_name() -> str:
    """Changes with whatever the schema or the grants are made from."""
    root = settings.BASE_DIR
    sources = [root / "requirements.txt", *root.glob("*/migrations/*.py"), *root.glob("*/models.py")]
    sources += [
        *root.glob("memoryhub/models/*.py"),
        *root.glob("memoryhub/database/*.py"),
        root / "memoryhub/starter_fields.py",
        root / "memoryhub/staff.py",
    ]
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return f"migrated_{digest.hexdigest()[:12]}"


def ensure_template() -> str:
    """Make the template unless an earlier run did; parallel workers wait for the first one."""
    name = template_name()
    with (settings.DATA_DIR / "template.lock").open("w") as lock, superuser() as server:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _exists(server, name):
            _drop_matching(server, "migrated\\_%")
            _make_template(server, name)
    return name


def clone(template: str) -> str:
    """A fresh copy of the template; returns its name, which holds the id of this process."""
    name = f"{PREFIX}_{os.getpid()}_{next(_numbers)}"
    owner = sql.Identifier(f"{settings.ROLE_PREFIX}owner")
    with superuser() as server:
        server.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}").format(
                sql.Identifier(name), owner, sql.Identifier(template)
            )
        )
    return name


def drop(name: str) -> None:
    """Remove a copy, ending whatever is still connected to it."""
    with superuser() as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def drop_abandoned() -> None:
    """Remove the copies of test runs that are no longer alive."""
    with superuser() as server:
        rows = server.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{PREFIX}\\_%"]
        ).fetchall()
    for (name,) in rows:
        found = re.fullmatch(rf"{PREFIX}_(\d+)_\d+", name)
        if found and not Path(f"/proc/{found[1]}").exists():
            drop(name)


@contextmanager
def pointed_at(name: str) -> Iterator[None]:
    """Every connection of this process, in all its threads, goes to the database `name` meanwhile."""
    before = settings.DATABASE_NAME
    _point_at(name)
    try:
        yield
    finally:
        _point_at(before)


def _point_at(name: str) -> None:
    connections.close_all()
    settings.DATABASE_NAME = name
    for alias in ("default", "admin"):
        connections.settings[alias]["NAME"] = name


def _make_template(server: psycopg.Connection, name: str) -> None:
    draft = f"{name}_draft"
    owner = f"{settings.ROLE_PREFIX}owner"
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(draft)))
    bootstrap.make_database(server, name=draft, owner=owner)
    with superuser(draft) as database:
        bootstrap.make_extension(database)
        bootstrap.open_schema(database, prefix=settings.ROLE_PREFIX)
    with pointed_at(draft):
        call_command("migrate", verbosity=0)
    server.execute(
        sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(draft), sql.Identifier(name))
    )


def _exists(server: psycopg.Connection, name: str) -> bool:
    return server.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchone() is not None


def _drop_matching(server: psycopg.Connection, pattern: str) -> None:
    for (name,) in server.execute(
        "SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern]
    ).fetchall():
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
