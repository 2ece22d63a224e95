"""Write a sentence that was concluded from other memories, together with what it rests on.

It walks the same steps as any other write. Its trust is the lowest of its sources, and a source that was withdrawn is refused:
otherwise a rollback would quietly come undone at the next consolidation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput
from memoryhub.models import Derivation, Event, FieldVersion, ItemSource, MemoryItem
from memoryhub.writing.applying_items import lock_items
from memoryhub.writing.candidates import Basis, Importance, ItemCandidate, Verdict
from memoryhub.writing.settling import settle
from memoryhub.writing.source import Source
from memoryhub.writing.structured import check_text, close_act, open_act

STORED = ("stored", "superseded", "reinforced")


def derive_item(
    *,
    workspace_id: UUID,
    owner_id: UUID,
    content: str,
    item_kind: str = "semantic",
    source_item_ids: Sequence[UUID] = (),
    source_version_ids: Sequence[UUID] = (),
    event_ids: Sequence[UUID] = (),
    importance: float | None = None,
    confidence: float | None = None,
    basis: Basis = "inferred",
) -> Verdict:
    """Write one derived sentence and its links.

    Raises InvalidInput (`no_sources`, `source_withdrawn`) when it rests on nothing, or on something that is not believed now.
    """
    check_text({"content": content})
    candidate = ItemCandidate(
        item_kind=item_kind,  # type: ignore[arg-type]
        content=content,
        importance=None
        if importance is None
        else Importance(value=importance, parts=(("derived", importance),)),
        confidence=confidence,
        basis=basis,
    )
    with scope(workspace_id=workspace_id, owners=[owner_id], purpose="derive", write=True):
        tiers = _trust_of(owner_id, source_item_ids, source_version_ids, event_ids)
        source = Source(workspace_id=workspace_id, trust_tier=min(tiers), transport="job")
        settling = open_act(owner_id, source, name="derive", evidence_event_id=None, text=content)
        lock_items(act=settling.act)
        verdict = settle(candidate, settling=settling)
        if verdict.outcome in STORED and verdict.target_id is not None:
            key = settling.act.key()
            _link(key, verdict.target_id, source_item_ids, source_version_ids, event_ids)
        close_act(settling)
    return verdict


def _trust_of(
    owner_id: UUID, items: Sequence[UUID], versions: Sequence[UUID], events: Sequence[UUID]
) -> list[int]:
    """The trust tiers of the sources, each looked up under the owner and believed now."""
    believed = (
        MemoryItem.objects.of(owner_id).filter(id__in=items, known_until=None).exclude(status="retracted"),
        FieldVersion.objects.of(owner_id)
        .filter(id__in=versions, known_until=None)
        .exclude(status="retracted"),
        Event.objects.of(owner_id).filter(id__in=events),
    )
    tiers: list[int] = [tier for rows in believed for tier in rows.values_list("trust_tier", flat=True)]
    wanted = len({*items, *versions, *events})
    if not wanted:
        raise InvalidInput("a derived memory rests on something", field="sources", code="no_sources")
    if len(tiers) != wanted:
        raise InvalidInput("a source is unknown or was withdrawn", field="sources", code="source_withdrawn")
    return tiers


def _link(
    key: dict[str, Any],
    item_id: UUID,
    items: Sequence[UUID],
    versions: Sequence[UUID],
    events: Sequence[UUID],
) -> None:
    links = [Derivation(**key, item_id=item_id, source_item_id=source) for source in items]
    links += [Derivation(**key, item_id=item_id, source_version_id=source) for source in versions]
    Derivation.objects.bulk_create(links, ignore_conflicts=True)
    ItemSource.objects.bulk_create(
        [ItemSource(**key, item_id=item_id, event_id=event) for event in events], ignore_conflicts=True
    )
