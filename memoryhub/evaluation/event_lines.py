"""Events as JSON lines, the other form that conversations can be imported from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memoryhub.evaluation.dialogues import UnreadableFile
from memoryhub.writing.candidates import Role


class EventLine(BaseModel):
    """One line. `owner` is the caller's id of whose memory it is; a time without an offset is UTC."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    owner: str = Field(min_length=1, max_length=200)
    content: str = Field(min_length=1)
    occurred_at: datetime
    role: Role = "user"
    actor: str = ""
    subject: str = ""
    action: str = "message"
    session: str = ""
    reason: str = ""
    metadata: dict[str, Any] = {}
    key: str = ""
    """Idempotency key; without one the line's own text is used, so that a second import changes nothing."""


def read_event_lines(path: Path) -> Iterator[EventLine]:
    """The events of a file, one by one. Raises UnreadableFile naming the line."""
    try:
        lines = path.open(encoding="utf-8")
    except OSError as error:
        raise UnreadableFile(f"{path.name}: {error.strerror}") from error
    with lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield EventLine.model_validate(json.loads(line))
            except (ValueError, ValidationError) as error:
                raise UnreadableFile(f"{path.name}, line {number}: {_first_reason(error)}") from error


def _first_reason(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error)
