"""What has to hold before a web server or a worker may start."""

from __future__ import annotations

import structlog
from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

from memoryhub.database.embedded import ensure_running

log = structlog.get_logger(__name__)


def refuse_unsafe_start() -> None:
    """Start the embedded database when it is used, then run the system checks.

    Raises ImproperlyConfigured with every error in it; in production the security warnings of Django count as errors.
    """
    if settings.USES_EMBEDDED_DATABASE:
        ensure_running(settings.DATA_DIR)
    messages = checks.run_checks(include_deployment_checks=settings.IS_PRODUCTION)
    wrong = [message for message in messages if not message.is_silenced() and _forbids_start(message)]
    if wrong:
        raise ImproperlyConfigured("\n".join(f"{message.id}: {message.msg}" for message in wrong))
    tell_of_another_model()


def tell_of_another_model() -> None:
    """Log that the stored vectors are not those of the embedder in the settings. No reason to refuse: words still find everything."""
    # This module is imported before Django is set up, when there are no models yet.
    from memoryhub.health import look_at_embedder

    try:
        embedder = look_at_embedder()
    except DatabaseError:
        return
    if embedder.is_being_changed:
        log.warning(
            "embedding_model_changed",
            stored=embedder.stored_model,
            configured=embedder.name,
            do="run 'manage.py reembed'; until it is done entries without a new vector are found by their words",
        )


def _forbids_start(message: checks.CheckMessage) -> bool:
    is_insecure = (
        settings.IS_PRODUCTION
        and str(message.id).startswith("security.")
        and message.is_serious(checks.WARNING)
    )
    return is_insecure or message.is_serious()
