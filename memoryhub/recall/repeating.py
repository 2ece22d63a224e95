"""Questions that came again: looked for in the log of recalls a little later, so that no recall waits for it.

Compared are recalls of agents with one owner's words, never across owners. In one conversation, and where none is named, a question
counts as repeated only after ten minutes: before that an agent may just be asking twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from django.db import connection

from memoryhub.database.scope import scope
from memoryhub.exceptions import OwnerErasing, OwnerFrozen, UnknownOwner
from memoryhub.language.embedders import Embedder, EmbeddingUnavailable, Vectors
from memoryhub.language.embedders.metering import charged_to
from memoryhub.models import RepeatedQuestion, RepeatSearch
from memoryhub.recall.knowing import Field
from memoryhub.recall.misses import active_fields
from memoryhub.recall.same_subject import Sign, Subject, is_for_meaning, same_subject, subject_of

WITHIN = timedelta(days=7)
APART = timedelta(minutes=10)
MOST_NEW = 500
"""Of more new recalls the rest is left to the next turn, a minute later: a job is not to run for long."""
MOST_PER_OWNER = 200
MOST_EMBEDDED = 64
"""Questions of an owner whose meaning is asked for in one look, the newest first."""
LONGEST_LOOK = 20.0
"""Seconds."""
SETTLING = timedelta(seconds=10)
"""So long after a recall its transaction is surely over."""

_NEW = f"""
SELECT r.owner_id, r.created_at FROM memoryhub_recall r JOIN memoryhub_owner o ON o.id = r.owner_id AND o.state = 'active'
WHERE r.workspace_id = %(workspace)s AND r.created_at > %(since)s AND r.created_at <= %(until)s
  AND r.agent_id IS NOT NULL AND r.query <> '' AND r.valid_at IS NULL AND r.known_at IS NULL
ORDER BY r.created_at LIMIT {MOST_NEW}
"""
_ASKED = f"""
SELECT r.id, r.query, r.session_ref, r.created_at, (r.request -> 'entities')::text FROM memoryhub_recall r
WHERE r.owner_id = %(owner)s AND r.created_at > %(since)s AND r.created_at <= %(until)s
  AND r.agent_id IS NOT NULL AND r.query <> '' AND r.valid_at IS NULL AND r.known_at IS NULL
ORDER BY r.created_at DESC, r.id DESC LIMIT {MOST_PER_OWNER}
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedOnce:
    """One question of the log."""

    id: UUID
    query: str
    session_ref: str
    at: datetime
    subject: Subject


@dataclass(frozen=True, kw_only=True, slots=True)
class Repeat:
    """A question, the earlier one it repeats, and by what they are one subject."""

    later: AskedOnce
    earlier: AskedOnce
    sign: Sign
    likeness: float


def find_new_repeats(
    *,
    workspace_id: UUID,
    now: datetime,
    embedder: Embedder,
    seconds: float = LONGEST_LOOK,
    still_working: Callable[[], None] = lambda: None,
) -> int:
    """Look through the workspace's recalls since the last look and note what came again; answers how many were found.

    Run twice it notes nothing twice. After `seconds` the owners who asked last are left to the next look. Per owner one statement
    to read and one to write; without an embedder words alone decide.
    """
    search, _made = RepeatSearch.objects.get_or_create(
        workspace_id=workspace_id, defaults={"looked_until": now - WITHIN}
    )
    since, until = search.looked_until, now - SETTLING
    rows = _new_recalls(workspace_id, since, until)
    if len(rows) == MOST_NEW:
        until = rows[-1][1]
    # By their first new recall: what is older than that of the first owner left out is looked through.
    first_asked: dict[UUID, datetime] = {}
    for owner_id, at in rows:
        first_asked.setdefault(owner_id, at)
    fields, found, looked_until = active_fields(workspace_id), 0, until
    started = time.monotonic()
    for place, (owner_id, at) in enumerate(first_asked.items()):
        if place and time.monotonic() - started >= seconds:
            looked_until = at - timedelta(microseconds=1)
            break
        found += _note_owner(workspace_id, owner_id, since, until, fields, embedder)
        still_working()
    RepeatSearch.objects.filter(workspace_id=workspace_id, looked_until=since).update(
        looked_until=looked_until
    )
    return found


def _new_recalls(workspace_id: UUID, since: datetime, until: datetime) -> list[tuple[UUID, datetime]]:
    """Owner and time of each, the oldest first."""
    with (
        scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"),
        connection.cursor() as cursor,
    ):
        cursor.execute(_NEW, {"workspace": workspace_id, "since": since, "until": until})
        rows: list[tuple[UUID, datetime]] = cursor.fetchall()
    return rows


def _note_owner(
    workspace_id: UUID,
    owner_id: UUID,
    since: datetime,
    until: datetime,
    fields: tuple[Field, ...],
    embedder: Embedder,
) -> int:
    with (
        scope(workspace_id=workspace_id, owners=[owner_id], purpose="repeats"),
        connection.cursor() as cursor,
    ):
        cursor.execute(_ASKED, {"owner": owner_id, "since": since - WITHIN, "until": until})
        asked = [_asked(row, fields) for row in cursor.fetchall()]
    with charged_to(workspace_id):
        vectors = _vectors(asked, since, embedder)
    repeats = find_repeats(asked, since=since, vectors=vectors)
    if not repeats:
        return 0
    try:
        with scope(workspace_id=workspace_id, owners=[owner_id], purpose="repeats", write=True):
            RepeatedQuestion.objects.bulk_create(
                [_row(workspace_id, owner_id, repeat) for repeat in repeats], ignore_conflicts=True
            )
    except (OwnerErasing, OwnerFrozen, UnknownOwner):
        return 0
    return len(repeats)


def find_repeats(asked: Sequence[AskedOnce], *, since: datetime, vectors: dict[str, Vectors]) -> list[Repeat]:
    """Of one owner's questions those after `since` that repeat an earlier one, each with the newest such. Pure."""
    in_order = sorted(asked, key=lambda one: (one.at, str(one.id)))
    found = []
    for place, later in enumerate(in_order):
        if later.at > since and (repeat := _repeat_of(later, reversed(in_order[:place]), vectors)):
            found.append(repeat)
    return found


def _repeat_of(
    later: AskedOnce, earlier_ones: Iterable[AskedOnce], vectors: dict[str, Vectors]
) -> Repeat | None:
    for earlier in earlier_ones:
        if later.at - earlier.at > WITHIN:
            return None
        if not _are_two_askings(earlier, later):
            continue
        have_both = earlier.query in vectors and later.query in vectors
        pair = (vectors[earlier.query], vectors[later.query]) if have_both else None
        if found := same_subject(earlier.subject, later.subject, vectors=pair):
            return Repeat(later=later, earlier=earlier, sign=found[0], likeness=min(found[1], 1.0))
    return None


def _are_two_askings(earlier: AskedOnce, later: AskedOnce) -> bool:
    elsewhere = bool(earlier.session_ref and later.session_ref) and earlier.session_ref != later.session_ref
    return earlier.at < later.at and (elsewhere or later.at - earlier.at >= APART)


def _asked(row: tuple[Any, ...], fields: tuple[Field, ...]) -> AskedOnce:
    recall_id, query, session_ref, at, entities = row
    names: list[str] = orjson.loads(entities) if entities else []
    return AskedOnce(
        id=recall_id,
        query=query,
        session_ref=session_ref,
        at=at,
        subject=subject_of(query, entities=names, fields=fields),
    )


def _vectors(asked: Sequence[AskedOnce], since: datetime, embedder: Embedder) -> dict[str, Vectors]:
    """A vector for each question that words do not decide about; {} when there is none or the provider is away."""
    queries = list(
        dict.fromkeys(
            query
            for later in asked
            if later.at > since
            for earlier in asked
            if _are_two_askings(earlier, later) and is_for_meaning(earlier.subject, later.subject)
            for query in (earlier.query, later.query)
        )
    )[:MOST_EMBEDDED]
    if not queries:
        return {}
    try:
        vectors = embedder.embed_passages(queries)
    except EmbeddingUnavailable:
        return {}
    return dict(zip(queries, vectors, strict=True))


def _row(workspace_id: UUID, owner_id: UUID, repeat: Repeat) -> RepeatedQuestion:
    return RepeatedQuestion(
        owner_id=owner_id,
        workspace_id=workspace_id,
        earlier_id=repeat.earlier.id,
        later_id=repeat.later.id,
        sign=repeat.sign,
        likeness=repeat.likeness,
        earlier_at=repeat.earlier.at,
        at=repeat.later.at,
    )
