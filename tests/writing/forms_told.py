"""What tests of forms share: times, the shape of the fixtures, and staff's changes to the whitelist."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from memoryhub.models import FieldDefinition, FieldVersion
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.source import Source

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)

type Write = Callable[..., Verdict]
"""Writes `form_type.field`; with `said` the words are recorded as the owner's turn and given as evidence."""
type Versions = Callable[[], list[FieldVersion]]
"""The owner's field versions in order of arrival."""


def define(source: Source, name: str, **rules: Any) -> None:
    """Change a field of the workspace as staff would."""
    form_type, field = name.split(".")
    found = FieldDefinition.objects.filter(form_type__workspace_id=source.workspace_id)
    assert found.filter(form_type__name=form_type, name=field).update(**rules) == 1


def values(rows: list[FieldVersion]) -> list[tuple[object, str]]:
    return [(row.value, row.status) for row in rows]
