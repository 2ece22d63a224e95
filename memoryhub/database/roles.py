"""The roles of the database and what each may do. Grants are worked out from the models, so a new table has them."""

from __future__ import annotations

from collections.abc import Iterable

from django.apps import apps
from django.conf import settings
from django.db import models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

from memoryhub.database.bootstrap import GROUP_ROLES, LOGIN_ROLES

THIRD_PARTY: dict[str, tuple[str, ...]] = {
    "django_q": ("SELECT", "INSERT", "UPDATE", "DELETE"),
    "axes": ("SELECT", "INSERT", "UPDATE", "DELETE"),
    "sessions": ("SELECT", "INSERT", "UPDATE", "DELETE"),
    "contenttypes": ("SELECT",),
}
"""Privileges of the runtime role on tables of apps that are not ours. Others: see DEFAULT."""

DEFAULT = ("SELECT", "INSERT", "UPDATE")


def role(name: str) -> str:
    """The full name of a role: `role("searcher")` is `mh_searcher` unless MEMORYHUB_ROLE_PREFIX says otherwise."""
    if name not in LOGIN_ROLES + GROUP_ROLES:
        raise ValueError(f"There is no role {name!r}.")
    return f"{settings.ROLE_PREFIX}{name}"


def privileges(model: type[models.Model], role_name: str) -> tuple[str, ...]:
    """What a role may do on a model's table.

    A model says it itself: `runtime_privileges = ("SELECT", "INSERT")` for the runtime (and the staff role, which the
    runtime becomes on staff pages), `role_privileges = {"searcher": ("SELECT",)}` for the others. A privilege may name
    columns: `"UPDATE (state, outcome)"`.
    """
    declared: dict[str, tuple[str, ...]] = getattr(model, "role_privileges", {})
    if role_name in declared:
        return declared[role_name]
    if role_name in ("app", "staff"):
        return _runtime_privileges(model)
    is_ours = model._meta.app_label == "memoryhub"
    by_default = {"eraser": ("SELECT", "DELETE"), "searcher": ("SELECT",), "auditor": ("SELECT",)}
    return by_default[role_name] if is_ours else ()


def _runtime_privileges(model: type[models.Model]) -> tuple[str, ...]:
    if model._meta.auto_created:  # a many-to-many table: its rows are links, put and taken away
        return ("SELECT", "INSERT", "DELETE")
    declared: tuple[str, ...] | None = getattr(model, "runtime_privileges", None)
    if declared is not None:
        return declared
    return THIRD_PARTY.get(model._meta.app_label, DEFAULT)


def apply_grants(connection: BaseDatabaseWrapper) -> int:
    """Give every role exactly what the models say, whatever was granted before. Returns the number of tables.

    To be run by the owner of the tables, after migrations; safe to repeat.
    """
    present = set(connection.introspection.table_names())
    tables = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    tables = [model for model in tables if not model._meta.proxy and model._meta.db_table in present]
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for statement in _statements(tables):
            cursor.execute(statement.as_string())
    return len(tables)


def _statements(tables: Iterable[type[models.Model]]) -> Iterable[sql.Composed]:
    groups = ("app", *GROUP_ROLES)
    everyone = sql.SQL(", ").join(sql.Identifier(role(name)) for name in groups)
    yield sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, {}").format(everyone)
    yield sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(everyone)
    yield sql.SQL("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}").format(everyone)
    yield sql.SQL("GRANT SELECT ON django_migrations TO {}").format(sql.Identifier(role("app")))
    for model in tables:
        for name in groups:
            granted = privileges(model, name)
            if granted:
                yield sql.SQL("GRANT {} ON {} TO {}").format(
                    sql.SQL(", ".join(granted)),
                    sql.Identifier(model._meta.db_table),
                    sql.Identifier(role(name)),
                )
