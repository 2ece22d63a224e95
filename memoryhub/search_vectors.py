"""Vectors of the searchable entries: which model they are of, and filling in those that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from django.db import connection, transaction

from memoryhub.database.prepared import HalfVec, prepared_cursor
from memoryhub.database.scope import scope
from memoryhub.language.embedders import Embedder, current_embedder, embed_each
from memoryhub.language.embedders.metering import charged_to
from memoryhub.models import EmbeddingModel, new_id

MOST_AT_ONCE = 256

log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Filled:
    """How many entries got their vector, and how many of those that were tried still wait. False when none got one."""

    stored: int
    failed: int

    def __bool__(self) -> bool:
        return self.stored > 0


def ensure_model(embedder: Embedder | None = None) -> EmbeddingModel:
    """The row of the embedder in use, made when it is new: current when no vector of another stands, else being built.

    While it is being built its vectors stand beside those of the current model, which stay; entries that have none of its
    yet are found by their words. `reembedding` finishes it and switches.
    """
    chosen = embedder or current_embedder()
    in_use = (EmbeddingModel.State.CURRENT, EmbeddingModel.State.BUILDING)
    known = EmbeddingModel.objects.filter(name=chosen.name, state__in=in_use).first()
    if known:
        return known
    with transaction.atomic(), connection.cursor() as cursor:
        # Two processes that start with a new embedder take turns.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('memoryhub.embedding_model'))")
        others = EmbeddingModel.objects.exclude(name=chosen.name)
        # Of two that were never finished the later one counts.
        others.filter(state=EmbeddingModel.State.BUILDING).update(state=EmbeddingModel.State.RETIRED)
        current = others.filter(state=EmbeddingModel.State.CURRENT).first()
        is_first = current is None or not _has_vectors(current.id)
        if current is not None and is_first:
            others.filter(id=current.id).update(state=EmbeddingModel.State.RETIRED)
        state = EmbeddingModel.State.CURRENT if is_first else EmbeddingModel.State.BUILDING
        model, _ = EmbeddingModel.objects.update_or_create(
            name=chosen.name, defaults={"dims": chosen.dims, "state": state}
        )
    if not is_first:
        log.warning("embedding_model_changed", configured=chosen.name, do="run 'manage.py reembed'")
    return model


def _has_vectors(model_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT owner_id FROM memoryhub_searchvector WHERE model_id = %s LIMIT 1", [model_id])
        return cursor.fetchone() is not None


def embed_missing(
    *, workspace_id: UUID, owner_id: UUID, limit: int = MOST_AT_ONCE, embedder: Embedder | None = None
) -> Filled:
    """Give live, cleared entries of the owner without a vector one, oldest first; call again while `stored` is not 0.

    The texts are embedded between two short transactions. A text that fails stays findable by its words and is tried
    again by the next call; no vector is ever stored for a text it was not made from.
    """
    chosen = embedder or current_embedder()
    model = ensure_model(chosen)
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="embedding"):
        waiting = _waiting(owner_id, model.id, limit)
    with charged_to(workspace_id):
        vectors = embed_each(chosen, [text for _, _, text in waiting])
    rows = [
        (owner_id, new_id(), workspace_id, model.id, entry_id, kind, model.dims, HalfVec(vector))
        for (entry_id, kind, _), vector in zip(waiting, vectors, strict=True)
        if vector is not None and vector.shape == (model.dims,)
    ]
    if rows:
        with scope(workspace_id=workspace_id, owners=[owner_id], purpose="embedding", write=True):
            _insert(rows)
    return Filled(stored=len(rows), failed=len(waiting) - len(rows))


def _waiting(owner_id: UUID, model_id: int, limit: int) -> list[tuple[UUID, str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.id, e.kind, e.text FROM memoryhub_searchentry e"
            " WHERE e.owner_id = %s AND e.known_until IS NULL AND e.cleared AND NOT EXISTS ("
            "  SELECT FROM memoryhub_searchvector v"
            "  WHERE v.owner_id = e.owner_id AND v.model_id = %s AND v.entry_id = e.id)"
            " ORDER BY e.known_from, e.id LIMIT %s",
            [owner_id, model_id, limit],
        )
        return list(cursor.fetchall())


def _insert(rows: Sequence[tuple[Any, ...]]) -> None:
    with prepared_cursor() as cursor:
        # An entry may have got its vector from another process meanwhile.
        cursor.executemany(
            "INSERT INTO memoryhub_searchvector"
            " (owner_id, id, workspace_id, model_id, entry_id, kind, dims, v)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s::halfvec)"
            " ON CONFLICT (owner_id, model_id, entry_id) DO NOTHING",
            rows,
        )
