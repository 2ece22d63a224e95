"""Log lines: one JSON object each, made of names, ids and codes; never of what people said.

Exceptions are logged as types and places only: their messages may quote a row (PostgreSQL's DETAIL does).
"""

from __future__ import annotations

import logging.config
import sys
import traceback
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger


def places_only(logger: WrappedLogger, name: str, line: EventDict) -> EventDict:
    """Replace an exception by the names of its chain and where it passed, without any message."""
    given = line.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)[-12:]
        line["exception"] = [type(link).__qualname__ for link in _chain(error)]
        line["places"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return line


def _chain(error: BaseException) -> list[BaseException]:
    links: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in links:
        links.append(link)
        link = link.__cause__ or link.__context__
    return links


SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    places_only,
]


def as_logging_config(*, level: str, as_json: bool) -> dict[str, Any]:
    """The `LOGGING` setting: everything to standard error, in one form."""
    render: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Statements and their parameters are never logged, not even in development.
            "django.db.backends": {"level": "WARNING"},
            "django": {"handlers": [], "propagate": True},
            # The queue says a line for every task; the ledger keeps them.
            "django-q": {"handlers": [], "propagate": True, "level": "WARNING"},
        },
    }


def configure(config: dict[str, Any]) -> None:
    """Set up the standard library's logging and structlog to write the same lines."""
    logging.config.dictConfig(config)
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
