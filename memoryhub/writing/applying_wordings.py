"""A memory put in other words: a new row that goes on under the memory's id and keeps all but the words."""

from __future__ import annotations

from typing import Any

from django.db.models.functions import Now

from memoryhub.exceptions import InvalidInput
from memoryhub.models import ItemSource, MemoryItem, OwnerSequence
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission
from memoryhub.writing.applying_items import close_item, entry_of, verdict_of
from memoryhub.writing.arbitration import Settlement
from memoryhub.writing.candidates import ItemCandidate, Verdict
from memoryhub.writing.proposing import propose_item
from memoryhub.writing.standing_items import content_digest, same_content

Status = MemoryItem.Status

KEPT_BY_AN_EDIT = (
    "kind", "subject_entity", "attribute", "value_key", "valid_from", "valid_until", "event_id", "quote", "quote_start",
    "quote_end", "key_attribute", "decay_rate", "strength_anchor", "confirmations", "last_confirmed_at", "session_ref",
)  # fmt: skip
"""What new words do not change."""


def replace_item(
    item: MemoryItem,
    *,
    candidate: ItemCandidate,
    admission: Admission,
    sequence: OwnerSequence,
    metadata: dict[str, Any],
    act: Act,
) -> Verdict:
    """Let an edited sentence take the place of `item`, or propose it when the admission says a person must look.

    Raises InvalidInput (`duplicate`) when another standing item says the same.
    """
    settlement = Settlement(action="correct", code="edited")
    if admission.gates:
        return propose_item(
            candidate=candidate, admission=admission, settlement=settlement, standing=item, act=act
        )
    if same_content(candidate, act):
        raise InvalidInput("another memory says this already", field="content", code="duplicate")
    close_item(item, act=act, status=Status.SUPERSEDED, successor=sequence.last_item_seq + 1)
    edited = _insert_wording(
        item, candidate=candidate, admission=admission, sequence=sequence, metadata=metadata, act=act
    )
    return verdict_of(candidate, admission, settlement, item, edited, act)


def _insert_wording(
    item: MemoryItem,
    *,
    candidate: ItemCandidate,
    admission: Admission,
    sequence: OwnerSequence,
    metadata: dict[str, Any],
    act: Act,
) -> MemoryItem:
    """The memory in new words, on the trust of who edits it; its id, evidence, times, kind and place stay as they were."""
    sequence.last_item_seq += 1
    OwnerSequence.objects.of(act.owner.id).filter(id=sequence.id).update(last_item_seq=sequence.last_item_seq)
    kept = {name: getattr(item, name) for name in KEPT_BY_AN_EDIT}
    edited = MemoryItem(
        **act.key(),
        **kept,
        seq=sequence.last_item_seq,
        first_id=item.memory_id,
        content=candidate.content,
        content_norm=content_digest(candidate.content),
        entities=list(candidate.entities),
        metadata=metadata,
        procedure=candidate.procedure,
        status=Status.ACTIVE,
        known_from=Now(),
        confidence=admission.confidence,
        importance=admission.importance,
        trust_tier=act.source.trust_tier,
        basis=candidate.basis,
        agent_id=act.source.agent_id,
        updated_by_agent_id=act.source.agent_id,
    )
    edited.save(force_insert=True)
    further = ItemSource.objects.of(item.owner_id).filter(item_id=item.id).order_by("created_at", "id")
    ItemSource.objects.bulk_create(
        ItemSource(**act.key(), item_id=edited.id, event_id=event_id)
        for event_id in further.values_list("event_id", flat=True)
    )
    act.index(entry_of(edited))
    return edited
