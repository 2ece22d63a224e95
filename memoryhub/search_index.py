"""What can be found, written down: entries with their lexical tokens at once, vectors and windows afterwards.

An entry has the id of what it is about. A window is about its middle event and has that event's id with UUID version 8
in place of 7, so the two views of one turn find each other without a look-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal
from uuid import UUID

from django.db import connection

from memoryhub.language.masking import mask_secrets
from memoryhub.language.text import language_of
from memoryhub.language.tokens import lexical_tokens, owner_prefix, token_length, tsvector_literal

type EntryKind = Literal["event", "field_version", "item", "window", "chunk"]

LEAST_CLEARED_TIER = 3
_VERSION_BITS = 0xF << 76
_COLUMNS = (
    "owner_id, id, workspace_id, kind, target_id, text, tokens, token_count, occurred_at, language, entities,"
    " session_ref, cleared"
)
_ROW = "(%s, %s, %s, %s, %s, %s, %s::tsvector, %s, %s, %s, %s::varchar[], %s, %s)"


@dataclass(frozen=True, kw_only=True, slots=True)
class NewEntry:
    """One searchable text. `occurred_at` is aware; `cleared=False` stores it without letting recall see it."""

    kind: EntryKind
    target_id: UUID
    text: str
    occurred_at: datetime
    entities: Sequence[str] = ()
    session_ref: str = ""
    cleared: bool = True


def window_id(event_id: UUID) -> UUID:
    """The entry of the window around an event; of a window's id, the event (7 ↔ 8 in the version digit)."""
    return UUID(int=event_id.int ^ _VERSION_BITS)


def event_text(*, content: str, actor: str = "") -> str:
    """What of an event is searched: its words, with the speaker in front when he is named; '' when it has no words."""
    if not content.strip():
        return ""
    return f"{actor}: {content}" if actor else content


def is_cleared(*, role: str, trust_tier: int, action: str = "message", is_flagged: bool = False) -> bool:
    """Whether an event may enter recall: a user's turn or a promise of the agent, from a trusted key, not flagged."""
    is_heard = role == "user" or (role == "assistant" and action == "commitment")
    return is_heard and trust_tier >= LEAST_CLEARED_TIER and not is_flagged


def add_entries(*, workspace_id: UUID, owner_id: UUID, entries: Sequence[NewEntry]) -> int:
    """Insert the entries in one statement, inside the caller's transaction; returns how many were new.

    One without text is left out, one that is there already stays as it is. Secrets are masked, also in what windows are made of.
    """
    wanted = [entry for entry in entries if entry.text.strip()]
    if not wanted:
        return 0
    prefix = owner_prefix(search_no(owner_id))
    parameters: list[Any] = []
    for entry in wanted:
        parameters += _as_row(entry, workspace_id=workspace_id, owner_id=owner_id, prefix=prefix)
    rows = ", ".join([_ROW] * len(wanted))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO memoryhub_searchentry ({_COLUMNS}) VALUES {rows} ON CONFLICT DO NOTHING", parameters
        )
        return int(cursor.rowcount)


def _as_row(entry: NewEntry, *, workspace_id: UUID, owner_id: UUID, prefix: str) -> list[Any]:
    text, _ = mask_secrets(entry.text)
    tokens = lexical_tokens(text, prefix=prefix)
    return [
        owner_id,
        window_id(entry.target_id) if entry.kind == "window" else entry.target_id,
        workspace_id,
        entry.kind,
        entry.target_id,
        text,
        tsvector_literal(tokens),
        token_length(tokens),
        entry.occurred_at,
        language_of(text),
        list(entry.entities),
        entry.session_ref,
        entry.cleared,
    ]


@lru_cache(maxsize=10_000)
def search_no(owner_id: UUID) -> int:
    """The number before the owner's tokens. It never changes, so it is read once per process."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT search_no FROM memoryhub_owner WHERE id = %s", [owner_id])
        return int(cursor.fetchone()[0])


def close_entries(*, owner_id: UUID, target_ids: Sequence[UUID], known_until: datetime | None = None) -> int:
    """The entries of these targets stop being live, at `known_until` or now. Returns how many were live."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memoryhub_searchentry SET known_until = coalesce(%s, now())"
            " WHERE owner_id = %s AND id = ANY(%s) AND known_until IS NULL",
            [known_until, owner_id, list(target_ids)],
        )
        return int(cursor.rowcount)


def set_cleared(*, owner_id: UUID, event_ids: Sequence[UUID], cleared: bool) -> int:
    """Let recall see the events, or hide them, together with their windows. Returns how many entries moved."""
    ids = [*event_ids, *map(window_id, event_ids)]
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memoryhub_searchentry SET cleared = %s WHERE owner_id = %s AND id = ANY(%s) AND cleared <> %s",
            [cleared, owner_id, ids, cleared],
        )
        return int(cursor.rowcount)
