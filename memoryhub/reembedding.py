"""Changing the embedding model: the new one is built beside the old, and takes its place when nothing is missing any more.

Vectors of two models are never compared: a question is embedded by the model of the settings and compared with that model's
vectors alone. Until all are there the other entries are found by their words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from memoryhub.database.scope import scope
from memoryhub.exceptions import OwnerErasing, OwnerFrozen, UnknownOwner
from memoryhub.language.embedders import Embedder, current_embedder
from memoryhub.models import EmbeddingModel, Workspace
from memoryhub.search_vectors import embed_missing, ensure_model

AT_ONCE = 64
State = EmbeddingModel.State

_MISSING = """
SELECT e.owner_id, count(*) FROM memoryhub_searchentry e
 WHERE e.workspace_id = %s AND e.known_until IS NULL AND e.cleared AND NOT EXISTS (
   SELECT FROM memoryhub_searchvector v WHERE v.owner_id = e.owner_id AND v.model_id = %s AND v.entry_id = e.id)
 GROUP BY e.owner_id ORDER BY e.owner_id
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reembedded:
    """`stored` vectors by this run; `missing` entries that still have none; `is_current`: the model was switched to, or was."""

    model: str
    dims: int
    stored: int
    missing: int
    skipped_owners: int
    is_current: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Rebuilding:
    """The model of the settings and the one whose vectors are stored. `missing` entries have none of the former yet."""

    model: str
    stored_model: str
    missing: int


def reembed(
    *, embedder: Embedder | None = None, report: Callable[[int, int], None] = lambda stored, missing: None
) -> Reembedded:
    """Give every live entry of every workspace a vector of the embedder in use; when none is missing, make its model the current.

    Goes on where it stopped when it is run again, and may run beside workers. A text that fails is left for the next run.
    `report` hears (stored so far, still missing of the owners looked at) after each owner. Owners that are frozen or being erased
    are skipped and do not hold the switch up: what they have is filled in when they are written again.
    """
    chosen = embedder or current_embedder()
    model = ensure_model(chosen)
    stored = missing = skipped = 0
    for workspace_id in Workspace.objects.order_by("id").values_list("id", flat=True):
        for owner_id, number in _owners_with_missing(workspace_id, model.id):
            try:
                filled = _fill(workspace_id, owner_id, chosen)
            except (OwnerFrozen, OwnerErasing, UnknownOwner):
                skipped += 1
                continue
            stored, missing = stored + filled, missing + max(number - filled, 0)
            report(stored, missing)
    if not missing:
        _switch(model)
    model.refresh_from_db()
    return Reembedded(
        model=model.name,
        dims=model.dims,
        stored=stored,
        missing=missing,
        skipped_owners=skipped,
        is_current=model.state == State.CURRENT,
    )


def rebuilding(embedder: Embedder | None = None) -> Rebuilding | None:
    """How far the change of model is, or None when the stored vectors are the embedder's own. Counts, so not for every request."""
    chosen = embedder or current_embedder()
    current = EmbeddingModel.objects.filter(state=State.CURRENT).first()
    if current is None or current.name == chosen.name:
        return None
    model = EmbeddingModel.objects.filter(name=chosen.name).first()
    model_id = model.id if model else 0
    missing = 0
    for workspace_id in Workspace.objects.values_list("id", flat=True):
        missing += sum(number for _, number in _owners_with_missing(workspace_id, model_id))
    return Rebuilding(model=chosen.name, stored_model=current.name, missing=missing)


def _owners_with_missing(workspace_id: UUID, model_id: int) -> Iterator[tuple[UUID, int]]:
    with (
        scope(workspace_id=workspace_id, owners="workspace", purpose="sweep"),
        connection.cursor() as cursor,
    ):
        cursor.execute(_MISSING, [workspace_id, model_id])
        rows = cursor.fetchall()
    yield from rows


def _fill(workspace_id: UUID, owner_id: UUID, embedder: Embedder) -> int:
    stored = 0
    while (
        filled := embed_missing(
            workspace_id=workspace_id, owner_id=owner_id, limit=AT_ONCE, embedder=embedder
        )
    ).stored:
        stored += filled.stored
    return stored


@transaction.atomic
def _switch(model: EmbeddingModel) -> None:
    """The old model's vectors stay where they are, retired: going back to it needs only what was written since."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('memoryhub.embedding_model'))")
    EmbeddingModel.objects.filter(state=State.CURRENT).exclude(id=model.id).update(state=State.RETIRED)
    EmbeddingModel.objects.filter(id=model.id).update(state=State.CURRENT)
