"""The one door's half for rollbacks: many versions and items closed and put back in a fixed number of statements.

A value that holds again is a new row, a copy of the one that held it, believed from now on; the row that is taken back stays
with its text and is believed no longer. So what was believed in between can still be asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.db import connection

from memoryhub.models import FieldVersion, MemoryItem, Relation, SearchEntry, SearchVector
from memoryhub.search_index import NewEntry, add_entries, window_id


@dataclass(frozen=True, kw_only=True, slots=True)
class Closing:
    """A row gets a status and a successor; with `closes` it is believed no longer."""

    owner_id: UUID
    id: UUID
    status: str
    successor: int | None
    closes: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Copy:
    """A new row with the content of `origin`. `entries` are rows whose search entry may be copied, the best first."""

    owner_id: UUID
    origin: UUID
    id: UUID
    number: int
    status: str
    valid_from: datetime
    valid_until: datetime | None
    entries: tuple[UUID, ...]
    fallback: NewEntry | None
    """What is searched when no entry can be copied; a relation is not searched."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Touch:
    """Confirmations and labels of a row as they shall be; None leaves the labels alone."""

    owner_id: UUID
    id: UUID
    confirmations: int | None
    last_confirmed_at: str | None
    entities: list[str] | None = None
    metadata: dict[str, Any] | None = None
    key_attribute: bool | None = None
    decay_rate: float | None = None


@dataclass(kw_only=True, slots=True)
class Reversal:
    """Everything one rollback does to the rows of one kind."""

    closings: list[Closing] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)


_VERSION = {"version": "n.number", "superseded_by_version": "NULL"}
_ITEM = {
    "seq": "n.number",
    # A memory that comes back is known by the id it had.
    "first_id": "COALESCE(o.first_id, o.id)",
    "superseded_by_seq": "NULL",
    "created_at": "%(moment)s",
    "updated_at": "%(moment)s",
}
_COPIED = {
    "id": "n.id",
    "status": "n.status",
    "valid_from": "n.valid_from",
    "valid_until": "n.valid_until",
    "closed_at": "CASE WHEN n.status = 'historical' THEN %(moment)s END",
    "known_from": "%(moment)s",
    "known_until": "NULL",
}
_NEW = "jsonb_to_recordset(%(rows)s::jsonb) AS n"


def reverse_versions(reversal: Reversal, *, moment: datetime) -> None:
    """Close, copy and touch field versions. The caller holds the owners' turns; `moment` is PostgreSQL's clock."""
    _close("memoryhub_fieldversion", "superseded_by_version", reversal.closings, moment)
    _copy(FieldVersion, {**_COPIED, **_VERSION}, reversal.copies, moment)
    _touch("memoryhub_fieldversion", reversal.touches)


def reverse_items(reversal: Reversal, *, moment: datetime) -> None:
    """Close, copy and touch memory items, and count the owners' sequences on."""
    _close("memoryhub_memoryitem", "superseded_by_seq", reversal.closings, moment)
    _copy(MemoryItem, {**_COPIED, **_ITEM}, reversal.copies, moment)
    _touch("memoryhub_memoryitem", reversal.touches)
    _label(reversal.touches, moment)
    _count_on(reversal.copies)


def reverse_relations(reversal: Reversal, *, moment: datetime) -> None:
    """Close, copy and touch relations, which are counted with the owners' items."""
    _close("memoryhub_relation", "superseded_by_seq", reversal.closings, moment)
    _copy(Relation, {**_COPIED, "seq": "n.number", "superseded_by_seq": "NULL"}, reversal.copies, moment)
    _touch("memoryhub_relation", reversal.touches)
    _count_on(reversal.copies)


def _count_on(copies: Sequence[Copy]) -> None:
    newest: dict[UUID, int] = {}
    for copy in copies:
        newest[copy.owner_id] = max(copy.number, newest.get(copy.owner_id, 0))
    if newest:
        _run(
            f"UPDATE memoryhub_ownersequence s SET last_item_seq = greatest(s.last_item_seq, n.number) FROM {_NEW}"
            " (owner_id uuid, number bigint) WHERE s.owner_id = n.owner_id",
            [{"owner_id": owner, "number": number} for owner, number in newest.items()],
        )


def _close(table: str, successor: str, closings: Sequence[Closing], moment: datetime) -> None:
    if closings:
        _run(
            f"UPDATE {table} row SET status = n.status, {successor} = n.successor,"
            f" known_until = CASE WHEN n.closes THEN %(moment)s ELSE row.known_until END FROM {_NEW}"
            " (owner_id uuid, id uuid, status text, successor bigint, closes boolean)"
            " WHERE row.owner_id = n.owner_id AND row.id = n.id",
            [
                {
                    "owner_id": c.owner_id,
                    "id": c.id,
                    "status": c.status,
                    "successor": c.successor,
                    "closes": c.closes,
                }
                for c in closings
            ],
            moment=moment,
        )


def _copy(model: Any, overrides: dict[str, str], copies: Sequence[Copy], moment: datetime) -> None:
    if copies:
        columns, values = _columns(model, overrides)
        table = model._meta.db_table
        _run(
            f"INSERT INTO {table} ({columns}) SELECT {values} FROM {_NEW}"
            " (owner_id uuid, origin uuid, id uuid, number bigint, status text, valid_from timestamptz,"
            f" valid_until timestamptz) JOIN {table} o ON o.owner_id = n.owner_id AND o.id = n.origin",
            [
                {
                    "owner_id": c.owner_id,
                    "origin": c.origin,
                    "id": c.id,
                    "number": c.number,
                    "status": c.status,
                    "valid_from": c.valid_from,
                    "valid_until": c.valid_until,
                }
                for c in copies
            ],
            moment=moment,
        )


def _columns(model: Any, overrides: dict[str, str]) -> tuple[str, str]:
    """The table's columns, and for each what a copy has in it."""
    names = [column.column for column in model._meta.concrete_fields if column.column]
    return ", ".join(names), ", ".join(overrides.get(name, f"o.{name}") for name in names)


def _touch(table: str, touches: Sequence[Touch]) -> None:
    counted = [t for t in touches if t.confirmations is not None]
    if counted:
        _run(
            f"UPDATE {table} row SET confirmations = n.confirmations, last_confirmed_at = n.last_confirmed_at"
            f" FROM {_NEW} (owner_id uuid, id uuid, confirmations integer, last_confirmed_at timestamptz)"
            " WHERE row.owner_id = n.owner_id AND row.id = n.id",
            [
                {
                    "owner_id": t.owner_id,
                    "id": t.id,
                    "confirmations": t.confirmations,
                    "last_confirmed_at": t.last_confirmed_at,
                }
                for t in counted
            ],
        )


def _label(touches: Sequence[Touch], moment: datetime) -> None:
    labelled = [t for t in touches if t.entities is not None]
    if labelled:
        _run(
            "UPDATE memoryhub_memoryitem row SET metadata = n.metadata, updated_at = %(moment)s,"
            " key_attribute = COALESCE(n.key_attribute, row.key_attribute),"
            " decay_rate = COALESCE(n.decay_rate, row.decay_rate),"
            f" entities = ARRAY(SELECT jsonb_array_elements_text(n.entities)) FROM {_NEW}"
            " (owner_id uuid, id uuid, entities jsonb, metadata jsonb, key_attribute boolean,"
            " decay_rate double precision)"
            " WHERE row.owner_id = n.owner_id AND row.id = n.id",
            [
                {
                    "owner_id": t.owner_id,
                    "id": t.id,
                    "entities": t.entities,
                    "metadata": t.metadata,
                    "key_attribute": t.key_attribute,
                    "decay_rate": t.decay_rate,
                }
                for t in labelled
            ],
            moment=moment,
        )


def carry_over(copies: Sequence[Copy], *, moment: datetime) -> None:
    """Give the copies what belongs to a value beside its row: further evidence, what rests on it, how it was used."""
    pairs = [{"owner_id": c.owner_id, "origin": c.origin, "id": c.id} for c in copies]
    if not pairs:
        return
    given = f"{_NEW} (owner_id uuid, origin uuid, id uuid)"
    for statement in (
        (
            "INSERT INTO memoryhub_itemsource (owner_id, id, workspace_id, item_id, event_id, created_at)"
            " SELECT o.owner_id, gen_random_uuid(), o.workspace_id, n.id, o.event_id, o.created_at"
            f" FROM {given} JOIN memoryhub_itemsource o ON o.owner_id = n.owner_id AND o.item_id = n.origin"
        ),
        _derivation("n.id", "o.source_item_id", "o.source_version_id", f"{given} {_on('item_id')}"),
        _derivation("o.item_id", "n.id", "NULL", f"{given} {_on('source_item_id')}"),
        _derivation("o.item_id", "NULL", "n.id", f"{given} {_on('source_version_id')}"),
        (
            "INSERT INTO memoryhub_usage"
            " (owner_id, id, workspace_id, target_kind, target_id, last_access_at, access_count, last_served_at)"
            " SELECT o.owner_id, gen_random_uuid(), o.workspace_id, o.target_kind, n.id, o.last_access_at,"
            f" o.access_count, o.last_served_at FROM {given}"
            " JOIN memoryhub_usage o ON o.owner_id = n.owner_id AND o.target_id = n.origin"
        ),
    ):
        _run(f"{statement} ON CONFLICT DO NOTHING", pairs, moment=moment)


def _derivation(item: str, source_item: str, source_version: str, tables: str) -> str:
    return (
        "INSERT INTO memoryhub_derivation"
        " (owner_id, id, workspace_id, item_id, source_item_id, source_version_id, created_at)"
        f" SELECT o.owner_id, gen_random_uuid(), o.workspace_id, {item}, {source_item}, {source_version},"
        f" %(moment)s FROM {tables}"
    )


def _on(column: str) -> str:
    return f"JOIN memoryhub_derivation o ON o.owner_id = n.owner_id AND o.{column} = n.origin"


def index_copies(copies: Sequence[Copy], *, workspace_id: UUID, moment: datetime) -> None:
    """Make the copies that hold now findable, with the entry and the vectors of what they were copied from."""
    live = [copy for copy in copies if copy.status in ("active", "scheduled")]
    if not live:
        return
    pairs = [
        {"owner_id": c.owner_id, "id": c.id, "origin": entry, "rank": rank, "occurred_at": c.valid_from}
        for c in live
        for rank, entry in enumerate(c.entries)
    ]
    given = f"{_NEW} (owner_id uuid, id uuid, origin uuid, rank integer, occurred_at timestamptz)"
    columns, values = _columns(
        SearchEntry,
        {
            "id": "n.id",
            "target_id": "n.id",
            "occurred_at": "n.occurred_at",
            "known_from": "%(moment)s",
            "known_until": "NULL",
        },
    )
    found = _run(
        f"INSERT INTO memoryhub_searchentry ({columns}) SELECT DISTINCT ON (n.id) {values} FROM {given}"
        " JOIN memoryhub_searchentry o ON o.owner_id = n.owner_id AND o.id = n.origin ORDER BY n.id, n.rank"
        " RETURNING id",
        pairs,
        moment=moment,
    )
    columns, values = _columns(SearchVector, {"id": "gen_random_uuid()", "entry_id": "n.id"})
    _run(
        f"INSERT INTO memoryhub_searchvector ({columns}) SELECT DISTINCT ON (n.id, o.model_id) {values} FROM {given}"
        " JOIN memoryhub_searchvector o ON o.owner_id = n.owner_id AND o.entry_id = n.origin"
        " WHERE EXISTS (SELECT FROM memoryhub_searchentry e WHERE e.owner_id = n.owner_id AND e.id = n.id)"
        " ORDER BY n.id, o.model_id, n.rank ON CONFLICT DO NOTHING",
        pairs,
    )
    for copy in live:
        if copy.id not in found and copy.fallback is not None:
            # A value that never stood before was never searched for.
            add_entries(workspace_id=workspace_id, owner_id=copy.owner_id, entries=[copy.fallback])


def unindex(rows: Iterable[tuple[UUID, UUID]], *, moment: datetime) -> None:
    """The entries of these (owner, row) stop being live."""
    given = [{"owner_id": owner_id, "id": row_id} for owner_id, row_id in rows]
    if given:
        _run(
            f"UPDATE memoryhub_searchentry e SET known_until = %(moment)s FROM {_NEW} (owner_id uuid, id uuid)"
            " WHERE e.owner_id = n.owner_id AND e.id = n.id AND e.known_until IS NULL",
            given,
            moment=moment,
        )


def hide_events(events: Iterable[tuple[UUID, UUID]]) -> set[UUID]:
    """Keep the words of these (owner, event) out of recall, unless another change in force rests on them.

    Answers which were hidden.
    """
    return _run(
        f"UPDATE memoryhub_searchentry e SET cleared = false FROM {_NEW} (owner_id uuid, id uuid, event_id uuid)"
        " WHERE e.owner_id = n.owner_id AND e.id = n.id AND e.cleared AND NOT EXISTS ("
        "SELECT FROM memoryhub_change c WHERE c.owner_id = n.owner_id AND c.event_id = n.event_id"
        " AND c.state = 'applied' AND c.candidate->>'kind' IS DISTINCT FROM 'inverse') RETURNING e.target_id",
        _with_windows(events),
    )


def show_events(events: Iterable[tuple[UUID, UUID]]) -> None:
    """Let recall see events again that a rollback had hidden."""
    _run(
        f"UPDATE memoryhub_searchentry e SET cleared = true FROM {_NEW} (owner_id uuid, id uuid, event_id uuid)"
        " WHERE e.owner_id = n.owner_id AND e.id = n.id",
        _with_windows(events),
    )


def _with_windows(events: Iterable[tuple[UUID, UUID]]) -> list[dict[str, Any]]:
    return [
        {"owner_id": owner_id, "id": entry, "event_id": event_id}
        for owner_id, event_id in sorted(set(events))
        for entry in (event_id, window_id(event_id))
    ]


def _run(statement: str, rows: Sequence[dict[str, Any]], **values: Any) -> set[UUID]:
    """Run a statement over the rows as one JSON value; answers the ids it returns."""
    if not rows:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(statement, {"rows": orjson.dumps(list(rows)).decode(), **values})
        return {row[0] for row in cursor.fetchall()} if cursor.description else set()
