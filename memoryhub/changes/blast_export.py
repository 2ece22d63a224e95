"""The blast radius as JSON and as CSV rows that a spreadsheet does not run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryhub.changes.blast_radius import BlastRadius

COLUMNS = (
    "recall",
    "at",
    "agent",
    "session",
    "rank",
    "tokens",
    "via",
    "kind",
    "value_id",
    "field",
    "value",
    "status",
)
_RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(value: Any) -> str:
    """The value as a cell's text; one that a spreadsheet would take for a formula gets a ' in front."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_RUN_BY_SPREADSHEETS) else text


def csv_rows(radius: BlastRadius) -> Iterator[list[str]]:
    """The head, then one row per served line; every cell is safe."""
    yield list(COLUMNS)
    values = {value.id: value for value in radius.values}
    for line in radius.lines:
        value = values[line.target_id]
        field = f"{value.form_type}.{value.field_name}" if value.field_name else ""
        cells = (
            line.recall_id,
            line.at.isoformat(),
            line.agent,
            line.session_ref,
            line.rank,
            line.tokens,
            line.via,
            value.kind,
            value.id,
            field,
            value.text,
            value.status,
        )
        yield [safe_cell(cell) for cell in cells]


def as_json(radius: BlastRadius) -> dict[str, Any]:
    """Counts, values, lines, sessions, agents, and recalls per hour."""
    return {
        "scope": radius.scope.as_json(),
        "changes": radius.changes,
        "recalls": len(radius.recall_ids),
        "tokens": radius.tokens,
        "is_cut": radius.is_cut,
        "first_at": radius.first_at.isoformat() if radius.first_at else None,
        "last_at": radius.last_at.isoformat() if radius.last_at else None,
        "agents": [{"name": name, "recalls": count} for name, count in radius.agents],
        "sessions": [{"ref": ref, "recalls": count} for ref, count in radius.sessions],
        "per_hour": [{"hour": hour.isoformat(), "recalls": count} for hour, count in radius.per_hour],
        "values": [
            {
                "id": str(value.id),
                "via": value.via,
                "kind": value.kind,
                "value": value.text,
                "status": value.status,
                "form_type": value.form_type,
                "subject": value.form_subject,
                "field": value.field_name,
            }
            for value in radius.values
        ],
        "lines": [
            {
                "recall": str(line.recall_id),
                "at": line.at.isoformat(),
                "agent": line.agent,
                "session": line.session_ref,
                "value": str(line.target_id),
                "via": line.via,
                "rank": line.rank,
                "tokens": line.tokens,
            }
            for line in radius.lines
        ],
    }
