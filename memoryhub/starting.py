"""What has to hold before a web server or a worker may start."""

from __future__ import annotations

from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured

from memoryhub.database.embedded import ensure_running


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


def _forbids_start(message: checks.CheckMessage) -> bool:
    is_insecure = (
        settings.IS_PRODUCTION
        and str(message.id).startswith("security.")
        and message.is_serious(checks.WARNING)
    )
    return is_insecure or message.is_serious()
