"""Log lines are JSON objects without a word of content."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest
import structlog
from django.db import IntegrityError, connection, transaction

from memoryhub import log_lines

SECRET = "allergic-to-peanuts"


def written(act: Any) -> list[dict[str, Any]]:
    """What `act` logs, through the formatter of the settings."""
    config = log_lines.as_logging_config(level="INFO", as_json=True)["formatters"]["line"]
    stream = io.StringIO()
    target = logging.StreamHandler(stream)
    target.setFormatter(
        structlog.stdlib.ProcessorFormatter(config["processors"][-1], foreign_pre_chain=log_lines.SHARED)
    )
    root = logging.getLogger()
    root.addHandler(target)
    try:
        act()
    finally:
        root.removeHandler(target)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_has_its_level_its_place_and_its_time() -> None:
    (line,) = written(lambda: logging.getLogger("some.module").warning("queue_full"))
    assert (line["event"], line["level"], line["logger"]) == ("queue_full", "warning", "some.module")
    assert line["timestamp"].endswith("Z")


@pytest.mark.django_db
def test_an_exception_that_quotes_a_row_is_logged_without_its_message() -> None:
    def fail() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                for _ in range(2):
                    cursor.execute("INSERT INTO auth_group (name) VALUES (%s)", [SECRET])
        except IntegrityError:
            logging.getLogger("some.module").exception("write_failed")

    (line,) = written(fail)
    assert SECRET not in json.dumps(line)
    assert line["exception"] == ["IntegrityError", "UniqueViolation"]
    assert any("test_log_lines.py" in place for place in line["places"])


def test_structlog_writes_the_same_lines() -> None:
    (line,) = written(lambda: structlog.get_logger("some.module").error("job_parked", job_id="7"))
    assert (line["event"], line["job_id"], line["level"]) == ("job_parked", "7", "error")
