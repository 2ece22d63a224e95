"""The one door's half for sentences: only here is a memory item made or closed.

Items of one owner take turns under his OwnerSequence row, so that two workers with the same fact make one item.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now

from memoryhub.language.values import normalise_value
from memoryhub.models import ItemSource, MemoryItem, OwnerSequence, new_id
from memoryhub.models.memory import USUAL_DECAY_RATE
from memoryhub.search_index import NewEntry
from memoryhub.writing.acts import Act
from memoryhub.writing.admission import Admission, Circumstances
from memoryhub.writing.applying import OUTCOMES, happened_at, stands_above
from memoryhub.writing.arbitration import Claim, Settlement, settle_item, settle_same
from memoryhub.writing.candidates import ItemCandidate, Verdict
from memoryhub.writing.corroboration import weight_of_repeat
from memoryhub.writing.proposing import propose_item
from memoryhub.writing.snapshots import confirmed_snapshot, described, item_snapshot
from memoryhub.writing.standing_items import (
    as_standing,
    content_digest,
    is_over,
    same_attribute,
    same_content,
    told_before,
)

Status = MemoryItem.Status


def apply_item(
    *,
    candidate: ItemCandidate,
    admission: Admission,
    circumstances: Circumstances,
    act: Act,
    metadata: dict[str, Any] | None = None,
) -> Verdict:
    """Settle one admitted sentence and write the result."""
    sequence = lock_items(act=act)
    open_due_items(act=act)
    found = {item.id: item for item in (*same_content(candidate, act), *same_attribute(candidate, act))}
    ran_out = [item for item in found.values() if is_over(item, act.now)]
    standing = next((item for item in found.values() if not is_over(item, act.now)), None)
    claim = Claim(
        norm=normalise_value(candidate.value, "text")
        if candidate.attribute
        else content_digest(candidate.content),
        valid_from=candidate.valid_from or happened_at(act),
        confidence=admission.confidence,
        trust_tier=circumstances.trust_tier,
        explicit=candidate.explicit_correction,
        world_change=candidate.world_change,
        owner_speaks=circumstances.owner_speaks,
        by_staff=circumstances.by_staff,
        text=candidate.content,
        is_guess=candidate.basis == "inferred",
    )
    settlement = _settle(candidate, claim, standing, act)
    told = told_before(candidate, claim, act) if settlement.action == "record_late" else None
    if told is not None or settlement.action == "reinforce":
        return _reinforce(told or standing, candidate, admission, circumstances, act)
    if settlement.action == "propose" or admission.gates:
        return propose_item(
            candidate=candidate, admission=admission, settlement=settlement, standing=standing, act=act
        )
    closes = settlement.action in ("supersede", "correct")
    if standing is not None and closes:
        close_item(
            standing,
            act=act,
            status=Status.SUPERSEDED,
            valid_until=claim.valid_from if settlement.action == "supersede" else None,
            successor=sequence.last_item_seq + 1,
        )
    for over in ran_out:
        MemoryItem.objects.of(over.owner_id).filter(id=over.id).update(status=Status.EXPIRED)
        act.unindex(over.id)
    item = _insert(
        candidate=candidate,
        admission=admission,
        settlement=settlement,
        claim=claim,
        standing=standing,
        sequence=sequence,
        metadata=metadata,
        act=act,
    )
    return verdict_of(candidate, admission, settlement, standing if closes else None, item, act)


def _settle(candidate: ItemCandidate, claim: Claim, standing: MemoryItem | None, act: Act) -> Settlement:
    """The same sentence word for word is a duplicate whatever its attribute is; any other is settled by its value."""
    known = as_standing(standing)
    if (
        standing is not None
        and known is not None
        and standing.content_norm == content_digest(candidate.content)
    ):
        return settle_same(claim, known, act.now)
    return settle_item(claim, standing=known, now=act.now)


def lock_items(*, act: Act) -> OwnerSequence:
    """The owner's item counter, made when missing; its row stays locked until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memoryhub_ownersequence (owner_id, id, workspace_id, last_item_seq) VALUES (%s, %s, %s, 0)"
            " ON CONFLICT (owner_id) DO NOTHING",
            [act.owner.id, new_id(), act.owner.workspace_id],
        )
    return OwnerSequence.objects.of(act.owner.id).select_for_update(no_key=True).get()


def close_item(
    item: MemoryItem,
    *,
    act: Act,
    status: str,
    valid_until: datetime | None = None,
    successor: int | None = None,
) -> None:
    """Close an item in world time when `valid_until` is given, else in known time; it leaves search."""
    if valid_until is not None:
        ends = min(valid_until, item.valid_until or valid_until)
        clocks: dict[str, Any] = {"valid_until": max(ends, item.valid_from), "closed_at": Now()}
    else:
        clocks = {"known_until": Now()}
    MemoryItem.objects.of(item.owner_id).filter(id=item.id).update(
        status=status,
        superseded_by_seq=successor,
        updated_at=Now(),
        updated_by_agent_id=act.source.agent_id,
        **clocks,
    )
    act.unindex(item.id)


def open_due_items(*, act: Act) -> None:
    """Make scheduled sentences whose day has come the active ones. The owner's turn is taken by the caller."""
    items = MemoryItem.objects.of(act.owner.id)
    due = items.filter(status=Status.SCHEDULED, valid_from__lte=act.now, known_until=None)
    for item in due.order_by("valid_from", "seq"):
        same = Q(kind=item.kind, content_norm=item.content_norm)
        if item.attribute:
            same |= Q(subject_entity=item.subject_entity, attribute=item.attribute)
        standing = list(items.filter(same, status=Status.ACTIVE))
        if any(stands_above(old, item, act.now) for old in standing):
            close_item(item, act=act, status=Status.HISTORICAL, valid_until=item.valid_from)
            continue
        for old in standing:
            replaced = old.seq < item.seq
            close_item(
                old,
                act=act,
                status=Status.SUPERSEDED if replaced else Status.HISTORICAL,
                valid_until=item.valid_from,
                successor=item.seq if replaced else None,
            )
        items.filter(id=item.id).update(status=Status.ACTIVE)


def _reinforce(
    item: MemoryItem | None,
    candidate: ItemCandidate,
    admission: Admission,
    circumstances: Circumstances,
    act: Act,
) -> Verdict:
    """The same sentence again: a further event becomes evidence; the count rises at most once a day."""
    assert item is not None
    weight = weight_of_repeat(
        standing=item, happened_at=happened_at(act), circumstances=circumstances, act=act
    )
    counts = weight == "counted"
    moved: dict[str, Any] = {}
    if counts:
        moved = {"confirmations": item.confirmations + 1, "last_confirmed_at": happened_at(act)}
    is_evidence = weight in ("counted", "same_day", "same_source")
    if is_evidence and act.event_id is not None and act.event_id != item.event_id:
        ItemSource.objects.bulk_create(
            [ItemSource(**act.key(), item_id=item.id, event_id=act.event_id)], ignore_conflicts=True
        )
        moved |= {"updated_at": Now(), "updated_by_agent_id": act.source.agent_id}
    if moved:
        MemoryItem.objects.of(item.owner_id).filter(id=item.id).update(**moved)
    change = act.add_change(
        content=item.content_norm,
        action="reinforce",
        target_kind="item",
        target_id=item.id,
        before_id=item.id,
        before=confirmed_snapshot(item.confirmations, item.last_confirmed_at),
        after=confirmed_snapshot(item.confirmations + 1, happened_at(act)) if counts else None,
        state="applied",
        reason_code="" if counts else weight,
        **described(candidate, admission),
    )
    return Verdict(outcome="reinforced", kind="item", target_id=item.memory_id, change_id=change.id)


def _insert(
    *,
    candidate: ItemCandidate,
    admission: Admission,
    settlement: Settlement,
    claim: Claim,
    standing: MemoryItem | None,
    sequence: OwnerSequence,
    act: Act,
    metadata: dict[str, Any] | None,
) -> MemoryItem:
    sequence.last_item_seq += 1
    OwnerSequence.objects.of(act.owner.id).filter(id=sequence.id).update(last_item_seq=sequence.last_item_seq)
    is_late = settlement.action == "record_late" and standing is not None
    is_guess = candidate.basis == "inferred" and candidate.valid_until is None
    item = MemoryItem(
        **act.key(),
        seq=sequence.last_item_seq,
        kind=candidate.item_kind,
        content=candidate.content,
        content_norm=content_digest(candidate.content),
        entities=list(candidate.entities),
        subject_entity=normalise_value(candidate.subject_entity, "text") if candidate.attribute else "",
        attribute=normalise_value(candidate.attribute, "text"),
        value_key=normalise_value(candidate.value, "text") if candidate.attribute else "",
        status={"record_late": Status.HISTORICAL, "schedule": Status.SCHEDULED}.get(
            settlement.action, Status.ACTIVE
        ),
        valid_from=standing.valid_from if settlement.action == "correct" and standing else claim.valid_from,
        valid_until=candidate.valid_until,
        closed_at=Now() if is_late else None,
        known_from=Now(),
        event_id=act.event_id,
        quote=candidate.quote,
        quote_start=candidate.quote_start,
        quote_end=None if candidate.quote_start is None else candidate.quote_start + len(candidate.quote),
        confidence=admission.confidence,
        importance=admission.importance,
        trust_tier=act.source.trust_tier,
        basis=candidate.basis,
        agent_id=act.source.agent_id,
        strength_anchor=admission.importance,
        key_attribute=candidate.key_attribute,
        decay_rate=0.0 if candidate.key_attribute else USUAL_DECAY_RATE,
        metadata=metadata or {},
        procedure=candidate.procedure,
        session_ref=act.session_ref,
        updated_by_agent_id=act.source.agent_id,
    )
    if is_late and standing is not None:
        item.valid_until = min(standing.valid_from, item.valid_until or standing.valid_from)
    elif is_guess:
        item.valid_until = max(act.now, item.valid_from) + timedelta(days=act.policy.inferred_lifetime_days)
    item.save(force_insert=True)
    if item.status in (Status.ACTIVE, Status.SCHEDULED):
        act.index(entry_of(item))
    return item


def entry_of(item: MemoryItem) -> NewEntry:
    """What of a sentence is searched. A procedure is served whole by what calls for it, never as something that is near."""
    return NewEntry(
        kind="item",
        target_id=item.id,
        text=item.content,
        occurred_at=item.valid_from,
        entities=tuple(item.entities),
        session_ref=item.session_ref,
        cleared=item.procedure is None,
    )


def verdict_of(
    candidate: ItemCandidate,
    admission: Admission,
    settlement: Settlement,
    closed: MemoryItem | None,
    item: MemoryItem,
    act: Act,
) -> Verdict:
    """Write the change down and say what became of the candidate; the target is the id the memory is known by."""
    change = act.add_change(
        content=(closed.content_norm if closed else None, item.content_norm),
        action=settlement.action,
        target_kind="item",
        target_id=item.id,
        before_id=closed.id if closed else None,
        before=item_snapshot(closed, ends=closed.valid_until) if closed else None,
        after=item_snapshot(item, ends=candidate.valid_until if item.closed_at else item.valid_until),
        state="applied",
        reason_code=settlement.code,
        **described(candidate, admission),
    )
    return Verdict(
        outcome=OUTCOMES[settlement.action],
        kind="item",
        code=settlement.code,
        target_id=item.memory_id,
        change_id=change.id,
        details={"seq": item.seq},
    )
