"""The two database aliases: `default` for the runtime role, `admin` for migrations by the owner of the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import dj_database_url

from memoryhub.database import layout

RUNTIME_LIMITS = {
    "statement_timeout": "30s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "60s",
}
"""What a runtime session may take: set on the role, and in the session when it reaches the role by SET ROLE."""


def configured(
    *, data_dir: Path, runtime_url: str, admin_url: str, role_prefix: str, name: str, prepared: bool
) -> dict[str, dict[str, Any]]:
    """`DATABASES`: from both URLs, from one URL (the roles are then taken by `-c role=`), or the embedded cluster."""
    limits = " ".join(f"-c {setting}={value}" for setting, value in RUNTIME_LIMITS.items())
    if runtime_url and admin_url:
        runtime, admin = _from_url(runtime_url), _from_url(admin_url)
        if (
            prepared
        ):  # a pooler that cannot keep statements refuses options as well; there the role must carry them
            _add_options(runtime, limits)
    elif runtime_url or admin_url:
        runtime, admin = _from_url(runtime_url or admin_url), _from_url(runtime_url or admin_url)
        _add_options(runtime, f"-c role={role_prefix}app {limits}")
        _add_options(admin, f"-c role={role_prefix}owner")
    else:
        host = str(layout.locate(data_dir).socket_folder)
        runtime = _embedded(host=host, user=f"{role_prefix}app", name=name)
        admin = _embedded(host=host, user=f"{role_prefix}owner", name=name)
    # A connection per request costs 20 ms; the health check before reuse costs 0.1 ms.
    runtime |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
    # 0: the one recall statement, sent through a raw cursor, is prepared at its first use. None: never (pgbouncer).
    runtime["OPTIONS"]["prepare_threshold"] = 0 if prepared else None
    return {"default": runtime, "admin": admin}


def _embedded(*, host: str, user: str, name: str) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": user,
        "HOST": host,
        "OPTIONS": {"application_name": "memoryhub"},
    }


def _from_url(url: str) -> dict[str, Any]:
    alias = cast("dict[str, Any]", dj_database_url.parse(url))
    alias.setdefault("OPTIONS", {})
    return alias


def _add_options(alias: dict[str, Any], addition: str) -> None:
    """Put session settings before those of the URL, which win."""
    given = str(alias["OPTIONS"].get("options", ""))
    alias["OPTIONS"]["options"] = f"{addition} {given}".strip()
