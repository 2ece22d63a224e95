"""A runtime session must not be able to switch its own limits off.

Superusers, roles with BYPASSRLS and owners of tables are not bound by row-level security or grants. In production the
first connection of such a session is refused, elsewhere it is logged.
"""

from __future__ import annotations

from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

log = structlog.get_logger(__name__)

POWERS = """
SELECT current_user, r.rolsuper, r.rolbypassrls,
       EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relowner = r.oid)
FROM pg_roles r WHERE r.rolname = current_user
"""

_passed: set[tuple[Any, ...]] = set()


def watch_connections() -> None:
    """Look at each new connection of the runtime alias (once per process and role)."""
    connection_created.connect(_look_at, dispatch_uid="memoryhub.database.guard")


def describe_powers(connection: BaseDatabaseWrapper) -> str:
    """What is wrong with the session's role, in words; empty when it is an ordinary role that owns nothing."""
    with connection.cursor() as cursor:
        cursor.execute(POWERS)
        row = cursor.fetchone()
    assert row is not None
    found = [
        name
        for name, has in zip(("a superuser", "BYPASSRLS", "the owner of tables"), row[1:], strict=True)
        if has
    ]
    return f"{row[0]} is {' and '.join(found)}" if found else ""


def _look_at(sender: Any, connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    session = tuple(
        str(connection.settings_dict.get(part)) for part in ("HOST", "PORT", "NAME", "USER", "OPTIONS")
    )
    if connection.alias != "default" or session in _passed:
        return
    wrong = describe_powers(connection)
    if wrong and settings.IS_PRODUCTION:
        connection.close()
        raise ImproperlyConfigured(
            f"The runtime database role {wrong}; DATABASE_URL must name an ordinary role that owns no table."
        )
    if wrong:
        log.warning("runtime_role_too_powerful", role=wrong)
    _passed.add(session)
